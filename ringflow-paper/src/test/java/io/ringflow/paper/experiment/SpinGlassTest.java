package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.infer.ExactInference;
import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.SpinModels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpinGlassTest {
  @ParameterizedTest
  @CsvSource({"6, 1, 0.5", "9, 2, 2", "13, 3, 5"})
  void logPartitionIsTheEnumeratedOne(int sites, long instance, double beta) {
    FactorGraph graph = SpinModels.sherringtonKirkpatrick(sites, beta, instance);
    assertThat(new SpinGlass(sites, instance).logPartition(beta))
        .isCloseTo(ExactInference.enumerated(graph.space(), graph).logZ(), within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"7, 1, 1", "8, 2, 2", "8, 3, 4"})
  void modesAreTheLocalMaximaThatWeighEnough(int sites, long instance, double beta) {
    FactorGraph graph = SpinModels.sherringtonKirkpatrick(sites, beta, instance);
    double logZ = ExactInference.of(graph).logZ();
    SpinGlass glass = new SpinGlass(sites, instance);
    List<Integer> expected = new ArrayList<>();
    for (int[] row : graph.space().enumerate()) {
      double own = graph.logWeights(new int[][] {row})[0];
      boolean highest = own - logZ > Math.log(0.01);
      for (int site = 0; site < sites; site++) {
        int[] flipped = row.clone();
        flipped[site] = 1 - flipped[site];
        highest &= graph.logWeights(new int[][] {flipped})[0] <= own;
      }
      if (highest) {
        expected.add(glass.state(row));
      }
    }
    int[] modes = glass.modes(beta, 0.01);
    assertThat(Arrays.stream(modes).boxed())
        .hasSizeGreaterThan(1)
        .containsExactlyInAnyOrderElementsOf(expected);
    int all = (1 << sites) - 1;
    assertThat(expected.stream().map(mode -> all - mode).toList())
        .as("the flips of modes are modes")
        .containsExactlyInAnyOrderElementsOf(expected);

    assertThat(glass.found(modes, new int[][] {glass.row(modes[0]), glass.row(modes[0])}))
        .isEqualTo(1);
  }
}
