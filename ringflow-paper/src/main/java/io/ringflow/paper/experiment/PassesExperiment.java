package io.ringflow.paper.experiment;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.NeighbourEntropy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Beyond the paper: how much likelihood each pass buys. Exact models of text that sample a row in
 * 4, 10, 16, … network calls, up to the autoregressive one.
 *
 * <p>They are one network, in growing runs of pairs of letters ({@link Groups#growing}, {@link
 * Pack}): the first model is trained from scratch, each other starts from the weights of one before
 * it, whose training time is added to its own. For comparison, models with other orders are trained
 * at one number of passes.
 */
final class PassesExperiment extends TextExperiment {
  private static final int LETTERS = 2;
  private static final double RATE = 1e-3;
  private static final double LATER_RATE = 6e-4;

  /** Rows of the training text by which a spread-out order is cut into groups. */
  private static final int COUNTED_ROWS = 4000;

  /** The model that judges the samples of all: one symbol after the other. */
  private static final String JUDGE = "autoregressive";

  PassesExperiment() {
    super(
        "passes",
        "Likelihood by the pass: text in a few network calls",
        TextCorpus.LETTERS_HELP,
        TextData::text8);
  }

  /**
   * One model in pairs of letters.
   *
   * @param passes network calls
   * @param from the passes of the model whose weights it starts from; 0 for none
   * @param timeShare of the time a model may train
   */
  private record Step(int passes, int from, double timeShare) {}

  /** The models of rows of so many pairs, at least eight, in the order to train them. */
  private static List<Step> steps(int pairs) {
    int first = Math.max(4, pairs / 8);
    int fewer = first * 5 / 8;
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(first, 0, 1));
    steps.add(new Step(fewer, first, 0.7));
    steps.add(new Step(2 * first, first, 0.5));
    steps.add(new Step(first / 4, fewer, 0.25));
    if (pairs > 2 * first) {
      steps.add(new Step(pairs, 2 * first, 0.3));
    }
    return steps;
  }

  @Override
  List<Trial> trials(TextTrials trials, TextData data, TextSizes sizes, long seed) {
    List<Trial> all = new ArrayList<>();
    int batch = sizes.largeBatch();
    int pairs = sizes.length() / LETTERS;
    Map<Integer, Trial> byPasses = new HashMap<>();
    for (Step step : steps(pairs)) {
      Architecture architecture =
          architecture(data, sizes, Groups.growing(pairs, step.passes), new Pack(LETTERS));
      Row row = new Row(passes(step.passes) + ", pairs", architecture, step.timeShare, null, null);
      Trial source = byPasses.get(step.from);
      Trial trial =
          source == null
              ? trials.autoregressive(row, batch, RATE, 0, true, seed)
              : trials.base(row, batch, LATER_RATE, 0, true, Trial.Start.after(source), seed);
      byPasses.put(step.passes, trial);
      all.add(trial);
    }
    otherOrders(data, sizes, steps(pairs).get(0).passes)
        .forEach(
            (name, groups) -> {
              String model = passes(groups.count()) + ", " + name;
              Row row = new Row(model, architecture(data, sizes, groups));
              all.add(trials.autoregressive(row, batch, RATE, 0, true, seed));
            });
    all.add(judge(trials, data, sizes, seed));
    return all;
  }

  private static Trial judge(TextTrials trials, TextData data, TextSizes sizes, long seed) {
    Row row =
        new Row(JUDGE, TextSizes.autoregressive(data.space(), sizes.transformer(sizes.deep())));
    return trials.autoregressive(row, sizes.largeBatch(), RATE, 0, true, seed);
  }

  private static String passes(int count) {
    return count + (count == 1 ? " pass" : " passes");
  }

  /** Other orders, letter by letter, at about so many passes. */
  private static Map<String, Groups> otherOrders(TextData data, TextSizes sizes, int passes) {
    int length = sizes.length();
    Order spread = Order.spread(length);
    int[][] counted = data.refit().some(COUNTED_ROWS).rows();
    double[] losses =
        new NeighbourEntropy(counted, data.space().maxCardinality()).whenKnown(spread);
    Map<String, Groups> groups = new TreeMap<>();
    groups.put("growing letters", Groups.growing(length, passes));
    groups.put("equal blocks", Groups.blocks(length, passes));
    groups.put("midpoints", Groups.midpoints(length));
    groups.put("spread out", Groups.cut(spread, losses, passes));
    return groups;
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
        "Every 'pairs' model but the first starts from the weights of another one; its seconds include"
            + " those of all it descends from.",
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
