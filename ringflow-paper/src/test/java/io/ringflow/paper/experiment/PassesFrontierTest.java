package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Charts out of figures alone, of old runs too. */
final class PassesFrontierTest {
  private static List<Result> model(
      String setting, String name, double bits, Double passes, double one, double many) {
    List<Result> results = new ArrayList<>();
    results.add(result(setting, name, "bpc", bits));
    if (passes != null) {
      results.add(result(setting, name, "network calls", passes));
    }
    results.add(result(setting, name, "generation, batch 1", one));
    results.add(result(setting, name, "generation, batch 256", many));
    return results;
  }

  private static Result result(String setting, String name, String metric, double value) {
    return new Result(
        "passes", setting, name, metric, "unit", value, null, null, null, 1, 2.0, "cuda");
  }

  @Test
  void modelsOfAFamilyAreOneLineInTheOrderOfWhatTheyCost() {
    List<Result> results = new ArrayList<>();
    results.addAll(model("wiki27, length 256", "16 passes, pairs", 1.6, 16.0, 79, 1304));
    results.addAll(model("wiki27, length 256", "4 passes, pairs", 1.9, 4.0, 16, 207));
    results.addAll(model("length 256", "8 layers with scale", 2.7, null, 14, 400));
    results.addAll(model("length 256", "autoregressive Transformer", 1.4, null, 999, 1041));
    results.addAll(model("length 256", "unigrams", 4.1, 0.0, 1, 1));
    results.addAll(model("length 256", "something else", 3.1, null, 1, 1));

    List<LineChart> charts = PassesFrontier.of(results);

    assertThat(charts)
        .extracting(LineChart::name)
        .containsExactly("frontier-passes", "frontier-time", "frontier-time-256");
    List<Series> byPasses = charts.get(0).series();
    assertThat(byPasses)
        .extracting(Series::name)
        .containsExactly("autoregressive Transformer", "flows with scale", "groups, pairs");
    assertThat(byPasses.get(0).x()).containsExactly(256);
    assertThat(byPasses.get(1).x()).containsExactly(8);
    assertThat(byPasses.get(2).x()).containsExactly(4, 16);
    assertThat(byPasses.get(2).y()).containsExactly(1.9, 1.6);
    assertThat(charts.get(1).series().get(2).x()).containsExactly(16, 79);
    assertThat(charts.get(2).series().get(2).x()).containsExactly(207, 1304);
  }

  @Test
  void whereNothingIsDrawnByNetworksThereIsNothingToShow() {
    assertThat(PassesFrontier.of(List.of())).isEmpty();
    assertThat(PassesFrontier.of(model("length 16", "unigrams", 4.1, 0.0, 1, 1))).isEmpty();
  }
}
