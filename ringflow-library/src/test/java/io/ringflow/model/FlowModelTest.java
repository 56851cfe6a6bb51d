package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.ShiftScale;
import io.ringflow.network.Made;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.SortingZoo;
import io.ringflow.testing.Zoo;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user meets: mistakes are named, figures agree with each other. */
@ExtendWith(LeakCheck.class)
final class FlowModelTest {
  private static final Architecture PLAIN =
      Architecture.of(Space.of(3, 4), new FactorizedBase())
          .with(new Autoregressive(Order.natural(2), new Made(8, 1), new ShiftScale()));
  private static final Architecture CONDITIONAL = PLAIN.condition(Space.of(2, 2));

  @Test
  void rowsMustBelongToTheSpace() {
    try (FlowModel model = FlowModel.create(PLAIN, 1)) {
      int[][] beyond = {{0, 0}, {2, 4}};
      String message = "row 1, position 1: symbol 4 is not in 0..3";
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.logProb(beyond))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.encode(beyond))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.decode(beyond))
          .withMessage("base " + message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WarmStart.fitBase(model, beyond))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.logProb(new int[][] {{0, 0}, {1}}))
          .withMessage("row 1 has 1 symbols, but the space has 2 positions");
    }
  }

  @Test
  void aConditionalModelNeedsWhatIsGiven() {
    try (FlowModel model = FlowModel.create(CONDITIONAL, 1)) {
      int[][] rows = {{0, 0}, {2, 3}};
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.logProb(rows))
          .withMessage(
              "this model is conditional: it needs a condition of 2 x 2 for each of 2 rows, but got 0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.encode(rows, new int[][] {{0, 0}}))
          .withMessage(
              "this model is conditional: it needs a condition of 2 x 2 for each of 2 rows, but got 1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.logProb(rows, new int[][] {{0, 0}, {0, 2}}))
          .withMessage("condition 1, position 1: symbol 2 is not in 0..1");
      assertThatIllegalStateException()
          .isThrownBy(() -> model.sample(3, 1))
          .withMessage(
              "this model is conditional: call sample(conditions, seed) with a row of 2 x 2 for each");
    }
  }

  @Test
  void anUnconditionalModelIsGivenNothing() {
    try (FlowModel model = FlowModel.create(PLAIN, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.logProb(new int[][] {{0, 0}}, new int[][] {{0, 0}}))
          .withMessage("this model is unconditional, but there are 1 conditions");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.sample(new int[][] {{0, 0}}, 1))
          .withMessage("this model is unconditional, but there are 1 conditions");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.sample(-1, 1))
          .withMessage("count must not be negative, but is -1");
    }
  }

  @Test
  void aClosedModelSaysSo(@TempDir Path folder) {
    FlowModel model = FlowModel.create(PLAIN, 1);
    int[][] rows = {{0, 0}};
    int unused = model.encode(rows).length;
    model.close();
    model.close();
    String message = "this model is closed";
    assertThatIllegalStateException().isThrownBy(() -> model.logProb(rows)).withMessage(message);
    assertThatIllegalStateException().isThrownBy(() -> model.encode(rows)).withMessage(message);
    assertThatIllegalStateException().isThrownBy(() -> model.decode(rows)).withMessage(message);
    assertThatIllegalStateException().isThrownBy(() -> model.sample(1, 1)).withMessage(message);
    assertThatIllegalStateException()
        .isThrownBy(() -> WarmStart.fitBase(model, rows))
        .withMessage(message);
    Path target = folder.resolve("model");
    assertThatIllegalStateException().isThrownBy(() -> model.save(target)).withMessage(message);
    assertThat(target).doesNotExist();
  }

  static Stream<Zoo.Specimen> saved() {
    return Stream.concat(Zoo.blind(), SortingZoo.stacks());
  }

  @ParameterizedTest
  @MethodSource("saved")
  void aSavedModelComesBack(Zoo.Specimen specimen, @TempDir Path folder) throws IOException {
    try (FlowModel model = Zoo.wild(specimen.architecture())) {
      model.save(folder.resolve("model"));
      try (FlowModel loaded = FlowModel.load(folder.resolve("model"))) {
        int[][] rows = model.architecture().space().enumerate();
        int[][] condition = new int[rows.length][model.architecture().condition().size()];
        int[][] conditions =
            model.architecture().condition().size() == 0 ? new int[0][] : condition;
        assertThat(loaded.architecture()).isEqualTo(model.architecture());
        assertThat(loaded.encode(rows, conditions)).isDeepEqualTo(model.encode(rows, conditions));
        assertThat(loaded.logProb(rows, conditions))
            .containsExactly(model.logProb(rows, conditions));
      }
    }
  }

  @Test
  void noRowsAreNoMistake() {
    try (FlowModel model = FlowModel.create(PLAIN, 1)) {
      assertThat(model.logProb(new int[0][])).isEmpty();
      assertThat(model.encode(new int[0][]).length).isZero();
      assertThat(model.sample(0, 1).length).isZero();
    }
  }

  /** A base that has nothing to count stays as it is. */
  @Test
  void onlyWhatCanBeCountedIsFitted() {
    Architecture causal =
        Architecture.of(Space.of(3, 4), new AutoregressiveBase(Order.natural(2), new Made(8, 1)));
    try (FlowModel model = FlowModel.create(causal, 1)) {
      byte[] before = model.fingerprint();
      WarmStart.fitBase(model, new int[][] {{0, 0}});
      assertThat(model.fingerprint()).isEqualTo(before);
    }
    try (FlowModel model = FlowModel.create(PLAIN, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WarmStart.fitBase(model, new int[0][]))
          .withMessage("fitting the base needs at least one row");
    }
  }

  /** The copy in 64 bits must follow every change of the weights. */
  @Test
  void refittingTheBaseRaisesTheLikelihood() {
    try (FlowModel model = Zoo.wild(PLAIN)) {
      int[][] rows = {{0, 1}, {0, 1}, {0, 1}, {2, 3}};
      double before = Arrays.stream(model.logProb(rows)).sum();
      WarmStart.fitBase(model, rows);
      double after = Arrays.stream(model.logProb(rows)).sum();
      assertThat(after).isGreaterThan(before);
      double total = Arrays.stream(model.logProb(PLAIN.space().enumerate())).map(Math::exp).sum();
      assertThat(total).isCloseTo(1, within(1e-12));
      // Independent positions with half a count more for every symbol.
      int[] base = model.encode(rows)[0];
      long same = Arrays.stream(model.encode(rows)).filter(row -> row[0] == base[0]).count();
      long alike = Arrays.stream(model.encode(rows)).filter(row -> row[1] == base[1]).count();
      double expected = Math.log((same + 0.5) / (4 + 1.5)) + Math.log((alike + 0.5) / (4 + 2.0));
      assertThat(model.logProb(rows)[0]).isCloseTo(expected, within(1e-6));
    }
  }

  @Test
  void bothPrecisionsAgreeOnASmallModel() {
    try (FlowModel model = Zoo.wild(PLAIN)) {
      int[][] rows = PLAIN.space().enumerate();
      assertThat(model.logProb(rows, new int[0][], Precision.FLOAT32))
          .containsExactly(model.logProb(rows), within(1e-4));
    }
  }

  @Test
  void theSameSeedStartsTheSameModel() {
    int[][] rows = PLAIN.space().enumerate();
    Architecture causal =
        Architecture.of(PLAIN.space(), new AutoregressiveBase(Order.natural(2), new Made(8, 1)));
    try (FlowModel one = FlowModel.create(causal, 4);
        FlowModel same = FlowModel.create(causal, 4);
        FlowModel other = FlowModel.create(causal, 5)) {
      assertThat(same.logProb(rows)).containsExactly(one.logProb(rows));
      assertThat(other.logProb(rows)).isNotEqualTo(one.logProb(rows));
    }
  }
}
