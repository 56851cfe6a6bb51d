/** From people's own data to a model: tables and texts, fitted with sensible defaults. */
package io.ringflow.fit;
