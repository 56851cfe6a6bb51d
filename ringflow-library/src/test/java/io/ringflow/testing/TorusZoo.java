package io.ringflow.testing;

import static io.ringflow.testing.Zoo.specimen;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.network.Made;
import io.ringflow.network.TorusMade;
import io.ringflow.testing.Zoo.Setting;
import io.ringflow.testing.Zoo.Specimen;
import java.util.List;
import java.util.stream.Stream;

/** Specimens of the {@link Zoo} whose positions lie on a torus and share their weights. */
final class TorusZoo {
  private TorusZoo() {}

  /** A ring, and a square with a condition under a layer. */
  static Stream<Specimen> all() {
    Torus ring = Torus.of(6);
    Groups thirds = new Groups(List.of(List.of(0, 3), List.of(4, 1), List.of(2, 5)));
    Torus square = Torus.of(2, 2);
    Groups growing = new Groups(List.of(List.of(1), List.of(2), List.of(0, 3)));
    return Stream.of(
        specimen(
            new Setting(Space.uniform(6, 2), Space.NONE),
            new GroupBase(
                thirds,
                new TorusMade(
                    ring, List.of(5, 5, 0), List.of(List.of(), List.of(5, 2), List.of(1, 5))))),
        specimen(
            new Setting(Space.uniform(4, 3), Space.of(2)),
            new GroupBase(growing, TorusMade.of(square, growing, 4, 4)),
            new Bipartite(Mask.even(4), new Made(9, 1), new Shift())));
  }
}
