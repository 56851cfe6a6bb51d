/**
 * Distributions that are known exactly, with their entropies and the best that a family of models
 * can reach: what results are compared with. Nothing here is trained.
 */
package io.ringflow.paper.oracle;
