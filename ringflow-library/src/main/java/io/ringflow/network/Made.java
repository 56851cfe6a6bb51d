package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import java.util.List;
import java.util.function.Consumer;

/**
 * A multi-layer perceptron on one-hot symbols, with weights masked so that each output sees only
 * the inputs it may (MADE, Germain et al. 2015).
 *
 * <p>All logits at once and all steps of a decoder cost the same: one product with each weight
 * matrix.
 *
 * @param hidden units in each hidden layer; choose it well above the number of groups, because a
 *     causal network spreads its units over them
 * @param layers hidden layers
 * @param direct for each position of the space, groups of one or two parent positions. Where the
 *     position may see them, their symbols add to its logits directly, past the hidden units: a
 *     weight for every combination of symbols. So dependencies between two or three columns are
 *     learned fast and need no hidden units. Empty for none; may list more positions than the space
 *     has, because a {@code Pack} makes them fewer
 * @param scales for each position of the space, where its symbols lie on a scale from 0 to 1, or
 *     nothing if they are in no order. Neighbours on a scale then share weights: what is learned of
 *     one of 200 numbers is known of those close to it. Negative for a symbol that lies nowhere,
 *     such as that of a missing value. Empty for none at all
 */
@JsonTypeName("made")
public record Made(
    int hidden,
    int layers,
    List<List<List<Integer>>> direct,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<List<Double>> scales)
    implements Network {
  /** A perceptron without direct tables. */
  public Made(int hidden, int layers) {
    this(hidden, layers, List.of());
  }

  /** A perceptron of symbols in no order. */
  public Made(int hidden, int layers, List<List<List<Integer>>> direct) {
    this(hidden, layers, direct, List.of());
  }

  /** A network as a file has it; scales are left out where there are none. */
  private static final class Stored {
    @JsonProperty Integer hidden;
    @JsonProperty Integer layers;
    @JsonProperty List<List<List<Integer>>> direct;
    @JsonProperty List<List<Double>> scales = List.of();
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  private static Made of(Stored stored) {
    return new Made(stored.hidden, stored.layers, stored.direct, stored.scales);
  }

  /** Checks the sizes and copies the lists. */
  public Made {
    Checks.atLeast("hidden", hidden, 1);
    Checks.atLeast("layers", layers, 1);
    direct =
        direct == null
            ? List.of()
            : direct.stream().map(groups -> groups.stream().map(List::copyOf).toList()).toList();
    for (List<List<Integer>> groups : direct) {
      groups.forEach(checked(direct.size()));
    }
    scales = scales.stream().map(List::copyOf).toList();
    for (double place : scales.stream().flatMap(List::stream).toList()) {
      if (!(place <= 1)) {
        throw new IllegalArgumentException("scales must end at 1, but one has " + place);
      }
    }
  }

  private static Consumer<List<Integer>> checked(int positions) {
    return group -> {
      boolean known = group.stream().allMatch(parent -> parent >= 0 && parent < positions);
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
    return new MadeConditioner(layers, MadeLayout.bipartite(this, space, mask), condition, width);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    return new MadeConditioner(layers, MadeLayout.causal(this, space, groups), condition, width);
  }
}
