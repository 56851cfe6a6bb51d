/**
 * Tables of categories and numbers.
 *
 * <pre>
 *   CSV file → {@link io.ringflow.table.DataTable} (cells as text)
 *            → {@link io.ringflow.table.TableCodec} (cells ↔ symbols, one position for each column)
 *            → {@link io.ringflow.table.TableModel} (a flow over the symbols: train, score, sample)
 * </pre>
 *
 * <p>A {@link io.ringflow.table.Condition} is what a model can be asked the probability of, and
 * what samples can be made to satisfy. {@link io.ringflow.table.ChowLiu} is the baseline that
 * models are compared with.
 */
package io.ringflow.table;
