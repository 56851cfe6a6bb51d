/**
 * Loads libtorch once in a process, and one process at a time, chooses how many threads its BLAS
 * has, and says which versions are there. Imports nothing of Ringflow.
 */
package io.ringflow.internal.natives;
