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
import io.ringflow.network.Made;
import io.ringflow.testing.Zoo.Setting;
import io.ringflow.testing.Zoo.Specimen;
import java.util.List;
import java.util.stream.Stream;

/** Specimens of the {@link Zoo} with networks of symbols that lie on a scale. */
final class OrderedZoo {
  private OrderedZoo() {}

  /** Bases, and layers on one of them; a symbol lies nowhere on its scale. */
  static Stream<Specimen> all() {
    List<List<Double>> scales =
        List.of(List.of(0.1, 0.35, 0.6, 0.9), List.of(), List.of(0.55, 0.2, -1.0, 0.5, 0.95));
    Setting setting = new Setting(Space.of(4, 3, 5), Space.of(2));
    Made one = new Made(9, 1, List.of(), scales);
    Made two = new Made(12, 2, Zoo.EVERYBODY, scales);
    return Stream.of(
        specimen(setting, new AutoregressiveBase(Zoo.rotated(3), two)),
        specimen(setting, new GroupBase(Groups.cut(Order.reversed(3), 1, 2), one)),
        specimen(
            setting,
            new AutoregressiveBase(Order.of(2, 0, 1), one),
            new Bipartite(Mask.even(3), two, new Shift()),
            new Bipartite(Mask.odd(3), one, new ShiftScale()),
            new Autoregressive(Zoo.rotated(3), one, new Shift())));
  }
}
