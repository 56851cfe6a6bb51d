package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GraphBlocksTest {
  private static List<List<Integer>> torus(int side) {
    return SpinModels.ising(Lattice.torus(side), 1, 1, 0).neighbours();
  }

  @Test
  void latticesFallIntoRectangles() {
    List<List<Integer>> edges = torus(8);
    GraphBlocks pairs = GraphBlocks.singles(edges).paired(edges).orElseThrow();
    GraphBlocks squares = pairs.paired(edges).orElseThrow();
    GraphBlocks rectangles = squares.paired(edges).orElseThrow();
    assertThat(pairs.blocks().get(0)).containsExactly(0, 1);
    assertThat(squares.blocks().get(0)).containsExactly(0, 1, 8, 9);
    assertThat(rectangles.blocks().get(0)).containsExactly(0, 1, 8, 9, 2, 3, 10, 11);
    assertThat(rectangles.blocks()).hasSize(8).allMatch(block -> block.size() == 8);
    assertThat(rectangles.blocks().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 64).boxed().toList());
    // Four rows of two: each has one beside it, on both sides, one above and one below.
    assertThat(rectangles.neighbours()).allMatch(others -> others.size() == 3);
  }

  @Test
  void noBlockIsLeftAlone() {
    List<List<Integer>> star = List.of(List.of(1, 2, 3), List.of(0), List.of(0), List.of(0));
    assertThat(GraphBlocks.singles(star).paired(star)).isEmpty();
    List<List<Integer>> path = List.of(List.of(1), List.of(0, 2), List.of(1));
    assertThat(GraphBlocks.singles(path).paired(path)).isEmpty();
  }
}
