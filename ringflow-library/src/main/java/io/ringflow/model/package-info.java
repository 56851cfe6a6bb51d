/**
 * What a model is, and the model itself.
 *
 * <pre>
 *   {@link io.ringflow.model.Architecture} (a plain value) → {@link io.ringflow.model.FlowModel} (with weights)
 *   rows ↔ base symbols, rows → log-probabilities, seed → rows, model ↔ folder
 * </pre>
 *
 * <p>A folder holds the architecture, the weights, where they come from ({@link
 * io.ringflow.model.Provenance}) and what symbols stand for ({@link io.ringflow.model.Codec}).
 * {@link io.ringflow.model.Parts} lists the classes that a folder may name.
 */
package io.ringflow.model;
