/**
 * Inference: models of distributions that are known up to a constant, such as spins on a lattice or
 * a Bayesian network with evidence.
 *
 * <p>A {@link io.ringflow.infer.Target} says how much weight rows have. {@link
 * io.ringflow.infer.FactorGraph} is one that consists of tables, each a {@link
 * io.ringflow.infer.Factor}. Its positions and symbols have the names of a {@link
 * io.ringflow.infer.Variable}; {@code given} sets some of them and leaves a graph of the others.
 *
 * <p>{@link io.ringflow.infer.Inference} trains a flow to be like a target, on samples of its own
 * that {@code VariationalBatches} weighs; {@code InferenceNetwork} chooses its architecture where
 * the user does not. {@link io.ringflow.infer.InferredModel} draws {@link
 * io.ringflow.infer.WeightedSamples}, from which everything is estimated. {@link
 * io.ringflow.infer.ExactInference} answers exactly where tables stay small or rows are few.
 *
 * <p>Graphs come from code ({@link io.ringflow.infer.SpinModels} makes lattices and glasses of
 * spins), or from the files people have. {@code BifReader} reads Bayesian networks, with {@code
 * BifTable} for their probabilities; {@code UaiReader} reads the networks and the evidence of the
 * UAI competitions. Both take their words from {@code Tokens}, which knows where each one stands,
 * and stay within {@code FileLimits}, whatever a file promises.
 */
package io.ringflow.infer;
