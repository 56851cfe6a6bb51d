/**
 * Tables of categories and numbers.
 *
 * <pre>
 *   CSV file → {@link io.ringflow.table.DataTable} (cells as text)
 *            → {@link io.ringflow.table.TableCodec} (cells ↔ symbols, one position for each column)
 *            → {@link io.ringflow.table.TableModel} (a flow over the symbols: train, score, sample)
 * </pre>
 *
 * <p>{@link io.ringflow.table.ChowLiu} is the baseline that models are compared with.
 */
package io.ringflow.table;
