/**
 * Texts of characters or bytes.
 *
 * <pre>
 *   UTF-8 file or bytes → {@link io.ringflow.text.Text} (ids of a {@link io.ringflow.text.Vocabulary})
 *                       → windows of a fixed length, as training batches
 *                       → {@link io.ringflow.text.TextModel} (a flow over windows, with its codec)
 * </pre>
 */
package io.ringflow.text;
