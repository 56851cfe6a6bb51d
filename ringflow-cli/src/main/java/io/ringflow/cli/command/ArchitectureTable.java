package io.ringflow.cli.command;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.GroupBase;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Network;
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
    int basePositions = architecture.baseSpace().size();
    rows.add(line("base", of(architecture.base(), basePositions), model, "base."));
    for (int i = 0; i < architecture.layers().size(); i++) {
      rows.add(
          line("layer " + (i + 1), of(architecture.layers().get(i)), model, "layers." + i + "."));
    }
    return new TextTable(COLUMNS, rows);
  }

  /** What stands between a part's name and its parameters. */
  private record Part(String kind, String positions, String network, String map) {}

  private static List<String> line(String name, Part part, FlowModel model, String prefix) {
    long parameters =
        model.parameterCounts().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(prefix))
            .mapToLong(Map.Entry::getValue)
            .sum();
    return List.of(
        name,
        part.kind,
        part.positions,
        part.network,
        part.map,
        String.format(Locale.ROOT, "%,d", parameters));
  }

  private static Part of(Base base, int positions) {
    if (base instanceof AutoregressiveBase one) {
      return new Part("autoregressive", ordered(one.order()), shown(one.network()), TextTable.NONE);
    }
    if (base instanceof GroupBase one) {
      Groups groups = one.groups();
      return groups.areSingles()
          ? new Part(
              "autoregressive", ordered(groups.order()), shown(one.network()), TextTable.NONE)
          : new Part(
              "group",
              positions + " in " + groups.count() + " groups",
              shown(one.network()),
              TextTable.NONE);
    }
    return new Part("factorised", "all " + positions, TextTable.NONE, TextTable.NONE);
  }

  private static Part of(Layer layer) {
    if (layer instanceof Bipartite one) {
      return new Part("bipartite", moved(one.mask()), shown(one.network()), shown(one.map()));
    }
    if (layer instanceof Autoregressive one) {
      return new Part(
          "autoregressive", ordered(one.order()), shown(one.network()), shown(one.map()));
    }
    if (layer instanceof Reorder one) {
      return new Part(
          "reorder", one.order().size() + " in another order", TextTable.NONE, TextTable.NONE);
    }
    if (layer instanceof Pack one) {
      return new Part("pack", one.size() + " neighbours as one", TextTable.NONE, TextTable.NONE);
    }
    String kind =
        layer instanceof Chain chain
            ? "chain of " + chain.layers().size()
            : layer.getClass().getSimpleName();
    return new Part(kind, TextTable.NONE, TextTable.NONE, TextTable.NONE);
  }

  private static String moved(Mask mask) {
    return "moves " + mask.moved().size() + " by " + mask.kept().size();
  }

  private static String ordered(Order order) {
    return order.size() + (order.isNatural() ? " in turn" : " in turn, in another order");
  }

  /** Such as {@code Made[hidden=512, layers=1]}. */
  private static String shown(Network network) {
    return ShownText.of(network.toString(), MAX_NETWORK);
  }

  private static String shown(SymbolMap map) {
    return map.getClass().getSimpleName();
  }
}
