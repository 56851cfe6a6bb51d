/**
 * What Ringflow costs: benchmarks of the Java Microbenchmark Harness, and the table of the README
 * that they fill.
 *
 * <p>Times of one machine mean little on another. So every table holds the time of a plain matrix
 * product beside them, and states the rest in its units too.
 */
package io.ringflow.bench;
