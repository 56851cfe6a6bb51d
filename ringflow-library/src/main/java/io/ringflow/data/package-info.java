/**
 * Texts and tables as models read them: symbols numbered from 0, in plain Java arrays.
 *
 * <pre>
 *   file -> Vocabulary -> Text -> Split -> windows (training) and rows (evaluation)
 *   file -> DataTable -> TableCodec -> EncodedTable -> rows of symbols -> TableCodec -> DataTable
 * </pre>
 *
 * <p>{@link io.ringflow.data.Vocabulary} numbers the symbols and {@link io.ringflow.data.Text}
 * holds a long text in two bytes a symbol. The paper's two corpora are {@link
 * io.ringflow.data.Text8}, with {@link io.ringflow.data.Text8Normalizer} to bring any text into its
 * 27 symbols, and {@link io.ringflow.data.PennTreebank}.
 *
 * <p>{@link io.ringflow.data.DataTable} holds cells as they are written. {@link
 * io.ringflow.data.TableCodec} learns from them which symbols they are, by {@link
 * io.ringflow.data.CodecOptions}, and goes both ways: to rows of symbols with what is rare or
 * unseen beside them ({@link io.ringflow.data.EncodedTable}), and back to cells. {@link
 * io.ringflow.data.TextCodec} says the same of a text, and a {@link io.ringflow.data.Codec} is kept
 * with its model.
 *
 * <p>{@link io.ringflow.data.SymbolRows} reads rows whose symbols are written as numbers, and
 * {@link io.ringflow.data.Debd} the tables of bits of the density estimation benchmark.
 *
 * <p>Reading is strict: a symbol outside the vocabulary, bytes that are not UTF-8, a row of another
 * length and a file that is missing or empty are each a {@link io.ringflow.data.CorpusException}
 * with the file and the reason. Nothing here knows of tensors or native memory.
 */
package io.ringflow.data;
