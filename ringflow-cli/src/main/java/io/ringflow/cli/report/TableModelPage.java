package io.ringflow.cli.report;

import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.table.ColumnComparison;
import io.ringflow.table.ColumnComparison.Value;
import io.ringflow.table.ColumnDependencies;
import io.ringflow.table.NearestRows;
import io.ringflow.table.PairComparison;
import io.ringflow.table.SamplingOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes what a table's model has learned as one HTML page with pictures. */
public final class TableModelPage {
  private static final int MAX_COLUMNS = 60;
  private static final int MAX_PAIRS = 12;
  private static final int MAX_NAME = 60;
  private static final int MAX_VALUES = 24;

  private final HtmlPage page;
  private final Content content;

  private TableModelPage(Content content) {
    this.content = content;
    page = new HtmlPage(content.title);
  }

  /**
   * What is on the page.
   *
   * @param title above all
   * @param facts in a line below it
   * @param metrics on held-out rows; null if there are none
   * @param names of all columns
   * @param order in which they are sampled
   * @param columns real beside sampled
   * @param real dependencies of real rows; null if there are none to count in
   * @param sampled dependencies of samples, of the same columns
   * @param pairs some of the strongest; none where there are no real rows
   * @param rows real rows and how likely they are; null if there are none
   * @param nearest training rows; null if they are not known
   * @param model tables of its columns and parts
   */
  public record Content(
      String title,
      String facts,
      TextTable metrics,
      List<String> names,
      SamplingOrder order,
      List<ColumnComparison> columns,
      ColumnDependencies real,
      ColumnDependencies sampled,
      List<PairComparison> pairs,
      Rows rows,
      NearestRows nearest,
      List<TextTable> model) {}

  /**
   * Real rows.
   *
   * @param file where they are from
   * @param chosen such as {@code 10,000 of 53,940 rows}
   * @param scores shares of real rows and samples, by ranges of log-likelihoods
   * @param least the least likely ones
   */
  public record Rows(String file, String chosen, List<Value> scores, TextTable least) {}

  /** Returns the page. */
  public static String html(Content content) {
    var page = new TableModelPage(content);
    page.summary();
    page.columns();
    page.pairs();
    page.dependencies();
    page.rows();
    page.nearest();
    page.page.heading("The model");
    content.model.forEach(page.page::table);
    return page.page.html();
  }

  private void summary() {
    page.paragraph("facts", content.facts);
    if (content.metrics != null) {
      page.heading("How much it has learned");
      page.table(content.metrics);
      page.paragraph(
          "small",
          "Of rows that were not learned from. They chose when to stop, so that the first line is slightly"
              + " optimistic.");
    }
  }

  private void columns() {
    page.heading("Columns, real and sampled");
    ColumnComparison any = content.columns.get(0);
    page.legend(
        content.rows == null
            ? "real: all " + count(any.realRows()) + " rows of training"
            : "real: " + count(any.realRows()) + " rows of " + content.rows.file,
        "sampled: " + count(any.sampledRows()) + " rows of the model");
    page.paragraph(
        "small",
        "The difference is the share of rows that would have to change for both to be alike, with what so"
            + " many rows of one and the same distribution would differ by chance. Numbers are in their bins, each"
            + " of about equally many training rows.");
    List<ColumnComparison> shown = content.columns;
    if (shown.size() > MAX_COLUMNS) {
      Comparator<ColumnComparison> excess =
          Comparator.comparingDouble(c -> c.differenceByChance() - c.difference());
      shown = shown.stream().sorted(excess).limit(MAX_COLUMNS).toList();
      page.paragraph(
          "small",
          "These are the %d of %s columns that differ most."
              .formatted(MAX_COLUMNS, count(content.columns.size())));
    }
    page.figures("pictures shares", shown.stream().map(TableModelPage::figure).toList());
  }

  private static String figure(ColumnComparison column) {
    String name = ShownText.of(column.column(), MAX_NAME);
    String picture =
        column.ordered() && column.values().size() > 6
            ? SharesPicture.steps(name, column.values())
            : SharesPicture.bars(name, column.values());
    return HtmlPage.caption(name, difference(column.difference(), column.differenceByChance()))
        + picture;
  }

  private static String difference(double found, double byChance) {
    return "difference "
        + SharesPicture.percent(found)
        + ", by chance "
        + SharesPicture.percent(byChance);
  }

  private void pairs() {
    if (content.sampled.columns().size() < 2) {
      return;
    }
    page.heading("Pairs of columns");
    boolean some = content.sampled.columns().size() < content.names.size();
    page.paragraph(
        "small",
        "How much two columns know of each other: their mutual information less that of chance, as a share"
            + " of what can be known of the simpler one. Columns stand in the order of sampling"
            + (some
                ? ": the first %d of %s."
                    .formatted(content.sampled.columns().size(), count(content.names.size()))
                : "."));
    List<String> figures = new ArrayList<>();
    if (content.real == null) {
      figures.add(
          HtmlPage.caption("Samples", "full colour: 100 %")
              + DependencyPicture.matrix("dependencies of samples", content.sampled));
    } else {
      figures.add(
          HtmlPage.caption("Real below the diagonal, sampled above", "full colour: 100 %")
              + DependencyPicture.matrix(
                  "dependencies, real and sampled", content.real, content.sampled));
      figures.add(
          HtmlPage.caption(
                  "Sampled minus real",
                  "full colour: 20 % too much or, in the colour of real, too little")
              + DependencyPicture.difference(
                  "dependencies, sampled minus real", content.real, content.sampled));
    }
    page.figures("pictures wide-pictures", figures);
    page.table(strongest());
    if (!content.pairs.isEmpty()) {
      page.paragraph(
          "small",
          "The strongest pairs, value by value: bright is frequent. The first column runs to the right, the"
              + " second upwards; numbers ascend, other values become rarer and are the %d most frequent."
                  .formatted(MAX_VALUES));
      page.figures(
          "pictures shares",
          content.pairs.stream()
              .map(
                  pair ->
                      HtmlPage.caption(
                              ShownText.of(pair.first() + " × " + pair.second(), 2 * MAX_NAME),
                              difference(pair.difference(), pair.differenceByChance()))
                          + DependencyPicture.pair(
                              pair, maxValues(pair.first()), maxValues(pair.second())))
              .toList());
    }
  }

  /** Numbers keep their shape; of many names all but the first would be dark. */
  private int maxValues(String column) {
    boolean ordered =
        content.columns.stream().anyMatch(c -> c.column().equals(column) && c.ordered());
    return ordered ? Integer.MAX_VALUE : MAX_VALUES;
  }

  private TextTable strongest() {
    ColumnDependencies first = content.real == null ? content.sampled : content.real;
    List<Column> columns = new ArrayList<>(List.of(Column.text("strongest pairs")));
    if (content.real != null) {
      columns.add(Column.number("real, nats"));
    }
    columns.add(Column.number("sampled, nats"));
    columns.add(Column.number("of what can be known"));
    List<List<String>> rows = new ArrayList<>();
    for (ColumnDependencies.Pair pair : first.strongest(MAX_PAIRS)) {
      int i = pair.first();
      int j = pair.second();
      List<String> row = new ArrayList<>(List.of(name(first, i) + " × " + name(first, j)));
      if (content.real != null) {
        row.add(Numbers.fixed(content.real.nats(i, j)));
      }
      row.add(Numbers.fixed(content.sampled.nats(i, j)));
      row.add(SharesPicture.percent(first.share(i, j)));
      rows.add(row);
    }
    return new TextTable(columns, rows);
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String name(ColumnDependencies of, int column) {
    return ShownText.of(of.columns().get(column), MAX_NAME);
  }

  private void dependencies() {
    page.heading("What depends on what");
    page.paragraph(
        "small",
        "The tree of the strongest dependencies among samples, with the nats that a column and the one above"
            + " it know of each other; and the order in which the model samples columns, and the earlier"
            + " ones that it looks up directly; its network sees all of those sampled before.");
    List<List<String>> rows = new ArrayList<>();
    for (SamplingOrder.Turn turn : content.order.turns()) {
      rows.add(
          List.of(Integer.toString(turn.pass()), names(turn.columns()), names(turn.parents())));
    }
    page.beside(
        DependencyPicture.tree("tree of dependencies", content.sampled),
        new TextTable(
            List.of(Column.number("pass"), Column.text("columns"), Column.text("look up")), rows));
  }

  private String names(List<Integer> columns) {
    return columns.stream()
        .map(column -> ShownText.of(content.names.get(column), MAX_NAME))
        .collect(Collectors.joining(", "));
  }

  private void rows() {
    if (content.rows == null) {
      return;
    }
    page.heading("Least likely rows");
    page.paragraph(
        "small",
        "Of %s of %s. A row's log-likelihood is the sum of its columns' parts, each given the columns sampled"
                .formatted(content.rows.chosen, content.rows.file)
            + " before; those that cost most are named.");
    page.legend("real", "sampled");
    page.figures(
        "pictures shares",
        List.of(
            HtmlPage.caption("Log-likelihoods", "nats per row")
                + SharesPicture.steps("log-likelihoods", content.rows.scores)));
    page.table(content.rows.least);
  }

  private void nearest() {
    if (content.rows == null) {
      page.paragraph(
          "quick",
          "--data FILE.csv adds what only rows can tell: pairs of columns real beside sampled, the least likely"
              + " rows, and how near samples come to the rows of training.");
      return;
    }
    page.heading("Nearest rows of training");
    if (content.nearest == null) {
      page.paragraph(
          "",
          content.rows.file
              + " is not the table that the model was trained on, so that there are none to look at.");
      return;
    }
    NearestRows nearest = content.nearest;
    page.paragraph(
        "small",
        "In how many columns a row differs from the nearest of %s training rows, where numbers count as their"
                .formatted(count(nearest.trainingRows()))
            + " bins. Samples that come nearer than rows that were held out would tell of single rows of"
            + " training.");
    page.legend("rows held out of training", "samples");
    page.figures(
        "pictures shares",
        List.of(
            HtmlPage.caption(
                    "Columns that differ",
                    "equal to a training row: "
                        + SharesPicture.percent(nearest.copiedSamples())
                        + " of samples, "
                        + SharesPicture.percent(nearest.copiedHeldOut())
                        + " of rows held out")
                + SharesPicture.steps("columns that differ", distances(nearest))));
  }

  /** Up to the largest distance that occurs. */
  private static List<Value> distances(NearestRows nearest) {
    double samples = Arrays.stream(nearest.samples()).sum();
    double heldOut = Arrays.stream(nearest.heldOut()).sum();
    List<Value> values = new ArrayList<>();
    int empty = 0;
    for (int distance = 0; distance < nearest.samples().length; distance++) {
      int own = nearest.samples()[distance];
      int others = nearest.heldOut()[distance];
      empty = own + others == 0 ? empty + 1 : 0;
      values.add(new Value(Integer.toString(distance), others / heldOut, own / samples));
    }
    return values.subList(0, values.size() - empty);
  }
}
