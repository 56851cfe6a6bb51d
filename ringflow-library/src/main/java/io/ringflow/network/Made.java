package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
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
 * @param direct whether each symbol also adds to the logits of all later ones by itself, past the
 *     hidden units: learns what pairs of columns know of each other at once. A number for every
 *     pair of symbols, so of tables of up to some thousand symbols in all
 */
@JsonDeserialize(builder = Made.Stored.class)
public record Made(int hidden, int layers, boolean direct) implements Network {
  /** Through hidden units alone. */
  public Made(int hidden, int layers) {
    this(hidden, layers, false);
  }

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

  /** As a file has it: one of before there were direct logits does not speak of them. */
  static final class Stored {
    private final int hidden;
    private final int layers;

    @JsonProperty private boolean direct;

    @JsonCreator
    Stored(@JsonProperty("hidden") int hidden, @JsonProperty("layers") int layers) {
      this.hidden = hidden;
      this.layers = layers;
    }

    Made build() {
      return new Made(hidden, layers, direct);
    }
  }
}
