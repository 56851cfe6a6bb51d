package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;

/**
 * A Transformer whose tokens are patches of neighbouring symbols, under a shallower one that
 * predicts the symbols of a patch one after the other (as in MegaByte, Yu et al. 2023, but for
 * patches in any order, and with a decoder that attends to the symbols of all patches).
 *
 * <p>One call of the Transformer over patches is enough for all symbols of all patches of a group,
 * and nothing is lost between the symbols of a patch: each is predicted from what the Transformer
 * made of earlier groups, and from all symbols before it. The decoder is called for each symbol of
 * a patch; the fewer layers it has, the less that costs next to a call of the Transformer. A row
 * has fewer patches than symbols, so that the same time trains a larger Transformer.
 *
 * <p>Its groups are those of patches, of which each is taken in as many steps as a patch has
 * symbols: {@link Groups#inPatches}.
 *
 * @param trunk the Transformer over patches, without n-grams of neighbours
 * @param patch symbols of a patch; must divide the positions
 * @param ngrams rows of a table with a vector for each n-gram of neighbours in a patch, by its
 *     remainder; best a prime number; 0 for none
 * @param gram symbols of such an n-gram; from 1 to a whole patch
 * @param decoder the Transformer over symbols; with n-grams, it has those of the symbols that are
 *     known next to each
 */
@JsonTypeName("patch-transformer")
public record PatchTransformer(
    Transformer trunk, int patch, int ngrams, int gram, Transformer decoder) implements Network {
  /** Checks the sizes. */
  public PatchTransformer {
    Checks.atLeast("patch", patch, 1);
    Checks.atLeast("ngrams", ngrams, 0);
    if (gram < 1 || gram > patch) {
      throw new IllegalArgumentException(
          "gram must be between 1 and the " + patch + " symbols of a patch, but is " + gram);
    }
    if (trunk.ngrams() > 0) {
      throw new IllegalArgumentException(
          "the n-grams of a patch transformer's trunk are its own, which lie in patches: trunk must"
              + " have ngrams 0, not "
              + trunk.ngrams());
    }
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
