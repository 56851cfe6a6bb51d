/**
 * Runs experiments: an {@link io.ringflow.paper.harness.Experiment} says which trials to run, a
 * {@link io.ringflow.paper.harness.TrialRunner} trains and measures them and can resume, and the
 * results are kept in a run folder.
 */
package io.ringflow.paper.harness;
