package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.experiment.SampleJudge.Verdict;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Samples of the models of an experiment, judged by one of them, as lines of a report; above them
 * stand real text, and random symbols, as measures of the measures.
 */
final class JudgedSamples {
  private static final int MAX_ROWS = 1000;

  /** Of shorter rows it takes more until 4-grams are counted often enough to mean something. */
  private static final int MAX_SHORT_ROWS = 2000;

  private static final int MAX_QUICK_ROWS = 20;

  private final TextData data;
  private final Settings settings;
  private final Trial judge;

  /**
   * Will judge samples.
   *
   * @param judge whose model judges the others, if this run or an earlier part of it has finished
   *     it
   */
  JudgedSamples(TextData data, Settings settings, Trial judge) {
    this.data = data;
    this.settings = settings;
    this.judge = judge;
  }

  /**
   * Judges samples of the first seed's models, and as many rows of the test text and of chance.
   *
   * @param experiment names the listing
   */
  Listing of(String experiment, List<Finished> finished) throws IOException {
    int[][] real = data.test().some(maxRows()).rows();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-32s %8s %8s %8s %6s %8s %8s",
            "text", "words", "known %", "bpc", "+-", "1-gram", "4-gram"));
    try (FlowModel model = Finished.findModel(settings, judge).orElse(null)) {
      SampleJudge samples =
          new SampleJudge(data.words().get(), model, data.space().maxCardinality(), data.show());
      lines.add(line("test text", samples.judge(real)));
      lines.add(line("random letters", samples.judge(random(real.length))));
      for (Finished one : finished) {
        if (one.trial().seed() == settings.seed()) {
          try (FlowModel sampled = one.load(settings)) {
            int[][] rows = sampled.sample(real.length, settings.seed());
            lines.add(line(one.trial().model(), samples.judge(rows)));
          }
        }
      }
    }
    return new Listing(
        experiment + "-judged",
        String.format(
            Locale.ROOT,
            "Samples, judged: %,d rows each; words that the training text has, exact bits per character"
                + " under '%s', entropies in bits",
            real.length,
            judge.model()),
        lines);
  }

  private int maxRows() {
    return switch (settings.effort()) {
      case FULL -> MAX_ROWS;
      case DEFAULT -> MAX_SHORT_ROWS;
      case QUICK -> MAX_QUICK_ROWS;
    };
  }

  /** Rows of independent symbols, each as likely as any other: nothing has more entropy. */
  private int[][] random(int count) {
    var random = new SplittableRandom(settings.seed());
    int[][] rows = new int[count][data.space().size()];
    for (int[] row : rows) {
      Arrays.setAll(row, position -> random.nextInt(data.space().cardinality(position)));
    }
    return rows;
  }

  private static String line(String text, Verdict verdict) {
    return String.format(
        Locale.ROOT,
        "%-32s %8d %8s %8s %6s %8.3f %8.3f",
        text,
        verdict.spelling().words(),
        number("%.1f", 100 * verdict.spelling().share()),
        number("%.3f", verdict.bits() == null ? Double.NaN : verdict.bits().value()),
        number("%.3f", verdict.bits() == null ? Double.NaN : verdict.bits().standardError()),
        verdict.unigram(),
        verdict.fourGram());
  }

  private static String number(String format, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
  }
}
