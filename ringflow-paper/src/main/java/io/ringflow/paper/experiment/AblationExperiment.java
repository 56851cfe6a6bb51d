package io.ringflow.paper.experiment;

import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.layer.Shift;
import io.ringflow.layer.SymbolMap;
import io.ringflow.layer.TopTwo;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.paper.corpus.BitsPerCharacter;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.Trial.Measure;
import io.ringflow.train.Batch;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What makes bipartite flows of text learn: small models with one change at a time, with all
 * changes that belong to straight-through gradients, and with what replaces these.
 */
final class AblationExperiment extends PaperExperiment {
  private static final int LAYERS = 4;
  private static final int BATCH = 32;
  private static final double RATE = 2e-3;
  private static final double LOGIT_BIAS = 4;
  private static final int VALIDATION_ROWS = 400;
  private static final int TEST_ROWS = 4000;

  /** How the base starts. */
  private enum Base {
    FLAT,
    MARGINALS,
    /** Towards low symbols; at the end it is set to the marginals of what the layers leave. */
    FAVOURING
  }

  private static final SymbolMap SHIFT = new Shift();

  /** Starts as the identity. */
  private static final SymbolMap STILL_SHIFT = new Shift(LOGIT_BIAS);

  /**
   * One row of the table.
   *
   * @param spread whether symbols are moved in {@link SpreadMasks}' order, not by halves
   */
  private record Variant(
      String name,
      boolean spread,
      SymbolMap map,
      Base base,
      UnaryOperator<TrainingOptions.Builder> options) {
    Variant(String name, SymbolMap map, Base base, UnaryOperator<TrainingOptions.Builder> options) {
      this(name, false, map, base, options);
    }
  }

  private static final List<Variant> VARIANTS =
      List.of(
          new Variant("as written", SHIFT, Base.FLAT, o -> o),
          new Variant("base at marginals", SHIFT, Base.MARGINALS, o -> o),
          new Variant("temperature 3 to 0.5", SHIFT, Base.FLAT, o -> warm(o)),
          new Variant("identity start", STILL_SHIFT, Base.FLAT, o -> o),
          new Variant("layer after layer", SHIFT, Base.FLAT, o -> o.progressive()),
          new Variant("base favours 0, stands still", SHIFT, Base.FAVOURING, o -> still(o)),
          new Variant(
              "the last, identity, temperature", STILL_SHIFT, Base.FAVOURING, o -> still(warm(o))),
          new Variant(
              "all of these", STILL_SHIFT, Base.FAVOURING, o -> still(warm(o)).progressive()),
          new Variant("mixtures of moves", SHIFT, Base.FAVOURING, o -> mixture(o)),
          new Variant("mixtures, base follows", SHIFT, Base.FAVOURING, o -> following(o)),
          new Variant(
              "mixtures, base follows, spread masks",
              true,
              SHIFT,
              Base.FAVOURING,
              o -> following(o)),
          new Variant(
              "cross-entropy, base follows, spread masks",
              true,
              SHIFT,
              Base.MARGINALS,
              o -> layerwise(o)),
          new Variant(
              "the last, with scale", true, new TopTwo(), Base.MARGINALS, o -> layerwise(o)));

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

  private static TrainingOptions.Builder layerwise(TrainingOptions.Builder options) {
    return options.objective(Objective.LAYERWISE_CROSS_ENTROPY).baseAveraging(0.02);
  }

  private final TextCorpus corpus = new TextCorpus(TextData::text8);

  AblationExperiment() {
    super(
        "ablation",
        "What makes bipartite flows of text learn: small models, one change at a time",
        1);
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(TextCorpus.LETTERS_HELP);
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

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    return VARIANTS.stream().map(variant -> trial(variant, settings, seed)).toList();
  }

  private Trial trial(Variant variant, Settings settings, long seed) {
    Sizes sizes = Sizes.of(settings.effort());
    TextData data = corpus.get(settings, sizes.length);
    Network network = new Transformer(sizes.width, sizes.blocks, 2, 4 * sizes.width);
    List<Mask> masks =
        variant.spread
            ? SpreadMasks.of(sizes.length, LAYERS)
            : SpreadMasks.halves(sizes.length, LAYERS);
    Architecture architecture = TextSizes.flow(data.space(), masks, network, variant.map);
    TrainingOptions.Builder options =
        TrainingOptions.builder(sizes.steps).learningRate(RATE).minimumRate(0.02).logEvery(20);
    int[][] counted = data.refit().some(10 * sizes.rows).rows();
    TextData.Rows test = data.test().some(sizes.rows);
    return new Trial(
        LAYERS + " layers, length " + sizes.length,
        variant.name,
        seed,
        architecture,
        new Trial.Training(
            variant.options.apply(options).build(),
            data.batches().of(BATCH, seed),
            () -> data.validation().some(Math.min(VALIDATION_ROWS, sizes.rows)).batch(),
            start(variant.base, counted)),
        variant.base == Base.FAVOURING ? () -> Batch.of(counted) : null,
        model -> {
          double bits =
              BitsPerCharacter.of(model, test.rows(), test.characters(), settings.group()).value();
          return List.of(Measure.exact("bpc", "bpc", bits, null, null));
        });
  }

  private static Trial.Start start(Base base, int[][] counted) {
    return switch (base) {
      case FLAT -> Trial.Start.AS_MADE;
      case MARGINALS -> Trial.Start.prepared(model -> WarmStart.fitBase(model, counted));
      case FAVOURING -> Trial.Start.prepared(AblationExperiment::favourLowSymbols);
    };
  }

  /** A base that is nearly sure of symbol 0, and otherwise would rather have 1, and then 2. */
  private static void favourLowSymbols(FlowModel model) {
    int symbols = model.architecture().space().maxCardinality();
    double[] frequencies = new double[symbols];
    Arrays.fill(frequencies, 0.19 / symbols);
    frequencies[0] = 0.7;
    frequencies[Math.min(1, symbols - 1)] += 0.08;
    frequencies[Math.min(2, symbols - 1)] += 0.03;
    WarmStart.setMarginals(model, frequencies);
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) {
    double bits = 1 / (Sizes.of(settings.effort()).length * Math.log(2)); // of a nat a row
    List<Series> curves =
        finished.stream()
            .filter(one -> one.trial().seed() == settings.seed())
            .map(Finished::curve)
            .map(
                c -> new Series(c.name(), c.x(), Arrays.stream(c.y()).map(y -> y * bits).toArray()))
            .toList();
    LineChart learning =
        new LineChart(
            name() + "-learning",
            "Training loss, first seed",
            "step",
            "bits per character",
            curves);
    return new Outcome(
        Finished.results(finished),
        List.of(),
        List.of(),
        List.of(learning),
        List.of(),
        List.of(
            "All but the last have shifts only. 'As written' is the paper's: halves in turn, straight-through"
                + " gradients at temperature 0.1, a base that starts flat and learns. Each of the next"
                + " five changes one thing.",
            "A base that stands still is set to the marginals of what the layers make of the data when"
                + " they have learned.",
            "Bits per character on "
                + TEST_ROWS
                + " rows of the last 5 % of the text; weights are chosen on validation rows."));
  }
}
