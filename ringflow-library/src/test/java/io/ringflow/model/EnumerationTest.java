package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A discrete map can be enumerated: every row of every small model, in both directions. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class EnumerationTest {
  @ParameterizedTest
  @MethodSource("io.ringflow.testing.Zoo#all")
  void encodingIsAPermutationThatDecodingUndoes(Zoo.Specimen specimen) {
    try (FlowModel model = Zoo.wild(specimen.architecture())) {
      int[][] rows = model.architecture().space().enumerate();
      int[][] baseRows = Models.layers(model).baseSpace().enumerate();
      for (int[][] condition : Zoo.contexts(model.architecture().condition(), rows.length)) {
        int[][] encoded = model.encode(rows, condition);
        assertThat(Set.copyOf(asLists(encoded))).isEqualTo(Set.copyOf(asLists(baseRows)));
        assertThat(model.decode(encoded, condition)).isDeepEqualTo(rows);
        assertThat(model.encode(model.decode(baseRows, condition), condition))
            .isDeepEqualTo(baseRows);
      }
    }
  }

  private static List<List<Integer>> asLists(int[][] rows) {
    return Arrays.stream(rows).map(row -> Arrays.stream(row).boxed().toList()).toList();
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.testing.Zoo#all")
  void probabilitiesSumToOne(Zoo.Specimen specimen) {
    try (FlowModel model = Zoo.wild(specimen.architecture())) {
      int[][] rows = model.architecture().space().enumerate();
      for (int[][] condition : Zoo.contexts(model.architecture().condition(), rows.length)) {
        double total = Arrays.stream(model.logProb(rows, condition)).map(Math::exp).sum();
        assertThat(total).isCloseTo(1, within(1e-12));
      }
    }
  }

  /** Else the two tests above would say little. */
  @Test
  void nearlyEveryArchitectureMovesSomething() {
    List<Zoo.Specimen> layered =
        Zoo.all().filter(specimen -> !specimen.architecture().layers().isEmpty()).toList();
    List<Zoo.Specimen> still = layered.stream().filter(EnumerationTest::movesNothing).toList();
    assertThat(still).hasSizeLessThan(layered.size() / 20);
  }

  private static boolean movesNothing(Zoo.Specimen specimen) {
    try (FlowModel model = Zoo.wild(specimen.architecture())) {
      int[][] rows = model.architecture().space().enumerate();
      return Zoo.contexts(model.architecture().condition(), rows.length).stream()
          .allMatch(condition -> Arrays.deepEquals(model.encode(rows, condition), rows));
    }
  }
}
