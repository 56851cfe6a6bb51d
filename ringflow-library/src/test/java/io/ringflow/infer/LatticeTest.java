package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LatticeTest {
  @Test
  void openEdges() {
    assertThat(new Lattice(2, 3, false).edges())
        .containsExactlyInAnyOrder(
            new Edge(0, 1),
            new Edge(1, 2),
            new Edge(3, 4),
            new Edge(4, 5),
            new Edge(0, 3),
            new Edge(1, 4),
            new Edge(2, 5));
  }

  @Test
  void periodicEdgesJoinEachPairOnceAndEachSiteToFour() {
    Lattice lattice = new Lattice(3, 4, true);
    Set<Set<Integer>> pairs = new HashSet<>();
    int[] degree = new int[lattice.sites()];
    for (Edge edge : lattice.edges()) {
      assertThat(pairs.add(Set.of(edge.first(), edge.second()))).as("%s", edge).isTrue();
      degree[edge.first()]++;
      degree[edge.second()]++;
      int dx = Math.floorMod(edge.first() % 4 - edge.second() % 4, 4);
      int dy = Math.floorMod(edge.first() / 4 - edge.second() / 4, 3);
      assertThat((dx == 0 && dy != 0) || (dy == 0 && (dx == 1 || dx == 3))).isTrue();
    }
    assertThat(degree).containsOnly(4);
  }

  @Test
  void aPeriodicSideOfTwoJoinsTwice() {
    List<Set<Integer>> pairs = new ArrayList<>();
    new Lattice(1, 2, true).edges().forEach(e -> pairs.add(Set.of(e.first(), e.second())));
    assertThat(pairs).containsExactly(Set.of(0, 1), Set.of(0, 1));
    assertThat(Lattice.torus(2).edges()).hasSize(8);
  }

  @Test
  void aSideOfOneJoinsNothing() {
    assertThat(Lattice.torus(1).edges()).isEmpty();
    assertThat(new Lattice(1, 3, true).edges())
        .containsExactlyInAnyOrder(new Edge(0, 1), new Edge(1, 2), new Edge(2, 0));
  }

  @Test
  void impossibleLatticesAndEdgesAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Lattice(0, 3, true))
        .withMessage("rows must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Lattice(100_000, 100_000, true))
        .withMessage("a lattice of 100000 x 100000 sites is too large");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Edge(3, 3))
        .withMessage("an edge must join two positions, but joins 3 with itself");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Edge(3, -1))
        .withMessage("an edge's position must be at least 0, but is -1");
  }
}
