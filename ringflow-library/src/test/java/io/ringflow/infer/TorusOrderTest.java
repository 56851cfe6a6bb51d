package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Groups;
import io.ringflow.core.Torus;
import io.ringflow.network.TorusMade;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TorusOrderTest {
  private static final List<Torus> ALL =
      List.of(
          Torus.of(2),
          Torus.of(12),
          Torus.of(4, 4),
          Torus.of(3, 6),
          Torus.of(8, 8),
          Torus.of(5, 5),
          Torus.of(2, 3, 4));

  /** All that is before a group looks the same from each of its positions. */
  @Test
  void positionsOfAGroupSeeTheSame() {
    for (Torus torus : ALL) {
      TorusOrder order = new TorusOrder(torus);
      for (int passes = order.fewestPasses(); passes <= torus.size(); passes++) {
        Groups groups = order.groups(passes).orElseThrow();
        assertThat(groups.positions()).isEqualTo(torus.size());
        assertThat(groups.count()).isLessThanOrEqualTo(passes);
        int before = 0;
        for (int group = 0; group < groups.count(); group++) {
          assertThat(TorusMade.known(torus, groups).get(group))
              .as("%s in %d passes, group %d", torus, passes, group)
              .hasSize(before);
          before += groups.groups().get(group).size();
        }
      }
      assertThat(order.groups(order.fewestPasses() - 1)).isEqualTo(Optional.empty());
    }
  }

  @Test
  void passesAreUsed() {
    TorusOrder square = new TorusOrder(Torus.of(8, 8), List.of(1, 7, 8, 56));
    assertThat(square.fewestPasses()).isEqualTo(7);
    assertThat(square.goodPasses()).isEqualTo(14);
    for (int passes = 7; passes <= 64; passes++) {
      assertThat(square.groups(passes).orElseThrow().count()).isEqualTo(passes);
    }
    assertThat(sizes(square, 7)).containsExactly(1, 1, 2, 4, 8, 16, 32);
    assertThat(sizes(square, 10)).containsExactly(1, 1, 1, 1, 2, 2, 8, 8, 8, 32);
    // Of unknown neighbours, the last half is split like the others.
    TorusOrder unknown = new TorusOrder(Torus.of(8, 8));
    assertThat(unknown.goodPasses()).isEqualTo(16);
    assertThat(sizes(unknown, 10)).containsExactly(1, 1, 1, 1, 2, 2, 8, 16, 16, 16);
    assertThat(sizes(new TorusOrder(Torus.of(8, 8), List.of(2, 6)), 10))
        .isEqualTo(sizes(unknown, 10));
    // Where a level is of three parts, a pass may be left over.
    TorusOrder thirds = new TorusOrder(Torus.of(9));
    assertThat(sizes(thirds, 5)).containsExactly(1, 1, 1, 3, 3);
    assertThat(sizes(thirds, 6)).containsExactly(1, 1, 1, 3, 3);
    assertThat(sizes(thirds, 7)).containsExactly(1, 1, 1, 1, 1, 1, 3);
  }

  private static List<Integer> sizes(TorusOrder order, int passes) {
    return order.groups(passes).orElseThrow().groups().stream().map(List::size).toList();
  }

  /** The last pass of an even lattice loses nothing: its positions are no neighbours. */
  @Test
  void theLastHalfOfALatticeIsIndependent() {
    for (int side : new int[] {4, 6, 8}) {
      List<List<Integer>> neighbours = SpinModels.ising(Lattice.torus(side), 1, 1, 0).neighbours();
      TorusOrder order = new TorusOrder(Torus.of(side, side), neighbours.get(0));
      Groups groups = order.groups(order.goodPasses()).orElseThrow();
      Set<Integer> last = new HashSet<>(groups.groups().get(groups.count() - 1));
      assertThat(last).hasSize(side * side / 2);
      assertThat(last)
          .allSatisfy(site -> assertThat(neighbours.get(site)).noneMatch(last::contains));
    }
  }
}
