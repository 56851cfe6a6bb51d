/**
 * How Ringflow keeps things on disk: weights ({@link io.ringflow.store.Safetensors}), descriptions
 * ({@link io.ringflow.store.Json}) and whole folders that change all at once or not at all ({@link
 * io.ringflow.store.FolderWriter}).
 *
 * <p>Everything read is taken to be hostile: sizes are checked before memory is asked for, nothing
 * read can name a class, and whatever is wrong with a file is a {@link
 * io.ringflow.store.ModelFormatException} with the file and the reason. Nothing here knows of
 * tensors or native memory.
 */
package io.ringflow.store;
