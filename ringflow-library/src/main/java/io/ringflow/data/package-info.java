/**
 * Texts and tables as models read them: symbols numbered from 0, in plain Java arrays.
 *
 * <pre>
 *   file -> Vocabulary -> Text -> Split -> windows (training) and rows (evaluation)
 * </pre>
 *
 * <p>{@link io.ringflow.data.Vocabulary} numbers the symbols and {@link io.ringflow.data.Text}
 * holds a long text in two bytes a symbol. The paper's two corpora are {@link
 * io.ringflow.data.Text8}, with {@link io.ringflow.data.Text8Normalizer} to bring any text into its
 * 27 symbols, and {@link io.ringflow.data.PennTreebank}.
 *
 * <p>{@link io.ringflow.data.SymbolRows} reads rows whose symbols are written as numbers, and
 * {@link io.ringflow.data.Debd} the tables of bits of the density estimation benchmark.
 *
 * <p>Reading is strict: a symbol outside the vocabulary, bytes that are not UTF-8, a row of another
 * length and a file that is missing or empty are each a {@link io.ringflow.data.CorpusException}
 * with the file and the reason. Nothing here knows of tensors or native memory.
 */
package io.ringflow.data;
