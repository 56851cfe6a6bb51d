package io.ringflow.model;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Primes;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses a model for those who would rather not: given a space and how many network calls sampling
 * a row may take.
 *
 * <p>It only assembles what anybody could; {@code docs/parallel.md} says why these parts.
 */
public final class Presets {
  /** Combinations of neighbours that a joint prediction may choose from. */
  private static final int MAX_COMBINATIONS = 1024;

  /** Positions from which on a space of one alphabet is taken for a sequence, such as a text. */
  private static final int SEQUENCE = 32;

  /** Letters of the smallest patch, and of the largest. */
  private static final int MIN_PATCH = 4;

  private static final int MAX_PATCH = 8;

  /** Symbols at all places of a patch, each of which has weights of its own. */
  private static final int MAX_SYMBOLS = 4096;

  /** One of so many layers of a Transformer is for symbols, and the others for patches. */
  private static final int LAYERS_TO_ONE_OF_SYMBOLS = 3;

  /** N-grams of known neighbours to each n-gram of a patch, whose vector is longer. */
  private static final int NEIGHBOUR_NGRAMS = 4;

  /** Passes between the two ends that meet of neighbouring runs. */
  private static final int LEAD = 2;

  private Presets() {}

  /** A model that samples a row in at most so many network calls, with a network to match. */
  public static Architecture within(int passes, Space space) {
    if (!space.isUniform() || space.size() < SEQUENCE) {
      return within(passes, space, new Made(Math.max(256, 4 * space.size()), 2));
    }
    Transformer sizes = new Transformer(256, 6, 8, 1024);
    return within(passes, space, passes < space.size() ? sizes.withNgrams() : sizes);
  }

  /**
   * A model that samples a row in at most so many network calls.
   *
   * <ul>
   *   <li>As many passes as positions, or more: autoregressive.
   *   <li>Fewer: groups of positions in growing runs, of pairs where the alphabet is small enough.
   *       For a Transformer in patches of a few of them, in runs from left to right as long as
   *       there are passes. A third of its layers then predicts symbols, behind the others, which
   *       read patches; its n-grams become those of both.
   *   <li>One: a layer that sorts every other symbol by what it sees of the rest, or pairs of them.
   * </ul>
   *
   * <p>A mixture with n-grams is of symbols that are not paired, and its network is then what would
   * be chosen for them. One pass has no use for n-grams.
   *
   * <p>Train it by {@link Architecture#defaultObjective}.
   *
   * @param passes at least 1
   * @param space of the data
   * @param network a Transformer, for a long text one with n-grams, or Made for tables; or a
   *     mixture of one of them with counted n-grams
   */
  public static Architecture within(int passes, Space space, Network network) {
    if (network instanceof NgramMixture mixture) {
      return within(passes, space, mixture);
    }
    return within(
        passes, space, network, canPair(space) && space.size() / 2 >= Math.max(2, passes));
  }

  private static Architecture within(int passes, Space space, NgramMixture mixture) {
    if (passes == 1) {
      return within(passes, space, mixture.network());
    }
    Architecture alone = within(passes, space, mixture.network(), false);
    Base base =
        alone.base() instanceof GroupBase chosen
            ? new GroupBase(chosen.groups(), mixture.with(chosen.network()))
            : new AutoregressiveBase(Order.natural(space.size()), mixture);
    return Architecture.of(space, base);
  }

  private static Architecture within(int passes, Space space, Network network, boolean paired) {
    if (passes < 1) {
      throw new IllegalArgumentException("passes must be at least 1, but is " + passes);
    }
    if (passes >= space.size()) {
      return Architecture.of(space, new AutoregressiveBase(Order.natural(space.size()), network));
    }
    int positions = paired ? space.size() / 2 : space.size();
    List<Layer> layers = new ArrayList<>();
    if (passes == 1) {
      layers.add(new Bipartite(Mask.even(positions), withoutNgrams(network), new Permute()));
    }
    if (paired) {
      layers.add(new Pack(2));
    }
    Base base = passes == 1 ? new FactorizedBase() : groups(passes, positions, space, network);
    return new Architecture(space, Space.NONE, base, layers);
  }

  private static Base groups(int passes, int positions, Space space, Network network) {
    int letters = space.size() / positions;
    if (network instanceof Transformer sizes && space.isUniform() && passes < positions) {
      int patch = patch(passes, positions, letters, space.maxCardinality());
      if (patch > 1) {
        return patches(passes, positions, letters, patch, sizes);
      }
    }
    return new GroupBase(
        Groups.growing(positions, passes, LEAD),
        space.isUniform() ? network : withoutNgrams(network));
  }

  private static Network withoutNgrams(Network network) {
    return network instanceof Transformer sizes ? sizes.withNgrams(0) : network;
  }

  /**
   * How many positions make a patch: as few as leave the fewest runs that begin with nothing to go
   * by; but several, because a shorter sequence learns more in the same time. 1 where none divides
   * them, or the alphabet is too large.
   *
   * @param letters of a position
   * @param alphabet how many letters there are
   */
  private static int patch(int passes, int positions, int letters, int alphabet) {
    int best = 1;
    int fewest = Integer.MAX_VALUE;
    for (int patch = MIN_PATCH / letters; patch <= MAX_PATCH / letters; patch *= 2) {
      long symbols = patch * Math.round(Math.pow(alphabet, letters)); // at all places
      int runs = runs(passes, positions / patch);
      boolean fits = positions % patch == 0 && positions / patch >= 2 && symbols <= MAX_SYMBOLS;
      if (fits && runs < fewest) {
        best = patch;
        fewest = runs;
      }
    }
    return best;
  }

  private static int runs(int passes, int tokens) {
    return (tokens + passes - 1) / passes;
  }

  /**
   * Groups of patches under a Transformer whose layers patches and symbols share.
   *
   * <p>All runs go from left to right. Runs that grow at both ends are fewer, but a network must
   * then learn to write a patch towards what follows it as well, and has learned less of both.
   */
  private static Base patches(
      int passes, int positions, int letters, int patch, Transformer sizes) {
    int tokens = positions / patch;
    Groups groups = Groups.blocks(tokens, Math.min(passes, tokens));
    int gram = Math.max(1, MIN_PATCH / letters);
    int shallow = (sizes.layers() + LAYERS_TO_ONE_OF_SYMBOLS - 1) / LAYERS_TO_ONE_OF_SYMBOLS;
    Transformer trunk = sizes.withLayers(Math.max(1, sizes.layers() - shallow)).withNgrams(0);
    int ngrams = Primes.atMost(sizes.ngrams() / NEIGHBOUR_NGRAMS);
    return new GroupBase(
        groups.inPatches(patch),
        new PatchTransformer(trunk, patch, ngrams, gram, sizes.withLayers(shallow)));
  }

  private static boolean canPair(Space space) {
    return space.size() % 2 == 0
        && IntStream.range(0, space.size() / 2)
            .allMatch(
                pair ->
                    (long) space.cardinality(2 * pair) * space.cardinality(2 * pair + 1)
                        <= MAX_COMBINATIONS);
  }
}
