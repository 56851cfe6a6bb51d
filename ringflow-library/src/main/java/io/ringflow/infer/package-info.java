/**
 * Inference: models of distributions that are known up to a constant, such as spins on a lattice or
 * a Bayesian network with evidence.
 *
 * <p>A {@link io.ringflow.infer.Target} says how much weight rows have. {@link
 * io.ringflow.infer.FactorGraph} is one that consists of tables.
 */
package io.ringflow.infer;
