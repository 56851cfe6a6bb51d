package io.ringflow.cli.command;

import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ShownText;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.infer.Estimate;
import io.ringflow.infer.ExactAnswer;
import io.ringflow.infer.Variable;
import io.ringflow.infer.WeightedSamples;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** The answers to a question about a graph, as lines and a table for the screen. */
final class InferenceText {
  private static final int MAX_NAME = 40;
  private static final int MAX_LINE = 100;
  private static final double SMALL = 0.0001; // is shown by its digits, not by its decimals
  private static final double OF_NONE = 3; // what a count of 0 is below, with 95 % confidence

  /** Standard errors that chance does not explain. */
  private static final double FAR = 5;

  private static final double ROUNDING = 1e-6;

  private final GivenGraph graph;
  private final String logZ;
  private final WeightedSamples samples;
  private final ExactAnswer exact;
  private final int[] mostLikely;

  /**
   * Answers.
   *
   * @param logZ what the logarithm of the sum of all weights is called
   * @param samples null where only the exact answer was asked for
   * @param exact null where it would take too long
   * @param mostLikely the row that weighs most; null where it would take too long to find
   */
  InferenceText(
      GivenGraph graph, String logZ, WeightedSamples samples, ExactAnswer exact, int[] mostLikely) {
    this.graph = graph;
    this.logZ = logZ;
    this.samples = samples;
    this.exact = exact;
    this.mostLikely = mostLikely;
  }

  /**
   * Prints the answers.
   *
   * @param shown the variables that were asked for
   * @param trained how the model was trained; null without samples
   */
  void print(PrintWriter screen, List<Variable> shown, String trained) {
    if (samples == null) {
      fact(screen, logZ, log(exact.logZ()) + ", exactly");
    } else {
      fact(
          screen,
          logZ,
          withError(samples.logZ()) + (exact == null ? "" : "; exactly " + log(exact.logZ())));
      fact(screen, "lower bound", withError(samples.bound()));
      fact(
          screen,
          "ESS/M",
          String.format(
              Locale.ROOT,
              "%.3f: %,d samples are worth %,.1f independent ones",
              samples.ess(),
              samples.size(),
              effective()));
      fact(screen, "trained", trained);
    }
    if (!shown.isEmpty()) { // every variable may be known
      screen.println();
      screen.print(marginals(shown).console());
    }
    if (!graph.unknown().variables().isEmpty()) {
      screen.println();
      printLikeliest(screen, shown);
    }
    screen.flush();
  }

  /** Why the estimates should not be trusted, a sentence each: an exact answer tells more. */
  List<String> doubts() {
    List<String> doubts = new ArrayList<>(samples.doubts());
    if (exact != null) {
      Estimate estimate = samples.logZ();
      double off = Math.abs(estimate.value() - exact.logZ());
      if (off > FAR * estimate.standardError() + ROUNDING) {
        doubts.add(
            String.format(
                Locale.ROOT,
                "%s is off by %.4f, more than %.0f standard errors: the model misses states, train"
                    + " longer",
                logZ,
                off,
                FAR));
      }
    }
    return doubts;
  }

  private static void fact(PrintWriter screen, String name, String value) {
    screen.printf("%-15s  %s%n", name, value);
  }

  private double effective() {
    return samples.ess() * samples.size();
  }

  private static String withError(Estimate estimate) {
    return log(estimate.value()) + " +/- " + probability(estimate.standardError());
  }

  private static String log(double value) {
    return Numbers.fixed(value == 0 ? 0 : value, 4); // never -0
  }

  /** Four decimals, or two digits of what would have none of them. */
  private static String probability(double value) {
    return value == 0 || value >= SMALL
        ? Numbers.fixed(value, 4)
        : String.format(Locale.ROOT, "%.1e", value);
  }

  private TextTable marginals(List<Variable> shown) {
    List<Column> columns = new ArrayList<>(List.of(Column.text("variable"), Column.text("state")));
    if (samples != null) {
      columns.add(Column.number("probability"));
      columns.add(Column.number("+/-"));
    }
    if (exact != null) {
      columns.add(Column.number(samples == null ? "probability" : "exact"));
    }
    List<List<String>> rows = new ArrayList<>();
    for (Variable variable : shown) {
      for (int symbol = 0; symbol < variable.states().size(); symbol++) {
        rows.add(cells(variable, symbol));
      }
    }
    return new TextTable(columns, rows);
  }

  private List<String> cells(Variable variable, int symbol) {
    String state = variable.states().get(symbol);
    List<String> cells = new ArrayList<>();
    cells.add(ShownText.of(variable.name(), MAX_NAME));
    cells.add(ShownText.of(state, MAX_NAME));
    String known = graph.known().get(variable.name());
    int position = known == null ? graph.unknown().position(variable.name()) : -1;
    double certain = state.equals(known) ? 1 : 0;
    if (samples != null) {
      Estimate estimate =
          known == null ? samples.probability(position, symbol) : new Estimate(certain, 0);
      cells.add(probability(estimate.value()));
      cells.add(error(estimate, known != null));
    }
    if (exact != null) {
      cells.add(probability(known == null ? exact.marginals()[position][symbol] : certain));
    }
    return cells;
  }

  /** Samples that all agree have no spread, but that does not make the probability 0 or 1. */
  private String error(Estimate estimate, boolean certain) {
    return estimate.standardError() == 0 && !certain
        ? "< " + probability(Math.min(1, OF_NONE / effective()))
        : probability(estimate.standardError());
  }

  private void printLikeliest(PrintWriter screen, List<Variable> shown) {
    boolean found = mostLikely == null; // among samples, where there may be a likelier one
    int[] row = found ? samples.likeliest(1).get(0) : mostLikely;
    double logWeight = graph.unknown().logWeights(new int[][] {row})[0];
    double total = exact == null ? samples.logZ().value() : exact.logZ();
    screen.printf(
        "Most likely state%s, log-weight %s, probability %s%s:%n",
        found ? " found" : "",
        log(logWeight),
        probability(Math.exp(logWeight - total)),
        new HashSet<>(shown).containsAll(graph.unknown().variables())
            ? ""
            : "; of its variables those asked for");
    List<String> states = graph.states(row);
    var line = new StringBuilder();
    for (Variable variable : shown) {
      String state = states.get(graph.all().position(variable.name()));
      String word = ShownText.of(variable.name(), MAX_NAME) + "=" + ShownText.of(state, MAX_NAME);
      if (line.length() > 0 && line.length() + word.length() + 3 > MAX_LINE) {
        screen.println(" " + line + ",");
        line.setLength(0);
      }
      line.append(line.length() == 0 ? " " : ", ").append(word);
    }
    screen.println(" " + line);
  }
}
