package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;

/**
 * An attention network (Vaswani et al. 2017), with normalisation before each branch and learned
 * positions.
 *
 * <p>Causal, each group attends to itself and those before it; bipartite, what its mask sees and
 * the moved positions, without their symbols, attend to each other. The condition stands before the
 * sequence, and every position attends to it. All logits at once cost D<sup>2</sup> attention
 * scores for each block, and so do all steps of a decoder together, which keeps keys and values.
 *
 * @param width of the vectors; the paper's "hidden units"
 * @param layers blocks of attention and perceptron
 * @param heads of the attention; must divide the width
 * @param filter units of the perceptron
 */
@JsonTypeName("transformer")
public record Transformer(int width, int layers, int heads, int filter) implements Network {
  /** Checks the sizes. */
  public Transformer {
    Checks.atLeast("width", width, 1);
    Checks.atLeast("layers", layers, 1);
    Checks.atLeast("heads", heads, 1);
    Checks.atLeast("filter", filter, 1);
    if (width % heads != 0) {
      throw new IllegalArgumentException(
          "width " + width + " is not a multiple of " + heads + " heads");
    }
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int outputs) {
    return new AttentionBipartite(this, space, mask, condition, outputs);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int outputs) {
    return new AttentionCausal(this, space, groups, condition, outputs);
  }
}
