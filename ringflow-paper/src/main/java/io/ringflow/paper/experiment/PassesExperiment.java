package io.ringflow.paper.experiment;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.model.Presets;
import io.ringflow.network.Network;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.Transformer;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.NeighbourEntropy;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Beyond the paper: how much likelihood each pass buys. Exact models of text that sample a row in
 * 4, 10, 32, … network calls, up to the autoregressive one.
 *
 * <p>They are what {@link Presets#within(int, Space, io.ringflow.network.Network)} chooses, each
 * trained from scratch for the same time. For comparison, models with other orders are trained at
 * one number of passes.
 */
final class PassesExperiment extends TextExperiment {
  /** Rows of the training text by which a spread-out order is cut into groups. */
  private static final int COUNTED_ROWS = 4000;

  /** Characters of training text. */
  private static final int SHORT_TEXT = 10_000_000;

  /** The model that judges the samples of all: one symbol after the other. */
  private static final String JUDGE = "autoregressive";

  PassesExperiment() {
    super(
        "passes",
        "Likelihood by the pass: text in a few network calls",
        TextCorpus.LETTERS_HELP + "; or the folder of the Penn Tree Bank's characters",
        PassesExperiment::load);
  }

  static TextData load(Path path, int length) throws IOException {
    return Files.isDirectory(path) ? TextData.cutPennTreebank(path) : TextData.text8(path, length);
  }

  /** How many network calls the models for rows of some length take. */
  private static List<Integer> budgets(int length) {
    return length >= 256 ? List.of(4, 10, 32) : length >= 64 ? List.of(2, 4, 8, 16) : List.of(2, 4);
  }

  @Override
  List<Trial> trials(TextTrials trials, TextData data, TextSizes sizes, long seed) {
    List<Trial> all = new ArrayList<>();
    Network network = network(data, sizes);
    UnaryOperator<TrainingOptions.Builder> regularized =
        o -> o.dropout(dropout(data, sizes)).hiddenSymbols(hiddenSymbols(data, sizes));
    for (int passes : budgets(data.space().size())) {
      Architecture architecture = Presets.within(passes, data.space(), network);
      all.add(trial(passes(passes) + ", patches", architecture, regularized, trials, sizes, seed));
    }
    otherOrders(data, sizes, budgets(data.space().size()).get(1))
        .forEach(
            (name, architecture) -> {
              int count = ((GroupBase) architecture.base()).groups().count();
              all.add(
                  trial(
                      passes(count) + ", " + name, architecture, regularized, trials, sizes, seed));
            });
    all.add(judge(trials, data, sizes, seed));
    return all;
  }

  /** Whether a large network soon knows a text by heart. */
  static boolean isShort(TextData data) {
    return data.characters() < SHORT_TEXT;
  }

  /**
   * The network of models in few passes: with counted n-grams where a network has little to say.
   */
  static Network network(TextData data, TextSizes sizes) {
    Transformer transformer = transformer(data, sizes);
    return isCounted(data, sizes) ? counted(transformer, data) : transformer;
  }

  /** Two cores count far more than they learn, and a short text is soon known by heart. */
  static boolean isCounted(TextData data, TextSizes sizes) {
    return sizes.scored() != 0 || isShort(data);
  }

  static NgramMixture counted(Network network, TextData data) {
    return NgramMixture.of(network, data.space().maxCardinality(), data.characters());
  }

  /** The network itself: embedded n-grams for a long text, a smaller one for a short. */
  static Transformer transformer(TextData data, TextSizes sizes) {
    Transformer deep = sizes.transformer(sizes.deep());
    if (sizes.scored() != 0) {
      return deep; // two cores learn no more with embedded n-grams
    }
    return isShort(data)
        ? new Transformer(
            deep.width() * 3 / 4, deep.layers() * 3 / 4, deep.heads(), deep.filter() * 3 / 4)
        : deep.withNgrams();
  }

  /** Full-size models read their text often enough to learn it by heart, a short one soonest. */
  static double dropout(TextData data, TextSizes sizes) {
    if (sizes.scored() != 0) {
      return 0;
    }
    return isShort(data) ? 0.5 : 0.1;
  }

  /** What a network is not shown, it has to know by something else, and knows less by heart. */
  static double hiddenSymbols(TextData data, TextSizes sizes) {
    return sizes.scored() == 0 && isShort(data) ? 0.1 : 0;
  }

  private static Trial trial(
      String name,
      Architecture architecture,
      UnaryOperator<TrainingOptions.Builder> regularized,
      TextTrials trials,
      TextSizes sizes,
      long seed) {
    Row row = new Row(name, architecture);
    return trials.muon(row, sizes.largeBatch(), regularized, seed);
  }

  private static Trial judge(TextTrials trials, TextData data, TextSizes sizes, long seed) {
    Transformer transformer = transformer(data, sizes).withNgrams(0);
    Network network = isCounted(data, sizes) ? counted(transformer, data) : transformer;
    Row row = new Row(JUDGE, TextSizes.autoregressive(data.space(), network));
    // In the time that it gets, it learns more from a long text without dropout.
    double dropout = isShort(data) ? dropout(data, sizes) : 0;
    return trials.muon(row, sizes.batch(), o -> o.dropout(dropout), seed);
  }

  private static String passes(int count) {
    return count + (count == 1 ? " pass" : " passes");
  }

  /** The same network in other orders, at about so many passes. */
  private static Map<String, Architecture> otherOrders(TextData data, TextSizes sizes, int passes) {
    int length = data.space().size();
    Order spread = Order.spread(length);
    int[][] counted = data.refit().some(COUNTED_ROWS).rows();
    double[] losses =
        new NeighbourEntropy(counted, data.space().maxCardinality()).whenKnown(spread);
    Map<String, Architecture> orders = new TreeMap<>();
    orders.put(
        "growing pairs",
        architecture(data, sizes, Groups.growing(length / 2, passes), new Pack(2)));
    orders.put("growing letters", architecture(data, sizes, Groups.growing(length, passes)));
    orders.put("equal blocks", architecture(data, sizes, Groups.blocks(length, passes)));
    orders.put("midpoints", architecture(data, sizes, Groups.midpoints(length)));
    orders.put("spread out", architecture(data, sizes, Groups.cut(spread, losses, passes)));
    return orders;
  }

  private static Architecture architecture(
      TextData data, TextSizes sizes, Groups groups, Layer... layers) {
    return new Architecture(
        data.space(),
        Space.NONE,
        new GroupBase(groups, sizes.transformer(sizes.deep())),
        List.of(layers));
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    Outcome text = super.outcome(settings, finished);
    List<Result> firstSeed =
        text.results().stream().filter(result -> result.seed() == settings.seed()).toList();
    List<LineChart> charts = new ArrayList<>(PassesFrontier.of(firstSeed));
    charts.addAll(text.charts());
    List<Listing> listings = new ArrayList<>();
    listings.add(judged(settings).of(name(), finished));
    listings.addAll(text.listings());
    return new Outcome(
        text.results(), text.references(), text.heatmaps(), charts, listings, text.notes());
  }

  private JudgedSamples judged(Settings settings) {
    TextData data = data(settings);
    TextSizes sizes = TextSizes.of(settings.effort());
    TextTrials trials = new TextTrials(setting(settings, data), data, sizes, settings);
    return new JudgedSamples(data, settings, judge(trials, data, sizes, settings.seed()));
  }

  @Override
  String peers(String model) {
    return "";
  }

  @Override
  List<String> notes() {
    return List.of(
        "Bits per character: what whole rows cost, over the number of characters; rows do not overlap,"
            + " the first character of a row counts, and no context is carried over. All likelihoods"
            + " are exact.",
        "The first 90 % of the text are for training, the next 5 % choose the weights, the last 5 %"
            + " are scored once.",
        "Models of patches sample several neighbours in a call: a Transformer reads patches, and a"
            + " shallow one behind it takes their symbols one after the other. 'Network calls' are those"
            + " of the former.",
        "'Spread out' cuts an evenly spread order into groups by dynamic programming over what a"
            + " symbol costs when so many are known, counted from nearest neighbours.",
        "Others on text8: one pass 1.80 and 1.88, 20 passes 1.51 and 1.56, hundreds 1.37 to 1.45, all"
            + " of them bounds; autoregressive, 12 layers, 1.23, exact. A result on another text is"
            + " not one of text8.",
        "Samples are judged as others judge theirs: by words that the training text has, those between"
            + " two blanks of a row; by the bits per character that the autoregressive model of this run"
            + " pays for them, exact and without context as for the test text; and by their N-gram"
            + " entropy, Shannon's F_N: of a character given the N - 1 before it, by the frequencies in"
            + " these rows. Good samples are like the test text in all of them. Few bits alone mean"
            + " little: a model that repeats itself gets few, and little entropy.",
        "Generation is in float64, with a cache of keys and values; the median of five.");
  }
}
