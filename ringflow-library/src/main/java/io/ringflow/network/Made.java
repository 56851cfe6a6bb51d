package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import java.util.List;
import java.util.function.Consumer;

/**
 * A multi-layer perceptron on one-hot symbols, whose weights are masked so that each output sees
 * what it may (MADE, Germain et al. 2015).
 *
 * @param hidden units in each hidden layer; choose it well above the number of groups, because a
 *     causal network spreads its units over them
 * @param layers hidden layers
 * @param direct for each position of the space, the groups of one or two positions whose symbols
 *     add to its logits by themselves, past the hidden units, where it may see them: a number for
 *     every combination with its own symbols. What two or three columns know of each other is then
 *     learned at once, and needs no hidden units. Empty for none; may be of more positions than
 *     there are, because behind a {@link io.ringflow.layer.Pack} there are fewer
 */
@JsonDeserialize(builder = Made.Stored.class)
@JsonTypeName("made")
public record Made(int hidden, int layers, List<List<List<Integer>>> direct) implements Network {
  /** Through hidden units alone. */
  public Made(int hidden, int layers) {
    this(hidden, layers, List.of());
  }

  /** Checks the sizes and copies the lists. */
  public Made {
    Sizes.positive("hidden", hidden);
    Sizes.positive("layers", layers);
    direct =
        direct == null
            ? List.of()
            : direct.stream().map(groups -> groups.stream().map(List::copyOf).toList()).toList();
    for (List<List<Integer>> groups : direct) {
      groups.forEach(checked(direct.size()));
    }
  }

  private static Consumer<List<Integer>> checked(int positions) {
    return group -> {
      boolean known = group.stream().allMatch(speaker -> speaker >= 0 && speaker < positions);
      if (!known || group.isEmpty() || group.size() > 2) {
        throw new IllegalArgumentException(
            "direct must name one or two positions from 0 to "
                + (positions - 1)
                + " together, but names "
                + group);
      }
    };
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
    return MadeConditioner.bipartite(this, space, mask, condition, width);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    return MadeConditioner.causal(this, space, groups, condition, width);
  }

  /** As a file has it: one of before there were direct logits does not speak of them. */
  static final class Stored {
    private final int hidden;
    private final int layers;

    @JsonProperty private List<List<List<Integer>>> direct = List.of();

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
