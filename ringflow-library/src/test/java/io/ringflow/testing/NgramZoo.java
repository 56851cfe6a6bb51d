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
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.testing.Zoo.Setting;
import io.ringflow.testing.Zoo.Specimen;
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
            new Pack(2)));
  }
}
