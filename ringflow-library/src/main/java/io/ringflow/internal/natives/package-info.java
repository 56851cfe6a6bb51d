/**
 * Loads libtorch once in a process, and one process at a time, and says which versions are there.
 * Imports nothing of Ringflow.
 */
package io.ringflow.internal.natives;
