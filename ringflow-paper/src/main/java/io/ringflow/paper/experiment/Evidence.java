package io.ringflow.paper.experiment;

import io.ringflow.infer.ExactInference;
import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.Variable;
import io.ringflow.train.Batches;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * What is known of some variables of a Bayesian network, drawn from the network itself, so that it
 * is possible: a few variables at random, each with a state by its exact probability given those
 * before.
 *
 * @param states by the names of variables
 * @param posterior the network of the other variables
 * @param logProb exact log-probability of the evidence
 */
record Evidence(Map<String, String> states, FactorGraph posterior, double logProb) {
  private static final int MOST = 3;

  /**
   * Draws 1 to 3 variables and their states.
   *
   * @throws IllegalArgumentException if the network is too large to be answered exactly
   */
  static Evidence drawn(FactorGraph network, long seed) {
    RandomGenerator random = Batches.random(seed, -1);
    Map<String, String> states = new LinkedHashMap<>();
    FactorGraph rest = network;
    int count = Math.min(1 + random.nextInt(MOST), network.variables().size() - 1);
    while (states.size() < count) {
      int position = random.nextInt(rest.variables().size());
      Variable variable = rest.variables().get(position);
      double[] probabilities = ExactInference.of(rest).marginals()[position];
      states.put(variable.name(), variable.states().get(symbol(probabilities, random)));
      rest = network.given(states);
    }
    return new Evidence(states, rest, ExactInference.of(rest).logZ());
  }

  private static int symbol(double[] probabilities, RandomGenerator random) {
    double left = random.nextDouble();
    int last = 0;
    for (int symbol = 0; symbol < probabilities.length; symbol++) {
      left -= probabilities[symbol];
      if (probabilities[symbol] > 0) {
        last = symbol;
        if (left < 0) {
          break;
        }
      }
    }
    return last;
  }

  /** Such as {@code xray=yes, dysp=no}. */
  String text() {
    return states.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining(", "));
  }
}
