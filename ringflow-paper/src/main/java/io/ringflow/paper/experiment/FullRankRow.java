package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import java.util.Arrays;
import java.util.List;

/**
 * One row of the paper's Table 1.
 *
 * @param d symbols of a row of the data
 * @param k values of a symbol
 * @param usual how long to train by default
 * @param full how long on a GPU
 * @param paper the paper's results, in the order of its models
 */
record FullRankRow(int d, int k, Plan usual, Plan full, List<Double> paper) {
  /**
   * How long to train: as long as the time allows, for but in the first row more is better.
   *
   * @param batch rows a step
   * @param autoregressive steps of an autoregressive Transformer; 0 to leave Transformers out
   * @param bipartite steps of a bipartite flow of Transformers
   * @param tables steps of a bipartite flow of tables
   */
  record Plan(int batch, int autoregressive, int bipartite, int tables) {}

  private static final List<FullRankRow> ALL =
      List.of(
          row(2, 2, plan(256, 300, 300, 300), plan(256, 1000, 1000, 300), 0.9, 0.9, 1.3, 1.0),
          row(5, 5, plan(512, 400, 100, 1000), plan(1024, 4000, 2000, 1000), 7.7, 7.6, 8.0, 7.9),
          row(5, 10, plan(512, 0, 0, 1000), plan(2048, 20000, 2000, 1000), 10.7, 10.3, 11.5, 10.7),
          row(10, 5, plan(512, 0, 0, 300), plan(2048, 3000, 800, 300), 15.9, 15.7, 16.6, 16.0));

  private static Plan plan(int batch, int autoregressive, int bipartite, int tables) {
    return new Plan(batch, autoregressive, bipartite, tables);
  }

  private static FullRankRow row(int d, int k, Plan usual, Plan full, Double... paper) {
    return new FullRankRow(d, k, usual, full, List.of(paper));
  }

  /** All rows; the largest table takes a minute to walk through. */
  static List<FullRankRow> all(Effort effort) {
    return effort == Effort.QUICK ? ALL.subList(0, 3) : ALL;
  }

  String setting() {
    return "D=" + d + ", K=" + k;
  }

  Plan plan(Effort effort) {
    return switch (effort) {
      case QUICK -> new Plan(64, 20, 20, 20);
      case DEFAULT -> usual;
      case FULL -> full;
    };
  }

  /** A GPU has nothing to do for tables: those of a run on a CPU are the same. */
  List<FullRankModel> models(Settings settings) {
    boolean transformers = plan(settings.effort()).autoregressive > 0;
    boolean tables = settings.effort() != Effort.FULL || settings.device().equals("cpu");
    return Arrays.stream(FullRankModel.values())
        .filter(model -> model.isTransformer() ? transformers : tables || !model.isTable())
        .toList();
  }
}
