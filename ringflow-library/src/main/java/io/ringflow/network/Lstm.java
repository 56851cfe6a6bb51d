package io.ringflow.network;

import io.ringflow.CausalConditioner;
import io.ringflow.Conditioner;
import io.ringflow.Mask;
import io.ringflow.Network;
import io.ringflow.Space;

/**
 * A recurrent network (Hochreiter and Schmidhuber 1997). Causal: left to right. Bipartite: both
 * ways over all positions, the moved ones hidden. What is given is read first, by a recurrent
 * encoder whose last state is the first state here.
 *
 * @param embedding width of the symbols' vectors
 * @param hidden units of each layer, in each direction
 * @param layers stacked layers
 */
public record Lstm(int embedding, int hidden, int layers) implements Network {
  /** Checks the sizes. */
  public Lstm {
    Sizes.positive("embedding", embedding);
    Sizes.positive("hidden", hidden);
    Sizes.positive("layers", layers);
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space given, int width) {
    return new SequenceBipartite(
        space, mask, embedding, new RecurrentTrunk(this, given, true), width);
  }

  @Override
  public CausalConditioner causal(Space space, Space given, int width) {
    return new SequenceCausal(space, embedding, new RecurrentTrunk(this, given, false), width);
  }
}
