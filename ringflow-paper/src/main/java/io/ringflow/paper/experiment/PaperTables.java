package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.PaperTable;
import io.ringflow.paper.harness.PaperTable.Cell;
import io.ringflow.paper.harness.PaperTable.Row;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tables and figures of the paper, in its order, with the models of ours that stand in their
 * cells.
 */
public final class PaperTables {
  private static final String NLL = "nll";
  private static final String BITS = "bpc";
  private static final String AR_BASE = "autoregressive base";
  private static final String AR_FLOW = "autoregressive flow";
  private static final String BASE_COLUMN = "Autoregressive base";
  private static final String FLOW_COLUMN = "Autoregressive flow";

  private PaperTables() {}

  /** Returns one for each table, figure or section with results. */
  public static List<PaperTable> all() {
    return List.of(
        receptiveFields(), xor(), ring(), fullRank(), addition(), potts(), pennTreebank(), text8());
  }

  private static PaperTable receptiveFields() {
    String metric = ReceptiveFieldsExperiment.UNIT_TWO;
    return new PaperTable(
        "receptive-fields",
        "Figure 1: what output unit 2 depends on",
        "random weights",
        List.of("receptive field of unit 2"),
        List.of(
            new Row(
                "(a) 2 autoregressive flows",
                ReceptiveFieldsExperiment.SETTING,
                List.of(
                    new Cell(
                        "left and right contexts",
                        ReceptiveFieldsExperiment.AUTOREGRESSIVE_2,
                        metric))),
            new Row(
                "(b) 2 bipartite flows",
                ReceptiveFieldsExperiment.SETTING,
                List.of(new Cell("x1:3", ReceptiveFieldsExperiment.NEIGHBOURS_2, metric)))));
  }

  private static PaperTable xor() {
    return new PaperTable(
        "xor",
        "Section 3.2: two correlated bits, nats",
        "lookup table",
        List.of("Factorised base", "1 flow (XOR)"),
        List.of(
            new Row(
                "D=2, K=2",
                List.of(
                    new Cell("can't capture it", "factorised base", NLL),
                    new Cell("exact", "1 bipartite layer", NLL)))));
  }

  private static PaperTable ring() {
    return new PaperTable(
        "ring",
        "Figure 2: ring of 8 Gaussians, nats",
        "lookup tables",
        List.of("Factorised base", "1 bipartite flow", "1 autoregressive flow"),
        List.of(
            new Row(
                "K=90",
                List.of(
                    new Cell("a picture", "factorised base", NLL),
                    new Cell("a picture", "1 bipartite layer", NLL),
                    new Cell("the same", "1 autoregressive layer", NLL)))));
  }

  private static PaperTable fullRank() {
    List<String> models = List.of(AR_BASE, AR_FLOW, "factorised base", "bipartite flow");
    return new PaperTable(
        "fullrank",
        "Table 1: full-rank tables, nats; Transformers have 64 units",
        "no network",
        List.of(BASE_COLUMN, FLOW_COLUMN, "Factorised base", "Bipartite flow"),
        List.of(
            row("D=2, K=2", models, "0.9", "0.9", "1.3", "1.0"),
            row("D=5, K=5", models, "7.7", "7.6", "8.0", "7.9"),
            row("D=5, K=10", models, "10.7", "10.3", "11.5", "10.7"),
            row("D=10, K=5", models, "15.9", "15.7", "16.6", "16.0")));
  }

  private static PaperTable addition() {
    List<String> models =
        List.of(
            AR_BASE,
            AR_FLOW,
            "1 bipartite layer",
            "2 bipartite layers",
            "4 bipartite layers",
            "8 bipartite layers");
    return new PaperTable(
        "addition",
        "Section 4.2: addition of two numbers, nats",
        "LSTMs, 256 or 512 units",
        List.of(
            BASE_COLUMN,
            FLOW_COLUMN,
            "1 bipartite flow",
            "2 bipartite flows",
            "4 bipartite flows",
            "8 bipartite flows"),
        List.of(
            row("D=10", models, "4.0", "0.2", "4.0", "3.17", "2.58", Cell.NONE),
            row("D=20", models, "12.2", "4.8", "12.2", "8.8", "7.6", "5.08")));
  }

  private static PaperTable potts() {
    return new PaperTable(
        "potts",
        "Table 2: Potts models on a square lattice, nats",
        "LSTM, 32 units; a table in the flow",
        List.of(BASE_COLUMN, FLOW_COLUMN),
        PottsRow.ALL.stream()
            .map(
                row ->
                    row(
                        row.setting(),
                        List.of(PottsModel.BASE.label, PottsModel.FLOW.label),
                        Double.toString(row.base()),
                        Double.toString(row.flow())))
            .toList());
  }

  private static PaperTable pennTreebank() {
    return new PaperTable(
        "ptb",
        "Table 3: characters of the Penn Tree Bank",
        "the paper's network",
        TEXT_COLUMNS,
        List.of(
            text("3-layer LSTM (Merity et al.)", "1.18", "3.8 min", "autoregressive LSTM"),
            text("AF/SCF (Ziegler & Rush)", "1.46", Cell.NONE, ""),
            text("IAF/SCF (Ziegler & Rush)", "1.63", Cell.NONE, ""),
            text("Bipartite flow (8 flows)", "1.38", "0.17 s", "8 layers with scale")));
  }

  private static PaperTable text8() {
    return new PaperTable(
        "text8",
        "Section 4.5: characters of Wikipedia (the paper: text8)",
        "the paper's network",
        TEXT_COLUMNS,
        List.of(
            text("LSTM (Cooijmans et al.)", "1.43", "19.8 s", "autoregressive LSTM"),
            text(
                "64-layer Transformer (Al-Rfou et al.)",
                "1.13",
                "35.5 s",
                "autoregressive Transformer"),
            text("Bipartite flow (4 flows, with scale)", "1.60", "0.15 s", "4 layers with scale"),
            text(
                "Bipartite flow (8 flows, without scale)",
                "1.29",
                "0.16 s",
                "8 layers without scale"),
            text("Bipartite flow (8 flows, with scale)", "1.23", "0.16 s", "8 layers with scale")));
  }

  private static final List<String> TEXT_COLUMNS =
      List.of("bits per character", "generation of one (ms)");

  private static Row text(String label, String bits, String time, String model) {
    return new Row(
        label,
        Row.ANY_SETTING,
        List.of(new Cell(bits, model, BITS), new Cell(time, model, GenerationTime.ONE_AT_A_TIME)));
  }

  /** A row whose columns are models, measured in nats. */
  private static Row row(String setting, List<String> models, String... figures) {
    return new Row(
        setting,
        IntStream.range(0, figures.length)
            .mapToObj(
                i ->
                    figures[i].equals(Cell.NONE)
                        ? Cell.paperOnly(Cell.NONE)
                        : new Cell(figures[i], models.get(i), NLL))
            .toList());
  }
}
