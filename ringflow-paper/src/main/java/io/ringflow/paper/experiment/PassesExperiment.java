package io.ringflow.paper.experiment;

import io.ringflow.base.GroupBase;
import io.ringflow.core.GroupSizes;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.NeighbourEntropy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Beyond the paper: how much likelihood each pass buys. Exact models of text that draw a row in 4,
 * 10, 16, … network calls, and at the ladder's end the autoregressive one.
 *
 * <p>The rungs are one network, in growing runs of pairs of letters ({@link Groups#growing}, {@link
 * Pack}): the first is trained from scratch, each other begins with the weights of one before it,
 * whose time is counted in. Beside them, at one number of passes, stand the other orders.
 */
final class PassesExperiment implements Experiment {
  private static final String NAME = "ladder";
  private static final int LETTERS = 2;
  private static final String RUNG = ", pairs";
  private static final double RATE = 1e-3;
  private static final double LATER_RATE = 6e-4;

  /** Rows of the training text by which a spread-out order is cut into groups. */
  private static final int COUNTED_ROWS = 4000;

  private final LettersCorpus corpus = new LettersCorpus();

  /**
   * One rung.
   *
   * @param passes network calls
   * @param from the passes of the rung whose weights it begins with; 0 for none
   * @param timeShare of the time a model may train
   */
  private record Rung(int passes, int from, double timeShare) {}

  /** The rungs of rows of so many pairs, at least eight, in the order to climb them. */
  private static List<Rung> rungs(int pairs) {
    int first = Math.max(4, pairs / 8);
    int fewer = first * 5 / 8;
    List<Rung> rungs = new ArrayList<>();
    rungs.add(new Rung(first, 0, 1));
    rungs.add(new Rung(fewer, first, 0.7));
    rungs.add(new Rung(2 * first, first, 0.5));
    rungs.add(new Rung(first / 4, fewer, 0.25));
    if (pairs > 2 * first) {
      rungs.add(new Rung(pairs, 2 * first, 0.3));
    }
    return rungs;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Likelihood by the pass: text in a few network calls";
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(LettersCorpus.HELP);
  }

  @Override
  public boolean timed() {
    return true;
  }

  private TextData data(Settings settings) {
    return corpus.get(settings, TextSizes.of(settings.effort()).length());
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    TextData data = data(settings);
    TextSizes sizes = TextSizes.of(settings.effort());
    String setting = LettersCorpus.setting(settings, sizes.length());
    TextTrials trials = new TextTrials(setting, data, sizes, settings);
    List<Trial> all = new ArrayList<>();
    all.add(trials.unigrams(seed));
    int pairs = sizes.length() / LETTERS;
    Map<Integer, Trial> climbed = new HashMap<>();
    for (Rung rung : rungs(pairs)) {
      Architecture architecture =
          architecture(data, sizes, Groups.growing(pairs, rung.passes), new Pack(LETTERS));
      Trial source = climbed.get(rung.from);
      Trial trial =
          trials.base(
              new Row(passes(rung.passes) + RUNG, architecture, rung.timeShare, null, null),
              sizes.largeBatch(),
              source == null ? RATE : LATER_RATE,
              0,
              true,
              source == null ? Trial.Start.AS_MADE : Trial.Start.after(source),
              seed);
      climbed.put(rung.passes, trial);
      all.add(trial);
    }
    others(data, sizes)
        .forEach(
            (name, groups) ->
                all.add(
                    trials.autoregressive(
                        new Row(
                            passes(groups.count()) + ", " + name,
                            architecture(data, sizes, groups)),
                        sizes.largeBatch(),
                        RATE,
                        0,
                        true,
                        seed)));
    return all;
  }

  private static String passes(int count) {
    return count + (count == 1 ? " pass" : " passes");
  }

  /** The other orders, letter by letter, at about as many passes as the first rung has. */
  private static Map<String, Groups> others(TextData data, TextSizes sizes) {
    int length = sizes.length();
    int passes = rungs(length / LETTERS).get(0).passes;
    Order spread = Order.spread(length);
    TextData.Rows counted = data.refit().some(COUNTED_ROWS);
    double[] losses =
        new NeighbourEntropy(counted.rows(), data.space().maxCardinality()).whenKnown(spread);
    Map<String, Groups> groups = new TreeMap<>();
    groups.put("growing letters", Groups.growing(length, passes));
    groups.put("equal blocks", Groups.blocks(length, passes));
    groups.put("midpoints", Groups.midpoints(length));
    groups.put("spread out", Groups.cut(spread, GroupSizes.best(losses, passes)));
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
    TextSizes sizes = TextSizes.of(settings.effort());
    String setting = LettersCorpus.setting(settings, sizes.length());
    List<Reference> references =
        finished.stream()
            .map(one -> one.trial().model())
            .distinct()
            .map(model -> new Reference(setting, model, null, null, ""))
            .toList();
    Outcome text =
        new TextOutcome(NAME, data(settings), settings, sizes.scored())
            .of(finished, references, notes());
    List<Result> firstSeed =
        text.results().stream().filter(result -> result.seed() == settings.seed()).toList();
    List<LineChart> charts = new ArrayList<>(PassesFrontier.of(firstSeed));
    charts.addAll(text.charts());
    return new Outcome(
        text.results(), text.references(), text.heatmaps(), charts, text.listings(), text.notes());
  }

  private static List<String> notes() {
    return List.of(
        "Bits per character: what whole rows cost, over the number of characters; rows do not overlap,"
            + " the first character of a row counts, and no context is carried over. All likelihoods"
            + " are exact.",
        "The first 90 % of the text are for training, the next 5 % choose the weights, the last 5 %"
            + " are scored once.",
        "Every 'pairs' model but the first begins with the weights of another one; its seconds include"
            + " those of all it descends from.",
        "'Spread out' cuts an evenly spread order into groups by dynamic programming over what a"
            + " symbol costs when so many are known, counted from nearest neighbours.",
        "Others on text8: one pass 1.80 and 1.88, 20 passes 1.51 and 1.56, hundreds 1.37 to 1.45, all"
            + " of them bounds; autoregressive, 12 layers, 1.23, exact. A figure on another text is"
            + " not one of text8.",
        "Generation is in 64 bits, with a cache of keys and values; the median of five.");
  }
}
