package io.ringflow.paper.experiment;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Objective;
import io.ringflow.core.Precision;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.corpus.BitsPerCharacter;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.Trial.Measure;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Makes the trials of text models: how they are trained and what is measured. */
final class TextTrials {
  private static final Duration ON_GPU = Duration.ofMinutes(10);
  private static final Duration ON_CPU = Duration.ofMinutes(2);
  private static final int QUICK_STEPS = 12;
  private static final int VALIDATION_ROWS = 512;
  private static final int MEASURED_ROWS = 4096;
  private static final int TIMINGS = 5;

  /** The metric of experiments that choose: bits per character of validation rows. */
  static final String VALIDATION = "validation";

  /** The metric of a model's size. */
  static final String WEIGHTS = "weights";

  /** The metric of how many network calls sampling a row takes, one after the other. */
  static final String PASSES = "network calls";

  /** The entropy of what layers that sort would leave of a model's predictions. */
  static final String SORTED = "validation, sorted by its predictions";

  /** The same of layers with location and scale. */
  static final String SCALED = "validation, shifted and scaled by its predictions";

  /** The same of layers that shift. */
  static final String SHIFTED = "validation, shifted by its predictions";

  /** How far the base follows the layers in a step: about two hundred batches count. */
  private static final double BASE_AVERAGING = 0.01;

  private final String setting;
  private final TextData data;
  private final TextSizes sizes;
  private final Settings settings;

  TextTrials(String setting, TextData data, TextSizes sizes, Settings settings) {
    this.setting = setting;
    this.data = data;
    this.sizes = sizes;
    this.settings = settings;
  }

  /**
   * One model.
   *
   * @param timeShare of the time a model may train; small ones need less, and those that continue
   *     from another have its time behind them
   * @param paperBits the paper's bits per character; null where it has none
   * @param paperMillis the paper's time for one sequence; null where it has none
   */
  record Row(
      String model,
      Architecture architecture,
      double timeShare,
      Double paperBits,
      Double paperMillis) {
    Row(String model, Architecture architecture) {
      this(model, architecture, 1, null, null);
    }
  }

  /** The symbols' frequencies at each position: what every flow must be below. */
  Trial unigrams(long seed) {
    Row row = new Row("unigrams", Architecture.of(data.space(), new FactorizedBase()));
    return new Trial(
        setting, row.model, seed, row.architecture, null, refitRows(), measurement(row));
  }

  /** A model whose base learns everything. */
  Trial autoregressive(Row row, int batch, double rate, double dropout, boolean half, long seed) {
    return base(row, batch, rate, dropout, half, Trial.Start.AS_MADE, seed);
  }

  /** A model whose base learns everything, from some start on. */
  Trial base(
      Row row, int batch, double rate, double dropout, boolean half, Trial.Start start, long seed) {
    TrainingOptions options = decayed(row, rate, dropout, half).build();
    return trial(row, data.batches().of(batch, seed), options, start, null, seed);
  }

  /**
   * A Transformer that Muon trains, at the rates that text needs, once its n-grams are counted.
   *
   * @param change what to do otherwise
   */
  Trial muon(Row row, int batch, UnaryOperator<TrainingOptions.Builder> change, long seed) {
    boolean gpu = settings.device().equals("cuda");
    TrainingOptions.Builder builder =
        common(row.timeShare, true)
            .learningRate(1e-3)
            .muon(gpu ? 0.01 : 0.02)
            .weightDecay(0.05)
            .linearDecay();
    return trial(
        row,
        data.batches().of(batch, seed),
        change.apply(builder).build(),
        Trial.Start.counted(model -> WarmStart.fitBase(model, data.counted())),
        null,
        seed);
  }

  /**
   * A flow whose layers learn as classifiers of the symbols they move, while the base follows what
   * they make of the text.
   *
   * @param coarser a flow of half as many layers, to continue from: each of its layers becomes two,
   *     which share the symbols it moved. What they have to learn is much the same, and fewer
   *     layers learn it in less time, each from more symbols. Null to begin anew
   */
  Trial layerwise(Row row, Trial coarser, double rate, double dropout, boolean half, long seed) {
    TrainingOptions options =
        decayed(row, rate, dropout, half)
            .objective(Objective.LAYERWISE_CROSS_ENTROPY)
            .baseAveraging(BASE_AVERAGING)
            .build();
    Trial.Start start =
        coarser == null ? Trial.Start.AS_MADE : Trial.Start.after(coarser, TextTrials::refine);
    // Those that continue from each other read the text in orders of their own.
    long order = seed + ((long) row.architecture.layers().size() << 32);
    Batches batches = data.batches().of(sizes.batch(), order);
    return trial(row, batches, options, start, refitRows(), seed);
  }

  /**
   * Gives two layers the weights of each one of a flow of half as many, and the base its base's.
   */
  private static void refine(FlowModel coarse, FlowModel fine) {
    int layers = fine.architecture().layers().size();
    for (int i = 0; i < layers; i++) {
      WarmStart.copyLayer(coarse, i * coarse.architecture().layers().size() / layers, fine, i);
    }
    WarmStart.copyBase(coarse, fine);
  }

  /**
   * A flow with the networks of another one, which differs from it in how symbols are moved. Layers
   * that do not see what others have moved learn the same whatever they make of it, so that there
   * is nothing left to train but the base.
   */
  Trial sameNetworks(Row row, Trial other, long seed) {
    return new Trial(
        setting,
        row.model,
        seed,
        row.architecture,
        Trial.Training.withoutSteps(
            "the networks of " + other.model(), Trial.Start.after(other, TextTrials::refine)),
        refitRows(),
        measurement(row));
  }

  private Supplier<Batch> refitRows() {
    return data.refit().some(capped(data.refit().rows().length))::batch;
  }

  /** A flow as the paper writes it. */
  Trial asWritten(Row row, boolean half, long seed) {
    TrainingOptions options =
        common(row.timeShare, half)
            .learningRate(5e-4)
            .temperature(Temperature.constant(0.1))
            .build();
    Batches batches = data.batches().of(sizes.batch(), seed);
    return trial(row, batches, options, Trial.Start.AS_MADE, null, seed);
  }

  private Trial trial(
      Row row,
      Batches batches,
      TrainingOptions options,
      Trial.Start start,
      Supplier<Batch> refit,
      long seed) {
    return new Trial(
        setting,
        row.model,
        seed,
        row.architecture,
        new Trial.Training(
            options, batches, () -> data.validation().some(capped(VALIDATION_ROWS)).batch(), start),
        refit,
        measurement(row));
  }

  /** The same trial, of which nothing is measured but what validation rows cost. */
  Trial onValidation(Trial trial) {
    return new Trial(
        trial.setting(),
        trial.model(),
        trial.seed(),
        trial.architecture(),
        trial.training(),
        trial.refit(),
        model -> {
          TextData.Rows rows = data.validation().some(capped(MEASURED_ROWS));
          double nats =
              -Arrays.stream(model.logProb(rows.rows(), new int[0][], Precision.FLOAT32)).sum();
          double bits = nats / Math.log(2) / rows.characters();
          return List.of(
              Measure.exact(VALIDATION, "bpc", bits, null, null),
              Measure.exact(PASSES, "passes", model.samplingPasses(), null, null),
              Measure.exact(WEIGHTS, "weights", (double) model.parameterCount(), null, null));
        });
  }

  private int capped(int rows) {
    return sizes.scored() == 0 ? rows : Math.min(rows, sizes.scored());
  }

  /** Options of networks that predict: weights and rates decay. */
  private TrainingOptions.Builder decayed(Row row, double rate, double dropout, boolean half) {
    return common(row.timeShare, half)
        .learningRate(rate)
        .dropout(dropout)
        .weightDecay(0.01)
        .minimumRate(0.02);
  }

  /** Options that all share: how long, and how often to look. */
  private TrainingOptions.Builder common(double timeShare, boolean half) {
    boolean gpu = settings.device().equals("cuda");
    if (settings.effort() == Effort.QUICK) {
      return TrainingOptions.builder(QUICK_STEPS).logEvery(4).evaluateEvery(6).warmupSteps(2);
    }
    Duration time = settings.perModel() != null ? settings.perModel() : gpu ? ON_GPU : ON_CPU;
    // More steps than anybody will wait for: the time decides.
    return TrainingOptions.builder(10_000_000)
        .timeBudget(Duration.ofMillis(Math.round(time.toMillis() * timeShare)))
        .precision(gpu && half ? Precision.BFLOAT16 : Precision.FLOAT32)
        .warmupSteps(gpu ? 300 : 100)
        .logEvery(gpu ? 50 : 10)
        .evaluateEvery(gpu ? 1000 : 200)
        .checkpointEvery(gpu ? 5000 : 500);
  }

  private Trial.Measurement measurement(Row row) {
    TextData.Rows test = data.test().some(capped(data.test().rows().length));
    int timings = settings.effort() == Effort.QUICK ? 1 : TIMINGS;
    return model -> {
      double bits =
          BitsPerCharacter.of(model, test.rows(), test.characters(), settings.group()).value();
      List<Measure> measures = new ArrayList<>();
      measures.add(Measure.exact("bpc", "bpc", bits, null, row.paperBits));
      measures.add(Measure.exact(PASSES, "passes", model.samplingPasses(), null, null));
      measures.addAll(GenerationTime.of(model, timings, row.paperMillis));
      if (model.samplingPasses() == data.space().size()) {
        measures.addAll(worth(model));
      }
      return measures;
    };
  }

  /** What layers of a flow could make of the predictions of an autoregressive model. */
  private List<Measure> worth(FlowModel model) {
    GuessingGame game = GuessingGame.play(model, data.gameRows(sizes.scored()).rows()).get(0);
    return List.of(
        Measure.exact(SORTED, "bits", game.ranks(), null, null),
        Measure.exact(SCALED, "bits", game.scaled(), null, null),
        Measure.exact(SHIFTED, "bits", game.shifts(), null, null));
  }
}
