package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What all experiments share: a name, a title, a number of seeds, and learning curves. */
abstract class PaperExperiment implements Experiment {
  private final String name;
  private final String title;
  private final int defaultSeeds;

  PaperExperiment(String name, String title, int defaultSeeds) {
    this.name = name;
    this.title = title;
    this.defaultSeeds = defaultSeeds;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String title() {
    return title;
  }

  @Override
  public final int defaultSeeds() {
    return defaultSeeds;
  }

  @Override
  public final Optional<Path> dataIn(Path folder) {
    return DataFolder.find(name, folder);
  }

  /**
   * The learning curves of the first seed in one setting, between the levels to compare them with.
   *
   * @param levels horizontal lines, such as the entropy
   */
  final LineChart learning(
      Settings settings, List<Finished> finished, String setting, List<Level> levels) {
    List<Series> curves =
        finished.stream()
            .filter(one -> one.curve() != null && one.trial().seed() == settings.seed())
            .filter(one -> one.trial().setting().equals(setting))
            .map(Finished::curve)
            .toList();
    return new LineChart(
        name + "-" + Trial.slug(setting),
        setting + ": training loss, first seed",
        "step",
        "nats",
        curves,
        levels);
  }
}
