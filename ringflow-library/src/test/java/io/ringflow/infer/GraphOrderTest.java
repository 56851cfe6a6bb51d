package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Groups;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GraphOrderTest {
  private static List<List<Integer>> torus(int side) {
    List<List<Integer>> neighbours = new ArrayList<>();
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        neighbours.add(
            List.of(
                row * side + (column + 1) % side,
                row * side + (column + side - 1) % side,
                (row + 1) % side * side + column,
                (row + side - 1) % side * side + column));
      }
    }
    return neighbours;
  }

  @Test
  void theLastPassTakesHalfOfALatticeAndLosesNothing() {
    for (int side : new int[] {4, 8, 16}) {
      List<List<Integer>> neighbours = torus(side);
      Groups groups = new GraphOrder(neighbours).groups(Math.min(16, side * 2));
      List<Integer> last = groups.groups().get(groups.count() - 1);
      assertThat(groups.count()).isEqualTo(Math.min(16, side * 2));
      assertThat(last).hasSize(side * side / 2);
      assertThat(last).noneMatch(one -> neighbours.get(one).stream().anyMatch(last::contains));
      List<Integer> sizes = groups.groups().stream().map(List::size).toList();
      assertThat(sizes).isSorted();
    }
  }

  @Test
  void anyGraphInAnyNumberOfPasses() {
    SplittableRandom random = new SplittableRandom(1);
    for (int positions = 1; positions <= 12; positions++) {
      List<List<Integer>> neighbours = RandomGraphs.of(positions, 0, random.split()).neighbours();
      for (int passes = 1; passes <= positions; passes++) {
        Groups groups = new GraphOrder(neighbours).groups(passes);
        assertThat(groups.count()).isEqualTo(passes);
        assertThat(groups.positions()).isEqualTo(positions);
      }
    }
  }

  @Test
  void sizesGrowAndSumUp() {
    for (int sum = 1; sum <= 40; sum++) {
      for (int count = 1; count <= sum; count++) {
        int[] sizes = GraphOrder.growing(sum, count);
        assertThat(sizes).hasSize(count);
        assertThat(Arrays.stream(sizes).sum()).isEqualTo(sum);
        assertThat(Arrays.stream(sizes).min().orElseThrow()).isPositive();
      }
    }
    assertThat(GraphOrder.growing(128, 15)).isSorted();
  }
}
