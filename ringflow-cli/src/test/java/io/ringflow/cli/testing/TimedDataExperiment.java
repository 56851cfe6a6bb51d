package io.ringflow.cli.testing;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An experiment on a file that the user names, whose models train as long as he says. */
public final class TimedDataExperiment implements Experiment {
  /** Called before each training step. */
  public volatile Runnable during = () -> {};

  public volatile Settings settings;
  public List<String> models = List.of("base");

  @Override
  public String name() {
    return "on-data";
  }

  @Override
  public String title() {
    return "Symbols of a file";
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of("a text file of the letters a and b");
  }

  @Override
  public Optional<Path> dataIn(Path folder) {
    return Optional.of(folder.resolve("letters")).filter(Files::exists);
  }

  @Override
  public boolean timed() {
    return true;
  }

  @Override
  public List<Trial> trials(Settings chosen, long seed) {
    settings = chosen;
    int[][] rows = rows(chosen);
    Batches shuffled = Batches.shuffled(rows, rows.length, seed);
    Batches watched =
        new Batches() {
          @Override
          public Batch batch(long step) {
            during.run();
            return shuffled.batch(step);
          }

          @Override
          public String description() {
            return shuffled.description();
          }
        };
    TrainingOptions options =
        TrainingOptions.builder(20)
            .timeBudget(chosen.perModel() == null ? Duration.ofHours(1) : chosen.perModel())
            .build();
    return models.stream().map(name -> trial(name, seed, options, watched)).toList();
  }

  private static Trial trial(String name, long seed, TrainingOptions options, Batches batches) {
    return new Trial(
        "K=2",
        name,
        seed,
        Architecture.of(Space.uniform(1, 2), new FactorizedBase()),
        new Trial.Training(options, batches),
        null,
        model ->
            List.of(
                new Trial.Measure("nll", "bpc", 1.2345, null, null, 1.23),
                new Trial.Measure("sampling", "ms", 0.012345, null, null, 0.5)));
  }

  private static int[][] rows(Settings settings) {
    try {
      return Files.readString(settings.data())
          .chars()
          .mapToObj(letter -> new int[] {letter - 'a'})
          .toArray(int[][]::new);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Outcome outcome(Settings chosen, List<Finished> finished) {
    return new Outcome(
        Finished.results(finished), List.of(), List.of(), List.of(), List.of(), List.of());
  }
}
