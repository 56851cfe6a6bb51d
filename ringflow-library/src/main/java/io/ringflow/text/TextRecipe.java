package io.ringflow.text;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.engine.PartialRows;
import io.ringflow.internal.fit.FitRun;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
import io.ringflow.model.Presets;
import io.ringflow.network.Lstm;
import io.ringflow.network.Network;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.Transformer;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.train.FitOptions;
import io.ringflow.train.FitOptions.Family;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * How a model of a text is chosen and trained: an LSTM on the CPU, where it learns most in little
 * time, and a Transformer on a GPU or where symbols are sampled in groups.
 */
final class TextRecipe {
  private static final int MIN_ROWS = 20;
  private static final double VALIDATION_SHARE = 0.05;
  private static final int MAX_VALIDATION_ROWS = 512;

  /** Symbols of a text that a large network does not soon know by heart, with n-grams too. */
  private static final int LONG_TEXT = 10_000_000;

  /** What it takes to count the n-grams beside a symbol, on one side of it. */
  private static final long NANOS_AN_NGRAM = 350;

  /** Characters seen less often are no symbols: nothing could be learned of them. */
  private static final int MIN_COUNT = 5;

  private final Text text;
  private final FitOptions options;
  private final boolean gpu;
  private final int length;

  TextRecipe(Text text, FitOptions options) {
    this.text = text;
    this.options = options;
    this.gpu = options.device() == Device.CUDA;
    this.length = length(text, options);
  }

  /** Symbols in a piece of a text whose symbols are all known. */
  static int length(Text text, FitOptions options) {
    return (int) Math.min(options.length(), text.length() / MIN_ROWS / 2 * 2);
  }

  /** What there is to learn of a text. */
  static Text known(Text text) {
    return text.vocabulary().equals(Vocabulary.BYTES) ? text : text.withoutRare(MIN_COUNT);
  }

  static TextModel train(Text text, FitOptions options) throws IOException {
    Text known = known(text);
    if (known.length() < 32 * MIN_ROWS) {
      throw new IllegalArgumentException(
          "a text needs at least "
              + 32 * MIN_ROWS
              + " symbols to learn from, but has "
              + known.length()
              + (known.length() < text.length() ? ", rare ones aside" : ""));
    }
    return new TextRecipe(known, options).run();
  }

  private TextModel run() throws IOException {
    Text.Split split = Text.Split.of(text, VALIDATION_SHARE, 0);
    int[][] rows = split.validation().rows(length);
    int[][] validation = Arrays.copyOf(rows, Math.min(rows.length, MAX_VALIDATION_ROWS));
    Architecture architecture = architecture();
    TextCodec codec = TextCodec.of(split.train());
    FlowModel flow =
        new FitRun(
                architecture,
                codec,
                training(architecture),
                split.train().windows(batch(), length, options.seed()),
                validation,
                Trainer::meanLoss,
                model -> warmStart(model, split.train()),
                model -> metrics(model, codec, validation))
            .run(options);
    try {
      if (options.counts() && options.group().isRankZero()) {
        CountedTexts.count(flow, codec, split, options.listener()::counting);
      }
    } catch (RuntimeException | Error e) {
      flow.close();
      throw e;
    }
    return new TextModel(flow, codec);
  }

  /** Counts n-grams, where the model has some. */
  private void warmStart(FlowModel model, Text train) {
    if (hasNgrams()) {
      ProgressListener progress =
          options.group().isRankZero() ? options.listener()::counting : ProgressListener.IGNORED;
      WarmStart.fitBase(model, train.rowsInParts(length), progress);
    }
  }

  /** A GPU learns more of a long text than counts would tell it in the time that they take. */
  private boolean hasNgrams() {
    return gpu ? isShortOnGpu() : options.family() != Family.BIPARTITE;
  }

  /** Whether a GPU would soon know a text by heart. */
  private boolean isShortOnGpu() {
    return gpu && options.family() == Family.GROUP && text.length() < LONG_TEXT;
  }

  /** What counting leaves of the time: of n-grams, and of what left-to-right models compress by. */
  private Duration networkTime() {
    Duration counting = Duration.ZERO;
    if (hasNgrams()) {
      int sides = options.family() == Family.GROUP ? 2 : 1;
      counting = Duration.ofNanos(sides * NANOS_AN_NGRAM * text.length());
    }
    if (options.counts() && options.family() == Family.AUTOREGRESSIVE) {
      counting = counting.plus(CountedTexts.time(text.length()));
    }
    Duration half = Duration.ofMillis(Math.max(1, options.time().toMillis() / 2));
    return counting.compareTo(half) < 0 ? options.time().minus(counting) : half;
  }

  /** Longer pieces are fewer, so that a step takes as much memory as it did. */
  private int batch() {
    int usual = !gpu ? 16 : options.family() == Family.GROUP ? 256 : 128;
    int usualLength = FitOptions.DEFAULTS.length();
    return Math.max(1, usual * usualLength / Math.max(usualLength, length));
  }

  /** How it is trained. */
  TrainingOptions training(Architecture architecture) {
    // More steps than anybody will wait for: time decides, or validation.
    TrainingOptions.Builder builder = TrainingOptions.builder(10_000_000).timeBudget(networkTime());
    if (trainsByMuon()) {
      builder.learningRate(1e-3).muon(gpu ? 0.01 : 0.02).weightDecay(0.05).linearDecay();
    } else {
      builder.learningRate(gpu ? 1e-3 : 3e-3).weightDecay(0.01).minimumRate(0.02);
    }
    return builder
        .precision(gpu ? Precision.BFLOAT16 : Precision.FLOAT32)
        .dropout(dropout())
        .hiddenSymbols(isShortOnGpu() ? 0.1 : 0)
        .warmupSteps(gpu ? 300 : 50)
        .logEvery(gpu ? 50 : 5)
        .evaluateEvery(gpu ? 500 : 200)
        .checkpointEvery(gpu ? 2000 : 200)
        .patience(10)
        .objective(architecture.defaultObjective())
        .build();
  }

  private double dropout() {
    if (!gpu) {
      return 0; // two cores do not read a text often enough
    }
    return isShortOnGpu() ? 0.5 : 0.1;
  }

  /** Whether all that is learned is a Transformer's; an LSTM has no matrices for Muon. */
  private boolean trainsByMuon() {
    return switch (options.family()) {
      case AUTOREGRESSIVE -> gpu;
      case GROUP -> true;
      case BIPARTITE -> false;
    };
  }

  /** The model. */
  Architecture architecture() {
    Space space = Space.uniform(length, text.vocabulary().size());
    Transformer attention =
        gpu ? new Transformer(512, 8, 8, 2048) : new Transformer(128, 4, 4, 512);
    return switch (options.family()) {
      case AUTOREGRESSIVE ->
          Architecture.of(
              space,
              new AutoregressiveBase(
                  Order.natural(length), gpu ? attention : counted(new Lstm(64, 256, 1))));
      case GROUP ->
          Presets.within(
              Math.min(length - 1, options.passes()),
              space,
              gpu ? groupedOnGpu() : counted(attention));
      case BIPARTITE -> Presets.within(1, space, attention);
    };
  }

  /**
   * What two cores learn in minutes is far less than what they count in seconds; and what a large
   * network makes of a short text, too.
   */
  private Network counted(Network network) {
    Vocabulary vocabulary = text.vocabulary();
    return NgramMixture.of(network, vocabulary.size(), text.length())
        .withWords(vocabulary.separators());
  }

  /** The networks that docs/parallel.md measures; two cores learn no more with n-grams. */
  private Network groupedOnGpu() {
    return isShortOnGpu()
        ? counted(new Transformer(384, 9, 8, 1536))
        : new Transformer(512, 12, 8, 2048).withNgrams();
  }

  private Metrics metrics(FlowModel flow, TextCodec codec, int[][] validation) {
    double bits = Math.log(2);
    double model = -FitRun.meanLogProb(flow, validation, options.group()) / bits / length;
    double[] logProbs = new PartialRows(null, codec.counts()).symbolLogProbs();
    double factorised =
        -Arrays.stream(validation)
            .flatMapToInt(Arrays::stream)
            .mapToDouble(symbol -> logProbs[symbol])
            .average()
            .orElseThrow();
    boolean bytes = codec.unit() == Unit.BYTES;
    return new Metrics(
        "bits per " + (bytes ? "byte" : "character"),
        (long) validation.length * length + " symbols",
        model,
        factorised / bits,
        Math.log(logProbs.length) / bits,
        deflatedBits(validation, bytes));
  }

  private double deflatedBits(int[][] rows, boolean bytes) {
    int[] ids = Arrays.stream(rows).flatMapToInt(Arrays::stream).toArray();
    String characters = text.vocabulary().text(ids);
    byte[] written =
        characters.getBytes(bytes ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    return Deflated.of(written).length * (double) Byte.SIZE / ids.length;
  }
}
