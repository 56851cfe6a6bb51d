package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Positions as two: every row of small spaces. */
@ExtendWith(LeakCheck.class)
final class SplitTest {
  private static final Space SPACE = Space.of(6, 3, 4);
  private static final Split SPLIT =
      new Split(
          List.of(
              new Split.Code(0, 2, List.of(3, 1, 5, 0, 2, 4)),
              new Split.Code(2, 2, List.of(2, 0, 3, 1))));

  @Test
  void everyRowHasOneRowOfParts() {
    Rearrangement positions = SPLIT.rearrangement(SPACE).orElseThrow();
    assertThat(positions.baseSpace()).isEqualTo(Space.of(3, 2, 3, 2, 2));
    assertThat(positions.inverse(new int[][] {{5, 1, 3}}))
        .isDeepEqualTo(new int[][] {{1, 0, 1, 1, 0}});
    int[][] rows = SPACE.enumerate();
    assertThat(Arrays.stream(positions.inverse(rows)).map(Arrays::toString).distinct().count())
        .isEqualTo(rows.length);
    try (FlowModel model = model(SPLIT)) {
      int[][] base = model.encode(rows);
      assertThat(base).isDeepEqualTo(positions.inverse(rows));
      assertThat(model.decode(base)).isDeepEqualTo(rows);
    }
  }

  private static FlowModel model(Layer... layers) {
    var base = new AutoregressiveBase(Order.natural(5), new Made(8, 1));
    return Zoo.wild(new Architecture(SPACE, Space.NONE, base, List.of(layers)));
  }

  @Test
  void probabilitiesSumToOne() {
    try (FlowModel model = model(new Reorder(Order.of(1, 4, 0, 3, 2)), SPLIT)) {
      assertThat(Arrays.stream(model.logProb(SPACE.enumerate())).map(Math::exp).sum())
          .isCloseTo(1, within(1e-6));
      assertThat(model.architecture().movesSymbols()).isFalse();
    }
  }

  @Test
  void rejectsWhatIsNoCode() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Split.Code(0, 2, List.of(0, 1, 2)))
        .withMessage("radix must divide the number of symbols, 3, but is 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Split.Code(0, 2, List.of(0, 1, 1, 2)))
        .withMessage("symbol 1 has two codes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SPLIT.on(Space.of(6, 3, 5), Space.NONE))
        .withMessage("position 2 has 5 symbols, but there are codes for 4");
    Chain twice =
        Chain.of(new Split(List.of(new Split.Code(0, 2, List.of(0, 1, 2, 3)))), new Pack(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> twice.rearrangement(Space.of(2, 2)))
        .withMessage(
            "only positions of the data itself can be split: Split must be the last layer");
  }
}
