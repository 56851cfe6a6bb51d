/** Published data sets: how they are downloaded, normalized, read and scored. */
package io.ringflow.paper.corpus;
