package io.ringflow.internal.fit;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Precision;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How a model's symbols depend on one or two earlier ones, its parents: averages of what the model
 * itself says of them, over rows sampled from it. So no data are needed, and a symbol's rare values
 * are known better than by counting.
 *
 * <p>Parents are those that the network has direct tables for; of a model without such tables
 * nothing is known. Immutable once made.
 */
public final class ParentTables {
  private static final int ROWS = 4096;
  private static final int CHUNK = 1024;
  private static final long SEED = 1;

  /** Rows that a coarser average counts for where a finer one is of few. */
  private static final double SMOOTHING = 0.5;

  private final Space turns;
  private final Child[] children; // by turn; null where nothing is known

  private ParentTables(Space turns, Child[] children) {
    this.turns = turns;
    this.children = children;
  }

  /**
   * A turn that has parents.
   *
   * @param parents one or two earlier turns, ascending, in different groups
   * @param byParent for each parent {@code [its symbols][symbols]}
   * @param byBoth {@code [symbols of both][symbols]}, null where never sampled; empty for one
   *     parent
   * @param parentShares for each parent how often its symbols were sampled
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Child(int[] parents, float[][][] byParent, float[][] byBoth, double[][] parentShares) {}

  /** Samples rows of an unconditional model, and averages. */
  public static ParentTables of(Conditionals conditionals, Base base) {
    Space turns = conditionals.turns();
    int[][] parents = parents(conditionals, base);
    Sums[] sums = new Sums[parents.length];
    boolean any = false;
    for (int turn = 0; turn < sums.length; turn++) {
      if (parents[turn].length > 0) {
        sums[turn] = new Sums(turn, parents[turn], turns);
        any = true;
      }
    }
    if (any) {
      var random = new SplittableRandom(SEED);
      for (int done = 0; done < ROWS; done += CHUNK) {
        sample(conditionals, sums, random);
      }
    }
    return new ParentTables(
        turns,
        Arrays.stream(sums).map(own -> own == null ? null : own.child()).toArray(Child[]::new));
  }

  /** The parents of each turn, by turns: of several groups of parents the first. */
  private static int[][] parents(Conditionals conditionals, Base base) {
    Network network =
        base instanceof GroupBase group
            ? group.network()
            : base instanceof AutoregressiveBase one ? one.network() : null;
    int size = conditionals.turns().size();
    int[][] parents = new int[size][0];
    if (!(network instanceof Made made)) {
      return parents;
    }
    int[] turnOf = new int[size];
    for (int turn = 0; turn < size; turn++) {
      turnOf[conditionals.position(turn)] = turn;
    }
    int[] group = groups(conditionals);
    for (int turn = 0; turn < size; turn++) {
      int position = conditionals.position(turn);
      List<List<Integer>> direct =
          position < made.direct().size() ? made.direct().get(position) : List.of();
      int own = group[turn];
      parents[turn] =
          direct.stream()
              .limit(1)
              .flatMap(List::stream)
              .filter(parent -> parent < size)
              .mapToInt(parent -> turnOf[parent])
              .filter(parent -> group[parent] < own)
              .sorted()
              .distinct()
              .toArray();
      if (parents[turn].length == 2 && group[parents[turn][0]] == group[parents[turn][1]]) {
        parents[turn] = new int[] {parents[turn][0]}; // neither could know of the other
      }
    }
    return parents;
  }

  private static int[] groups(Conditionals conditionals) {
    int[] starts = conditionals.groupStarts();
    int[] group = new int[conditionals.turns().size()];
    for (int g = 0; g + 1 < starts.length; g++) {
      Arrays.fill(group, starts[g], starts[g + 1], g);
    }
    return group;
  }

  private static void sample(Conditionals conditionals, Sums[] sums, SplittableRandom random) {
    int[][] rows = new int[CHUNK][sums.length];
    int groups = conditionals.groupStarts().length - 1;
    conditionals.chooseFirst(
        CHUNK,
        groups,
        SamplingOptions.DEFAULTS.withPrecision(Precision.FLOAT32),
        (group, chosen) -> {
          for (int row = 0; row < CHUNK; row++) {
            for (int i = 0; i < group.turns(); i++) {
              int turn = group.from() + i;
              int at = group.at(row, turn);
              int symbols = conditionals.turns().cardinality(turn);
              if (sums[turn] != null) {
                sums[turn].add(rows[row], group.probabilities(), at);
              }
              int symbol = pick(group.probabilities(), at, symbols, random.nextDouble());
              chosen[row * group.turns() + i] = symbol;
              rows[row][turn] = symbol; // parents are of earlier groups
            }
          }
        });
  }

  private static int pick(double[] probabilities, int from, int symbols, double uniform) {
    double left = uniform;
    for (int k = 0; k < symbols - 1; k++) {
      left -= probabilities[from + k];
      if (left < 0) {
        return k;
      }
    }
    return symbols - 1;
  }

  Space turns() {
    return turns;
  }

  /** What is known of a turn; null where it has no parents. */
  Child child(int turn) {
    return children[turn];
  }

  /** Sums of probabilities for each symbol of each parent, and for both. */
  private static final class Sums {
    private final int symbols;
    private final int[] parents;
    private final int[] sizes;
    private final float[][][] byParent;
    private final float[][] byBoth;
    private final double[][] counts; // of each parent's symbols
    private final double[] bothCounts;

    Sums(int turn, int[] parents, Space turns) {
      this.symbols = turns.cardinality(turn);
      this.parents = parents;
      this.sizes = Arrays.stream(parents).map(turns::cardinality).toArray();
      this.byParent = new float[parents.length][][];
      this.counts = new double[parents.length][];
      for (int j = 0; j < parents.length; j++) {
        byParent[j] = new float[sizes[j]][symbols];
        counts[j] = new double[sizes[j]];
      }
      int combinations = parents.length == 2 ? Math.multiplyExact(sizes[0], sizes[1]) : 0;
      this.byBoth = new float[combinations][];
      this.bothCounts = new double[combinations];
    }

    void add(int[] row, double[] probabilities, int from) {
      for (int j = 0; j < parents.length; j++) {
        int symbol = row[parents[j]];
        counts[j][symbol]++;
        add(byParent[j][symbol], probabilities, from);
      }
      if (byBoth.length > 0) {
        int both = row[parents[0]] * sizes[1] + row[parents[1]];
        bothCounts[both]++;
        if (byBoth[both] == null) {
          byBoth[both] = new float[symbols];
        }
        add(byBoth[both], probabilities, from);
      }
    }

    private void add(float[] sum, double[] probabilities, int from) {
      for (int k = 0; k < symbols; k++) {
        sum[k] += (float) probabilities[from + k];
      }
    }

    Child child() {
      float[] overall = new float[symbols];
      double[] all = new double[symbols];
      for (float[] row : byParent[0]) {
        for (int k = 0; k < symbols; k++) {
          all[k] += row[k];
        }
      }
      for (int k = 0; k < symbols; k++) {
        overall[k] = (float) (all[k] / ROWS);
      }
      double[][] shares = new double[parents.length][];
      for (int j = 0; j < parents.length; j++) {
        for (int symbol = 0; symbol < sizes[j]; symbol++) {
          smooth(byParent[j][symbol], counts[j][symbol], overall);
        }
        shares[j] = Arrays.stream(counts[j]).map(count -> count / ROWS).toArray();
      }
      for (int both = 0; both < byBoth.length; both++) {
        if (byBoth[both] != null) {
          smooth(byBoth[both], bothCounts[both], byParent[0][both / sizes[1]]);
        }
      }
      return new Child(parents, byParent, byBoth, shares);
    }

    private static void smooth(float[] sum, double count, float[] coarser) {
      for (int k = 0; k < sum.length; k++) {
        sum[k] = (float) ((sum[k] + SMOOTHING * coarser[k]) / (count + SMOOTHING));
      }
    }
  }
}
