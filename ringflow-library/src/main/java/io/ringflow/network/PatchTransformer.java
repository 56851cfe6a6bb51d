package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;

/**
 * A Transformer whose tokens are patches of neighbouring symbols, under a small network that
 * predicts the symbols of a patch one after the other (as in MegaByte, Yu et al. 2023, but with
 * perceptrons and for patches in any order).
 *
 * <p>One call of the Transformer is enough for all symbols of all patches of a group, and nothing
 * is lost between the symbols of a patch: the first is predicted from what the Transformer made of
 * earlier groups, each other from that and the symbols of its patch before it. The perceptrons cost
 * little next to a call, whether all symbols are scored at once or one is sampled after the other.
 * A row has fewer tokens than symbols, so that the same time trains a larger Transformer.
 *
 * <p>Its groups are those of patches, of which each is taken in as many steps as a patch has
 * symbols: {@link Groups#inPatches}.
 *
 * @param trunk the Transformer over patches
 * @param patch symbols of a patch; must divide the positions
 * @param ngrams rows of a table with a vector for each n-gram of neighbours in a patch, by its
 *     remainder; best a prime number; 0 for none
 * @param gram symbols of such an n-gram; from 1 to a whole patch
 * @param headWidth of the vectors between the trunk and the logits, one for each symbol
 * @param headLayers perceptrons that work on them, one after the other
 * @param headFilter units of each perceptron
 */
@JsonTypeName("patch-transformer")
public record PatchTransformer(
    Transformer trunk,
    int patch,
    int ngrams,
    int gram,
    int headWidth,
    int headLayers,
    int headFilter)
    implements Network {
  /** With n-grams of whole patches. */
  public PatchTransformer(
      Transformer trunk, int patch, int ngrams, int headWidth, int headLayers, int headFilter) {
    this(trunk, patch, ngrams, patch, headWidth, headLayers, headFilter);
  }

  /** Checks the sizes. */
  public PatchTransformer {
    Checks.atLeast("patch", patch, 1);
    Checks.atLeast("ngrams", ngrams, 0);
    if (gram < 1 || gram > patch) {
      throw new IllegalArgumentException(
          "gram must be between 1 and the " + patch + " of a patch, but is " + gram);
    }
    Checks.atLeast("headWidth", headWidth, 1);
    Checks.atLeast("headLayers", headLayers, 1);
    Checks.atLeast("headFilter", headFilter, 1);
  }

  /** Not to be had: what a mask moves is not sampled in patches. */
  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int outputs) {
    throw new IllegalArgumentException(
        "a patch transformer predicts the symbols of a patch one after the other, and no layer"
            + " moves them all at once: use its trunk, a Transformer");
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int outputs) {
    return new PatchCausal(this, space, groups, condition, outputs);
  }
}
