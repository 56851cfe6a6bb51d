package io.ringflow.testing;

import static io.ringflow.testing.Zoo.specimen;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Shift;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.testing.Zoo.Setting;
import io.ringflow.testing.Zoo.Specimen;
import io.ringflow.train.WarmStart;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Specimens of the {@link Zoo} that mix counted n-grams with a network. */
public final class NgramZoo {
  private NgramZoo() {}

  /** Contexts on one side and on both, with room for all of them and for few. */
  public static Stream<Specimen> all() {
    return Stream.of(
        specimen(
            new Setting(Space.uniform(5, 3), Space.NONE),
            new AutoregressiveBase(Order.natural(5), new NgramMixture(new Lstm(4, 5, 1), 2, 100))),
        specimen(
            new Setting(Space.uniform(6, 2), Space.of(3)),
            new GroupBase(Groups.growing(6, 3), new NgramMixture(new Made(9, 1), 3, 7))),
        specimen(
            new Setting(Space.uniform(6, 2), Space.NONE),
            new GroupBase(
                Groups.growing(3, 2).inPatches(2),
                new NgramMixture(
                    new PatchTransformer(
                        new Transformer(8, 1, 2, 8), 2, 3, 2, new Transformer(6, 1, 2, 8)),
                    4,
                    30))),
        specimen(
            new Setting(Space.uniform(4, 4), Space.NONE),
            new AutoregressiveBase(
                Order.reversed(4), new NgramMixture(new LookupTable(0).sharingRows(), 3, 60)),
            new Bipartite(Mask.odd(4), new Made(9, 1), new Shift())),
        specimen(
            new Setting(Space.uniform(6, 2), Space.NONE),
            new GroupBase(
                Groups.midpoints(3), new NgramMixture(new Transformer(8, 1, 2, 8), 1, 11)),
            new Pack(2)),
        specimen(
            new Setting(Space.uniform(7, 2), Space.NONE),
            new AutoregressiveBase(
                Order.natural(7),
                new NgramMixture(new Lstm(4, 5, 1), 2, 60).withWords(List.of(1)))),
        specimen(
            new Setting(Space.uniform(6, 3), Space.NONE),
            new GroupBase(
                Groups.blocks(6, 3),
                new NgramMixture(new Made(9, 1), 1, 40).withWords(List.of(0, 2)))));
  }

  /**
   * Counts rows for a model that has statistics, always the same; some symbols are more frequent
   * than others.
   */
  static void count(FlowModel model) {
    if (Models.weights(model).statistics().isEmpty()) {
      return;
    }
    Space space = model.architecture().space();
    var random = new SplittableRandom(5);
    int[][] rows = new int[40][space.size()];
    for (int[] row : rows) {
      Arrays.setAll(row, d -> Math.min(random.nextInt(space.cardinality(d)), random.nextInt(5)));
    }
    Space condition = model.architecture().condition();
    int[][] choices = condition.enumerate();
    int[][] conditions = new int[condition.size() == 0 ? 0 : rows.length][];
    Arrays.setAll(conditions, i -> choices[i % choices.length]);
    WarmStart.fitBase(model, rows, conditions);
  }
}
