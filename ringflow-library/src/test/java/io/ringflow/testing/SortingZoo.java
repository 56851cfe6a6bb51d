package io.ringflow.testing;

import static io.ringflow.testing.Zoo.EVERYBODY;
import static io.ringflow.testing.Zoo.rotated;
import static io.ringflow.testing.Zoo.settings;
import static io.ringflow.testing.Zoo.singles;
import static io.ringflow.testing.Zoo.specimen;

import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.TopTwo;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.testing.Zoo.Setting;
import io.ringflow.testing.Zoo.Specimen;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Specimens of the {@link Zoo} whose layers learn as classifiers. */
public final class SortingZoo {
  private SortingZoo() {}

  /** Those with layers that sort, wholly or the first two, which learn as classifiers. */
  static Stream<Specimen> all() {
    List<Specimen> found = new ArrayList<>();
    for (Setting setting : settings()) {
      for (Network network :
          List.of(
              new LookupTable(),
              new Made(9, 2, EVERYBODY),
              new Lstm(4, 5, 1),
              new Transformer(8, 2, 2, 12))) {
        found.addAll(singles(setting, network, new Permute()));
      }
    }
    Stream<Specimen> topTwo =
        settings().stream()
            .flatMap(setting -> singles(setting, new Made(9, 1), new TopTwo()).stream());
    return Stream.concat(Stream.concat(found.stream(), stacks()), topTwo);
  }

  /** Layers that sort over one another, over other maps, and on both sides of a packing. */
  public static Stream<Specimen> stacks() {
    Setting bits = new Setting(Space.uniform(6, 2), Space.of(3));
    Setting mixed = new Setting(Space.of(2, 3, 4, 1), Space.NONE);
    return Stream.concat(
        settings().stream().map(SortingZoo::stack),
        Stream.of(
            specimen(
                bits,
                new GroupBase(Groups.growing(3, 2), new Transformer(8, 1, 2, 8)),
                new Autoregressive(Order.reversed(3), new Made(9, 1), new Permute()),
                new Pack(2),
                new Bipartite(Mask.odd(6), new LookupTable(1), new Permute())),
            specimen(
                mixed,
                new FactorizedBase(),
                new Bipartite(Mask.even(2), new LookupTable(), new Permute()),
                Chain.of(new Pack(2), new Reorder(rotated(4))),
                new Bipartite(Mask.even(4), new Made(9, 1), new Permute()))));
  }

  private static Specimen stack(Setting setting) {
    int size = setting.size();
    return specimen(
        setting,
        new GroupBase(Groups.blocks(size, 2), new Made(9, 1)),
        new Bipartite(Mask.odd(size), new Made(9, 1), new Permute()),
        new Bipartite(Mask.even(size), new LookupTable(1), new Shift()),
        new Reorder(rotated(size)),
        new Autoregressive(rotated(size), new Made(9, 1), new Permute()));
  }
}
