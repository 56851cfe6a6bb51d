package io.ringflow.network;

import io.ringflow.CausalConditioner;
import io.ringflow.Conditioner;
import io.ringflow.Groups;
import io.ringflow.Mask;
import io.ringflow.Network;
import io.ringflow.Space;

/**
 * A multi-layer perceptron on one-hot symbols, whose weights are masked so that each output sees
 * what it may (MADE, Germain et al. 2015).
 *
 * @param hidden units in each hidden layer; choose it well above the number of groups, because a
 *     causal network spreads its units over them
 * @param layers hidden layers
 */
public record Made(int hidden, int layers) implements Network {
  /** Checks the sizes. */
  public Made {
    Sizes.positive("hidden", hidden);
    Sizes.positive("layers", layers);
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space given, int width) {
    return MadeConditioner.bipartite(this, space, mask, given, width);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space given, int width) {
    return MadeConditioner.causal(this, space, groups, given, width);
  }
}
