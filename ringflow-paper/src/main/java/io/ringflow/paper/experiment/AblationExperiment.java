package io.ringflow.paper.experiment;

import io.ringflow.train.WarmStart;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.layer.Shift;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.paper.corpus.BitsPerCharacter;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What makes bipartite flows of text learn: each lever alone on small models, all that belong to
 * straight-through gradients together, and what replaces them.
 */
final class AblationExperiment implements Experiment {
  private static final String NAME = "levers";
  private static final int LAYERS = 4;
  private static final int BATCH = 32;
  private static final double RATE = 2e-3;
  private static final double IDENTITY = 4;
  private static final int VALIDATION_ROWS = 400;
  private static final int TEST_ROWS = 4000;

  /**
   * One row of the table.
   *
   * @param spread whether symbols are moved in {@link SpreadMasks}' order, not by halves
   * @param start of the base
   * @param refit whether the base ends at the marginals of what the layers make of the data
   */
  private record Lever(
      String name,
      boolean spread,
      SymbolMap map,
      Start start,
      boolean refit,
      UnaryOperator<TrainingOptions.Builder> options) {}

  private enum Start {
    FLAT,
    MARGINALS,
    FAVOURING
  }

  private static final List<Lever> LEVERS =
      List.of(
          new Lever("as written", false, new Shift(), Start.FLAT, false, o -> o),
          new Lever("base at marginals", false, new Shift(), Start.MARGINALS, false, o -> o),
          new Lever(
              "temperature 3 to 0.5",
              false,
              new Shift(),
              Start.FLAT,
              false,
              AblationExperiment::warm),
          new Lever("identity start", false, new Shift(IDENTITY), Start.FLAT, false, o -> o),
          new Lever(
              "layer after layer",
              false,
              new Shift(),
              Start.FLAT,
              false,
              TrainingOptions.Builder::progressive),
          new Lever(
              "base favours 0, stands still",
              false,
              new Shift(),
              Start.FAVOURING,
              true,
              AblationExperiment::still),
          new Lever(
              "the last, identity, temperature",
              false,
              new Shift(IDENTITY),
              Start.FAVOURING,
              true,
              o -> still(warm(o))),
          new Lever(
              "all of these",
              false,
              new Shift(IDENTITY),
              Start.FAVOURING,
              true,
              o -> still(warm(o)).progressive()),
          new Lever(
              "mixtures of moves",
              false,
              new Shift(),
              Start.FAVOURING,
              true,
              AblationExperiment::mixture),
          new Lever(
              "mixtures, base follows",
              false,
              new Shift(),
              Start.FAVOURING,
              true,
              AblationExperiment::following),
          new Lever(
              "mixtures, base follows, spread masks",
              true,
              new Shift(),
              Start.FAVOURING,
              true,
              AblationExperiment::following));

  private static TrainingOptions.Builder warm(TrainingOptions.Builder options) {
    return options.temperature(Temperature.annealed(3, 0.5));
  }

  /** The base learns so late that it never does. */
  private static TrainingOptions.Builder still(TrainingOptions.Builder options) {
    return options.baseSchedule(0.999, 1);
  }

  private static TrainingOptions.Builder mixture(TrainingOptions.Builder options) {
    return still(options).objective(Objective.MIXTURE);
  }

  private static TrainingOptions.Builder following(TrainingOptions.Builder options) {
    return mixture(options).baseSchedule(0.5, 1).baseAveraging(0.02);
  }

  private final LettersCorpus corpus = new LettersCorpus();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "What makes bipartite flows of text learn: small models, one lever at a time";
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(LettersCorpus.HELP);
  }

  /**
   * How large everything is.
   *
   * @param length of a row
   * @param width of the Transformers
   * @param rows most rows to score or count
   */
  private record Sizes(int length, int width, int blocks, int steps, int rows) {
    static Sizes of(Effort effort) {
      return switch (effort) {
        case QUICK -> new Sizes(16, 16, 1, 20, 50);
        case DEFAULT -> new Sizes(32, 64, 2, 1500, TEST_ROWS);
        case FULL -> new Sizes(64, 128, 2, 10_000, TEST_ROWS);
      };
    }
  }

  private TextData data(Settings settings) {
    int length = Sizes.of(settings.effort()).length;
    return corpus.get(settings, length);
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    TextData data = data(settings);
    Sizes sizes = Sizes.of(settings.effort());
    return LEVERS.stream().map(lever -> trial(lever, data, sizes, seed, settings.group())).toList();
  }

  private static Trial trial(
      Lever lever, TextData data, Sizes sizes, long seed, ProcessGroup group) {
    Network network = new Transformer(sizes.width, sizes.blocks, 2, 4 * sizes.width);
    List<Mask> masks =
        lever.spread
            ? SpreadMasks.of(sizes.length, LAYERS)
            : SpreadMasks.halves(sizes.length, LAYERS);
    Architecture architecture = TextSizes.flow(data.space(), masks, network, lever.map);
    TrainingOptions options =
        lever
            .options
            .apply(
                TrainingOptions.builder(sizes.steps)
                    .learningRate(RATE)
                    .minimumRate(0.02)
                    .logEvery(20))
            .build();
    int[][] counted = data.refit().some(10 * sizes.rows).rows();
    TextData.Rows test = data.test().some(sizes.rows);
    return new Trial(
        setting(sizes),
        lever.name,
        seed,
        architecture,
        new Trial.Training(
            options,
            data.batches().of(BATCH, seed),
            () -> data.validation().some(Math.min(VALIDATION_ROWS, sizes.rows)).batch(),
            start(lever.start, counted)),
        lever.refit ? () -> io.ringflow.train.Batch.of(counted) : null,
        model ->
            List.of(
                Trial.Measure.exact(
                    "bpc",
                    "bpc",
                    BitsPerCharacter.of(model, test.rows(), test.characters(), group).value(),
                    null,
                    null)));
  }

  private static Trial.Start start(Start start, int[][] counted) {
    return switch (start) {
      case FLAT -> Trial.Start.AS_MADE;
      case MARGINALS -> Trial.Start.quick(model -> WarmStart.fitBase(model, counted));
      case FAVOURING -> Trial.Start.quick(TextTrials::favourLowSymbols);
    };
  }

  private static String setting(Sizes sizes) {
    return LAYERS + " layers, length " + sizes.length;
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    double bits = 1 / (data(settings).refit().charactersPerRow() * Math.log(2));
    List<Series> curves = new ArrayList<>();
    for (Finished one : finished) {
      if (one.trial().seed() == settings.seed()) {
        Series curve = one.curve();
        curves.add(
            new Series(
                curve.name(), curve.x(), Arrays.stream(curve.y()).map(y -> y * bits).toArray()));
      }
    }
    return new Outcome(
        Finished.results(finished),
        List.of(),
        List.of(),
        List.of(
            new LineChart(
                NAME + "-learning",
                "Training loss, first seed",
                "step",
                "bits per character",
                curves)),
        List.of(),
        List.of(
            "All have shifts only. 'As written' is the paper's: halves in turn, straight-through"
                + " gradients at temperature 0.1, a base that starts flat and learns. Each of the next"
                + " five changes one thing.",
            "A base that stands still is set to the marginals of what the layers make of the data when"
                + " they have learned.",
            "Bits per character on "
                + TEST_ROWS
                + " rows of the last 5 % of the text; weights are chosen on validation rows."));
  }
}
