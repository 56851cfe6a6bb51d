package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TorusTest {
  private static final List<Torus> ALL =
      List.of(Torus.of(1), Torus.of(7), Torus.of(3, 4), Torus.of(2, 1, 5));

  @Test
  void translationsAreAGroup() {
    for (Torus torus : ALL) {
      int[] all = IntStream.range(0, torus.size()).toArray();
      for (int one : all) {
        assertThat(torus.at(one, 0)).isEqualTo(one);
        assertThat(torus.at(0, one)).isEqualTo(one);
        assertThat(IntStream.of(all).map(position -> torus.at(position, one)))
            .containsExactlyInAnyOrder(IntStream.of(all).boxed().toArray(Integer[]::new));
        for (int two : all) {
          assertThat(torus.at(one, two)).isEqualTo(torus.at(two, one));
          for (int three : all) {
            assertThat(torus.at(torus.at(one, two), three))
                .isEqualTo(torus.at(one, torus.at(two, three)));
          }
        }
      }
    }
  }

  @Test
  void positionsAreInRowMajorOrder() {
    Torus torus = Torus.of(3, 4);
    assertThat(torus.coordinates(0)).containsExactly(0, 0);
    assertThat(torus.coordinates(1)).containsExactly(0, 1);
    assertThat(torus.coordinates(7)).containsExactly(1, 3);
    assertThat(torus.at(7, 1)).isEqualTo(4);
    assertThat(torus.at(7, 8)).isEqualTo(3);
    assertThat(torus).hasToString("Torus[sides=[3, 4]]");
  }

  @Test
  void lengthsAreOfTheShorterWayAround() {
    Torus torus = Torus.of(3, 4);
    assertThat(IntStream.range(0, 12).mapToLong(torus::squaredLength))
        .containsExactly(0L, 1L, 4L, 1L, 1L, 2L, 5L, 2L, 1L, 2L, 5L, 2L);
  }

  @Test
  void sidesMustMakeSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(Torus::of)
        .withMessage("the number of sides must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Torus.of(3, 0))
        .withMessage("a side must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Torus.of(1 << 16, 1 << 16))
        .withMessage("a torus of sides [65536, 65536] is too large");
  }
}
