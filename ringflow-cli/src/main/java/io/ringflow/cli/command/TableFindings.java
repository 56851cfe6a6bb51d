package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ShownText;
import io.ringflow.cli.report.TableModelPage;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.core.SamplingOptions;
import io.ringflow.model.Provenance;
import io.ringflow.table.ColumnComparison;
import io.ringflow.table.ColumnComparison.Value;
import io.ringflow.table.ColumnDependencies;
import io.ringflow.table.Condition;
import io.ringflow.table.DataTable;
import io.ringflow.table.NearestRows;
import io.ringflow.table.NewValues;
import io.ringflow.table.PairComparison;
import io.ringflow.table.SamplingOrder;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What there is to say of a table's model, found out for a page. */
final class TableFindings {
  private static final int MAX_UNLIKELY_ROWS = 20;
  private static final int SHOWN_PAIRS = 6;
  private static final int MAX_PAIR_COLUMNS = 100;
  private static final int MAX_TEXT = 100;

  /** Ranges of scores, and the share of rows that may be below all of them. */
  private static final int SCORE_RANGES = 40;

  private static final double BELOW = 0.002;

  private final TableModel model;
  private final TableCodec codec;
  private final int count;
  private final long seed;
  private final Supplier<CountProgress> progress;
  private final SamplingOrder order;
  private final TableCodec.Encoded sampled;

  /**
   * Samples from a model.
   *
   * @param count how many rows
   * @param progress shown for each part of the work
   */
  TableFindings(TableModel model, int count, long seed, Supplier<CountProgress> progress) {
    this.model = model;
    this.codec = model.codec();
    this.count = count;
    this.seed = seed;
    this.progress = progress;
    order = SamplingOrder.of(model);
    try (CountProgress bar = progress.get()) {
      sampled =
          codec.encode(
              model
                  .sample(count, Map.of(), Condition.ALWAYS, seed, SamplingOptions.DEFAULTS, bar)
                  .rows());
    }
  }

  /** What the model itself knows. */
  TableModelPage.Content alone(Path folder) {
    return content(
        folder, ColumnComparison.ofTraining(codec, sampled), null, List.of(), null, null);
  }

  /** The same, beside the rows of a file. */
  TableModelPage.Content beside(Path folder, Path file, DataTable table) {
    TableCodec.Encoded all = encoded(file, table);
    NearestRows nearest;
    try (CountProgress bar = progress.get()) {
      nearest = NearestRows.of(model, all, sampled, bar).orElse(null);
    }
    int[] chosen = chosen(table.size());
    DataTable some = table.rows(chosen);
    TableCodec.Encoded real = codec.encode(some);
    List<Integer> columns = pairColumns();
    ColumnDependencies known = ColumnDependencies.of(codec, real, columns);
    List<PairComparison> pairs =
        known.strongest(SHOWN_PAIRS).stream()
            .map(
                pair ->
                    PairComparison.of(
                        codec,
                        real,
                        sampled,
                        columns.get(pair.first()),
                        columns.get(pair.second())))
            .toList();
    return content(
        folder,
        ColumnComparison.of(codec, real, sampled),
        known,
        pairs,
        rows(file, table.size(), some, real, chosen),
        nearest);
  }

  private TableCodec.Encoded encoded(Path file, DataTable table) {
    try {
      return codec.encode(table);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Numbers of rows, in ascending order. */
  private int[] chosen(int size) {
    return size <= count
        ? IntStream.range(0, size).toArray()
        : new SplittableRandom(seed).ints(0, size).distinct().limit(count).sorted().toArray();
  }

  private List<Integer> pairColumns() {
    return order.positions().stream().limit(MAX_PAIR_COLUMNS).toList();
  }

  private TableModelPage.Content content(
      Path folder,
      List<ColumnComparison> columns,
      ColumnDependencies real,
      List<PairComparison> pairs,
      TableModelPage.Rows rows,
      NearestRows nearest) {
    return new TableModelPage.Content(
        ShownText.of(folder.toAbsolutePath().normalize().getFileName().toString(), MAX_TEXT),
        facts(),
        model.metrics().map(LearnedTables::metrics).orElse(null),
        codec.columns().stream().map(column -> column.name()).toList(),
        order,
        columns,
        real,
        ColumnDependencies.of(codec, sampled, pairColumns()),
        pairs,
        rows,
        nearest,
        List.of(
            LearnedTables.columns(codec, Integer.MAX_VALUE), ArchitectureTable.of(model.flow())));
  }

  private String facts() {
    List<String> facts = new ArrayList<>(List.of("ringflow inspect", codec.toString()));
    model
        .flow()
        .provenance()
        .ifPresent(
            training -> {
              Provenance.Fit fit = training.fit();
              if (fit != null && fit.source() != null) {
                facts.add(ShownText.of(fit.source(), MAX_TEXT));
              }
              facts.add("trained " + ProvenanceText.of(training));
            });
    facts.add(String.format(Locale.ROOT, "%,d parameters", model.flow().parameterCount()));
    facts.add("seed " + seed);
    return String.join(" · ", facts);
  }

  private TableModelPage.Rows rows(
      Path file, int all, DataTable table, TableCodec.Encoded real, int[] chosen) {
    double[] realNats = score(real);
    double[] sampledNats = score(sampled);
    List<List<String>> least =
        UnlikelyRow.of(model, table, real, realNats, MAX_UNLIKELY_ROWS).stream()
            .map(
                row ->
                    List.of(
                        Integer.toString(chosen[row.row()] + 1),
                        Numbers.fixed(row.nats()),
                        row.reasons()))
            .toList();
    return new TableModelPage.Rows(
        ShownText.of(file.getFileName().toString(), MAX_TEXT),
        chosen.length < all
            ? String.format(
                Locale.ROOT, "%,d of the %,d rows, chosen at random,", chosen.length, all)
            : String.format(Locale.ROOT, "all %,d rows", all),
        scores(realNats, sampledNats),
        new TextTable(
            List.of(
                Column.number("row"),
                Column.number("log-likelihood"),
                Column.text("what costs most")),
            least));
  }

  private double[] score(TableCodec.Encoded rows) {
    try (CountProgress bar = progress.get()) {
      return model.score(rows, NewValues.RESERVED, bar);
    }
  }

  /** Shares of both in even ranges; the few rows that are far below others count as the first. */
  private static List<Value> scores(double[] real, double[] sampled) {
    double[] sorted =
        DoubleStream.concat(Arrays.stream(real), Arrays.stream(sampled))
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    double first = sorted[(int) (BELOW * sorted.length)]; // samples are always possible
    double width = Math.max(1e-9, (sorted[sorted.length - 1] - first) / SCORE_RANGES);
    double[] realShares = shares(real, first, width);
    double[] sampledShares = shares(sampled, first, width);
    return IntStream.range(0, SCORE_RANGES)
        .mapToObj(
            i ->
                new Value(
                    String.format(
                        Locale.ROOT, "%.1f to %.1f", first + width * i, first + width * (i + 1)),
                    realShares[i],
                    sampledShares[i]))
        .toList();
  }

  private static double[] shares(double[] nats, double first, double width) {
    double[] shares = new double[SCORE_RANGES];
    for (double value : nats) {
      int range = (int) Math.floor((value - first) / width);
      shares[Math.max(0, Math.min(SCORE_RANGES - 1, range))] += 1.0 / nats.length;
    }
    return shares;
  }
}
