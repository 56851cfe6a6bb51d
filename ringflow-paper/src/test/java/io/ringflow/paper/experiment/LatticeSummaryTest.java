package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LatticeSummaryTest {
  private static final String LATTICE = "Ising 4x4, beta 0.5";

  private static Result result(String model, String metric, double value, long seed) {
    return new Result(
        "ising", LATTICE, model, metric, "", value, null, null, null, seed, 10.0 + seed, "cpu");
  }

  @Test
  void meansAndWorstAreOverSeeds() {
    List<Result> results = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      results.add(result("5 passes", InferenceTask.GAP, 0.01 * seed, seed));
      results.add(result("5 passes", InferenceTask.ESS, 1 - 0.1 * seed, seed));
      results.add(result("5 passes", InferenceTask.LOG_Z, 20 + 0.08 * (seed - 2), seed));
    }
    results.add(result("16 passes", InferenceTask.GAP, 0.5, 7));
    results.add(result("16 passes", InferenceTask.ESS, 0.25, 7));
    results.add(result("16 passes", InferenceTask.LOG_Z, 19, 7));
    assertThat(LatticeSummary.lines(results, Map.of(LATTICE, 20.0), Map.of(LATTICE, 8.0)))
        .containsExactly(
            "lattice                     model                         gap    worst    ESS/M"
                + "    worst    F/N off by  seconds     seeds",
            "Ising 4x4, beta 0.5         5 passes                   0.0200   0.0300   0.8000"
                + "   0.7000       1.0e-02     12.0       1-3",
            "Ising 4x4, beta 0.5         16 passes                  0.5000   0.5000   0.2500"
                + "   0.2500       1.3e-01     17.0         7");
  }
}
