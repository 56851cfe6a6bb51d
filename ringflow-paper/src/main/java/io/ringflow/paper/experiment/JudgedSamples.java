package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.experiment.SampleJudge.Verdict;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Samples of the models of an experiment, judged by one of them, as lines of a report; real text
 * stands above them.
 */
final class JudgedSamples {
  private static final int ROWS = 1000;
  private static final int QUICK_ROWS = 20;

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
   * Judges samples of the first seed's models, and as many rows of the test text.
   *
   * @param experiment names the listing
   */
  Listing of(String experiment, List<Finished> finished) throws IOException {
    int[][] real = data.test().some(settings.effort() == Effort.QUICK ? QUICK_ROWS : ROWS).rows();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-32s %8s %8s %8s %6s %8s %8s",
            "text", "words", "known %", "bpc", "+-", "1-gram", "4-gram"));
    try (FlowModel model = Finished.findModel(settings, judge).orElse(null)) {
      SampleJudge samples =
          new SampleJudge(data.words().get(), model, data.space().maxCardinality(), data.show());
      lines.add(line("test text", samples.judge(real)));
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
