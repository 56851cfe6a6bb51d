package io.ringflow.testing;

import static io.ringflow.testing.Zoo.specimen;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.network.LogLinearMade;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.testing.Zoo.Setting;
import io.ringflow.testing.Zoo.Specimen;
import java.util.List;
import java.util.stream.Stream;

/** Specimens of the {@link Zoo} whose symbols are predicted in patches, or packed. */
final class PatchZoo {
  private PatchZoo() {}

  /** Patches in groups, under a layer, and a single one; packed symbols by their digits. */
  static Stream<Specimen> all() {
    return Stream.of(
        specimen(
            new Setting(Space.uniform(6, 2), Space.NONE),
            new GroupBase(
                Groups.growing(3, 2).inPatches(2),
                new PatchTransformer(
                    new Transformer(8, 1, 2, 8), 2, 3, 2, new Transformer(6, 1, 2, 8)))),
        specimen(
            new Setting(Space.uniform(4, 3), Space.of(2, 3)),
            new AutoregressiveBase(
                Order.natural(4),
                new PatchTransformer(
                    new Transformer(8, 2, 2, 12), 2, 0, 1, new Transformer(8, 2, 2, 6))),
            new Bipartite(Mask.even(4), new Made(9, 1), new ShiftScale())),
        specimen(
            new Setting(Space.uniform(3, 4), Space.NONE),
            new AutoregressiveBase(
                Order.natural(3),
                new PatchTransformer(
                    new Transformer(8, 1, 2, 8), 3, 5, 2, new Transformer(8, 1, 2, 8))),
            new Autoregressive(Order.natural(3), new LookupTable(), new Shift())),
        // N-grams of neighbours: on both sides of patches, and of what comes before.
        specimen(
            new Setting(Space.uniform(6, 2), Space.of(2)),
            new GroupBase(
                Groups.growing(3, 2).inPatches(2),
                new PatchTransformer(
                    new Transformer(8, 1, 2, 8), 2, 3, 2, new Transformer(6, 1, 2, 8, 7)))),
        specimen(
            new Setting(Space.uniform(5, 3), Space.NONE),
            new AutoregressiveBase(Order.natural(5), new Transformer(6, 1, 2, 8, 13)),
            new Bipartite(Mask.odd(5), new Made(9, 1), new Shift())),
        // As large lattices are modelled: blocks of positions as one symbol, by its digits.
        specimen(
            new Setting(Space.uniform(6, 2), Space.of(3)),
            new GroupBase(
                Groups.cut(Order.of(2, 0, 1), 1, 2),
                new LogLinearMade(
                    7, List.of(2, 2), 2, List.of(List.of(1), List.of(2), List.of(0, 1)))),
            new Pack(2),
            new Reorder(Order.of(3, 0, 5, 1, 4, 2))),
        specimen(
            new Setting(Space.uniform(2, 6), Space.NONE),
            new AutoregressiveBase(Order.natural(2), new LogLinearMade(5, List.of(3, 2), 1)),
            new Bipartite(Mask.odd(2), new Made(9, 1), new ShiftScale())));
  }
}
