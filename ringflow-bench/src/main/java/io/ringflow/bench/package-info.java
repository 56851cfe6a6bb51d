/**
 * What Ringflow costs: benchmarks of the Java Microbenchmark Harness, the table of {@code
 * docs/benchmarks.md} that they fill, and programs that measure what the other pages show.
 *
 * <p>Times of one machine mean little on another. So every table holds the time of a plain matrix
 * product beside them, and states the rest in its units too.
 */
package io.ringflow.bench;
