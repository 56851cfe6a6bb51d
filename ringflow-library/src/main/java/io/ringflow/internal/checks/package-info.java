/**
 * Argument checks, names in messages and the reaction to an interrupt, the same in every package.
 * Imports nothing of Ringflow, so that every package may use it.
 */
package io.ringflow.internal.checks;
