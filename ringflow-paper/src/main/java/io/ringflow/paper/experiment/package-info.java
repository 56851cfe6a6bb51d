/**
 * The experiments of the paper and those beyond it: which models to train, how, on what, and what
 * to say of the results. {@link io.ringflow.paper.experiment.Experiments} lists them all.
 */
package io.ringflow.paper.experiment;
