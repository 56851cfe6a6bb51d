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
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.testing.Zoo.Setting;
import io.ringflow.testing.Zoo.Specimen;
import java.util.stream.Stream;

/** Specimens of the {@link Zoo} whose symbols are predicted in patches. */
final class PatchZoo {
  private PatchZoo() {}

  /** In groups, under a layer, and in a single patch. */
  static Stream<Specimen> all() {
    return Stream.of(
        specimen(
            new Setting(Space.uniform(6, 2), Space.NONE),
            new GroupBase(
                Groups.growing(3, 2).inPatches(2),
                new PatchTransformer(new Transformer(8, 1, 2, 8), 2, 3, 6, 1, 8))),
        specimen(
            new Setting(Space.uniform(4, 3), Space.of(2, 3)),
            new AutoregressiveBase(
                Order.natural(4),
                new PatchTransformer(new Transformer(8, 2, 2, 12), 2, 0, 8, 2, 6)),
            new Bipartite(Mask.even(4), new Made(9, 1), new ShiftScale())),
        specimen(
            new Setting(Space.uniform(3, 4), Space.NONE),
            new AutoregressiveBase(
                Order.natural(3), new PatchTransformer(new Transformer(8, 1, 2, 8), 3, 0, 8, 1, 8)),
            new Autoregressive(Order.natural(3), new LookupTable(), new Shift())));
  }
}
