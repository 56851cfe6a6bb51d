package io.ringflow.cli.command;

import io.ringflow.cli.report.ShownText;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.core.PartSummary;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A model's parts, from the base to the data, a line each. */
final class ArchitectureTable {
  private static final int MAX_NETWORK = 60;
  private static final List<Column> COLUMNS =
      List.of(
          Column.text("part"),
          Column.text("kind"),
          Column.text("positions"),
          Column.text("network"),
          Column.text("map"),
          Column.number("parameters"));

  private ArchitectureTable() {}

  static TextTable of(FlowModel model) {
    Architecture architecture = model.architecture();
    List<List<String>> rows = new ArrayList<>();
    rows.add(line("base", architecture.base().summary(), model, "base."));
    for (int i = 0; i < architecture.layers().size(); i++) {
      PartSummary layer = architecture.layers().get(i).summary();
      rows.add(line("layer " + (i + 1), layer, model, "layers." + i + "."));
    }
    return new TextTable(COLUMNS, rows);
  }

  private static List<String> line(String name, PartSummary part, FlowModel model, String prefix) {
    long parameters =
        model.parameterCounts().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(prefix))
            .mapToLong(Map.Entry::getValue)
            .sum();
    return List.of(
        name,
        part.kind(),
        shown(part.positions()),
        shown(part.network()),
        shown(part.map()),
        String.format(Locale.ROOT, "%,d", parameters));
  }

  private static String shown(String text) {
    return text.isEmpty() ? TextTable.NONE : ShownText.of(text, MAX_NETWORK);
  }
}
