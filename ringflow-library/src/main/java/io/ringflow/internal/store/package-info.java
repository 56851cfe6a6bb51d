/**
 * Files and folders that are written whole or not at all, and read strictly.
 *
 * <pre>
 *   model → {@link io.ringflow.internal.store.Json} (descriptions)
 *         + {@link io.ringflow.internal.store.Safetensors} (weights)
 *         + {@link io.ringflow.internal.store.ConfigFile} (format, version, checksums)
 *         → {@link io.ringflow.internal.store.FolderWriter} (all files at once)
 * </pre>
 */
package io.ringflow.internal.store;
