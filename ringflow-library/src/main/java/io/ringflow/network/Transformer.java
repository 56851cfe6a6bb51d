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
 * @param ngrams rows of a table with a vector for each n-gram of symbols that are known next to a
 *     position, by its remainder; best a prime number; 0 for none. Only causal, and for one
 *     alphabet of all positions: a text
 */
@JsonTypeName("transformer")
public record Transformer(
    int width,
    int layers,
    int heads,
    int filter,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int ngrams)
    implements Network {
  /** A network without n-grams. */
  public Transformer(int width, int layers, int heads, int filter) {
    this(width, layers, heads, filter, 0);
  }

  /** A network as a file has it; n-grams are left out where there are none. */
  private static final class Stored {
    @JsonProperty Integer width;
    @JsonProperty Integer layers;
    @JsonProperty Integer heads;
    @JsonProperty Integer filter;
    @JsonProperty int ngrams;
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  private static Transformer of(Stored stored) {
    return new Transformer(stored.width, stored.layers, stored.heads, stored.filter, stored.ngrams);
  }

  /** Checks the sizes. */
  public Transformer {
    Checks.atLeast("width", width, 1);
    Checks.atLeast("layers", layers, 1);
    Checks.atLeast("heads", heads, 1);
    Checks.atLeast("filter", filter, 1);
    Checks.atLeast("ngrams", ngrams, 0);
    if (width % heads != 0) {
      throw new IllegalArgumentException(
          "width " + width + " is not a multiple of " + heads + " heads");
    }
  }

  /** The same with n-grams, in whose vectors there are as many weights as in the layers. */
  public Transformer withNgrams() {
    return withNgrams(NeighbourGrams.rows(12L * layers * width * width, width));
  }

  /**
   * The same with other n-grams.
   *
   * @param rows of their table; 0 for none
   */
  public Transformer withNgrams(int rows) {
    return new Transformer(width, layers, heads, filter, rows);
  }

  /** The same with another number of layers. */
  public Transformer withLayers(int blocks) {
    return new Transformer(width, blocks, heads, filter, ngrams);
  }

  /** Without n-grams: positions that a mask moves do not know their neighbours one by one. */
  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int outputs) {
    if (ngrams > 0) {
      throw new IllegalArgumentException(
          "n-grams are of symbols that earlier groups know, and a bipartite layer has no groups:"
              + " use ngrams 0, not "
              + ngrams);
    }
    return new AttentionBipartite(this, space, mask, condition, outputs);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int outputs) {
    return new AttentionCausal(this, space, groups, condition, outputs);
  }
}
