package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
final class TorusMadeTest {
  private static final Torus RING = Torus.of(6);
  private static final Groups THIRDS =
      new Groups(List.of(List.of(0, 3), List.of(4, 1), List.of(2, 5)));

  private static final List<Integer> UNITS = List.of(2, 0, 3);

  @Test
  void positionsSeeWhatAllOfTheirGroupKnow() {
    assertThat(TorusMade.known(RING, THIRDS))
        .containsExactly(List.of(), List.of(5, 2), List.of(1, 5, 2, 4));
    // 0 has nothing to its right, 4 has nothing known at offset 3.
    Groups uneven = new Groups(List.of(List.of(3), List.of(0, 4), List.of(1, 2, 5)));
    assertThat(TorusMade.known(RING, uneven)).containsExactly(List.of(), List.of(), List.of());
    assertThat(TorusMade.of(RING, THIRDS, 4, 1).seen())
        .containsExactly(List.of(), List.of(5), List.of(1));
  }

  /** Turning a row by three positions, which leaves the groups as they are, changes nothing. */
  @Test
  void translationsOfTheGroupsAreASymmetry() {
    Space space = Space.uniform(6, 3);
    Architecture architecture =
        Architecture.of(space, new GroupBase(THIRDS, TorusMade.of(RING, THIRDS, 5, 6)));
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] rows = space.enumerate();
      double[] own = model.logProb(rows);
      assertThat(model.logProb(turned(rows, 3))).containsExactly(own, Offset.offset(1e-12));
      double[] byOne = model.logProb(turned(rows, 1));
      double largest =
          IntStream.range(0, rows.length)
              .mapToDouble(i -> Math.abs(byOne[i] - own[i]))
              .max()
              .orElseThrow();
      assertThat(largest).as("turned by one position, it is another").isGreaterThan(0.1);
    }
  }

  private static int[][] turned(int[][] rows, int by) {
    int[][] turned = new int[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      int[] row = rows[i];
      turned[i] = IntStream.range(0, row.length).map(d -> row[RING.at(d, by)]).toArray();
    }
    return turned;
  }

  @Test
  void sizesMustMakeSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TorusMade(RING, List.of(-1), List.of(List.of())))
        .withMessage("hidden must be at least 0, but is -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TorusMade(RING, List.of(4), List.of()))
        .withMessage("hidden and seen must be of as many groups, but are of 1 and 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TorusMade(RING, List.of(4), List.of(List.of(6))))
        .withMessage("offsets in seen must be in 0..5, but is 6");
    TorusMade made = TorusMade.of(RING, THIRDS, 4, 6);
    Space space = Space.uniform(6, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> made.causal(Space.uniform(8, 3), THIRDS, Space.NONE, 3))
        .withMessage("a torus of sides [6] has 6 positions, but there are 8");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> made.causal(space, THIRDS, Space.NONE, 4))
        .withMessageStartingWith(
            "a network for a torus has a logit for each symbol, the same ones everywhere, but is"
                + " asked for 4 logits of ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> made.causal(space, Groups.blocks(6, 2), Space.NONE, 3))
        .withMessage("seen is of 3 groups, but there are 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new TorusMade(RING, UNITS, List.of(List.of(), List.of(3), List.of()))
                    .causal(space, THIRDS, Space.NONE, 3))
        .withMessage(
            "position 1 of group 1 sees position 4, at offset 3, which is of group 1: not before"
                + " it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> made.bipartite(space, Mask.even(6), Space.NONE, 3))
        .withMessageContaining("use Made");
  }

  @Test
  void whatIsSeenCanBeChosen() {
    TorusMade chosen = new TorusMade(RING, UNITS, List.of(List.of(), List.of(5), List.of(1, 5)));
    assertThat(Set.copyOf(chosen.seen().get(2))).containsExactlyInAnyOrder(1, 5);
    chosen.causal(Space.uniform(6, 2), THIRDS, Space.NONE, 2);
  }
}
