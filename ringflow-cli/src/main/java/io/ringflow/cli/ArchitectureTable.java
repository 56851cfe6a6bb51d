package io.ringflow.cli;

import io.ringflow.Architecture;
import io.ringflow.Autoregressive;
import io.ringflow.AutoregressiveBase;
import io.ringflow.Base;
import io.ringflow.Bipartite;
import io.ringflow.Chain;
import io.ringflow.FlowModel;
import io.ringflow.GroupBase;
import io.ringflow.Groups;
import io.ringflow.Layer;
import io.ringflow.Mask;
import io.ringflow.Network;
import io.ringflow.Order;
import io.ringflow.Pack;
import io.ringflow.Reorder;
import io.ringflow.SymbolMap;
import io.ringflow.cli.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A model's parts, from the base to the data, a line each. */
final class ArchitectureTable {
  private static final int WIDEST_NETWORK = 60;
  private static final List<Column> COLUMNS =
      List.of(
          new Column("part", false),
          new Column("kind", false),
          new Column("positions", false),
          new Column("network", false),
          new Column("map", false),
          new Column("parameters", true));

  private ArchitectureTable() {}

  static Table of(FlowModel model) {
    Architecture architecture = model.architecture();
    List<List<String>> rows = new ArrayList<>();
    int basePositions = model.layers().baseSpace().size();
    rows.add(line("base", of(architecture.base(), basePositions), model, "base."));
    for (int i = 0; i < architecture.layers().size(); i++) {
      rows.add(
          line("layer " + (i + 1), of(architecture.layers().get(i)), model, "layers." + i + "."));
    }
    return new Table(COLUMNS, rows);
  }

  /** What stands between a part's name and its parameters. */
  private record Part(String kind, String positions, String network, String map) {}

  private static List<String> line(String name, Part part, FlowModel model, String prefix) {
    long parameters =
        model.weights().parameters().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(prefix))
            .mapToLong(entry -> entry.getValue().elements())
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
      return new Part("autoregressive", ordered(one.order()), shown(one.network()), Table.NONE);
    }
    if (base instanceof GroupBase one) {
      Groups groups = one.groups();
      return groups.areSingles()
          ? new Part("autoregressive", ordered(groups.order()), shown(one.network()), Table.NONE)
          : new Part(
              "group",
              positions + " in " + groups.count() + " groups",
              shown(one.network()),
              Table.NONE);
    }
    return new Part("factorised", "all " + positions, Table.NONE, Table.NONE);
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
      return new Part("reorder", one.order().size() + " in another order", Table.NONE, Table.NONE);
    }
    if (layer instanceof Pack one) {
      return new Part("pack", one.size() + " neighbours as one", Table.NONE, Table.NONE);
    }
    String kind =
        layer instanceof Chain chain
            ? "chain of " + chain.layers().size()
            : layer.getClass().getSimpleName();
    return new Part(kind, Table.NONE, Table.NONE, Table.NONE);
  }

  private static String moved(Mask mask) {
    return "moves " + mask.moved().size() + " by " + mask.kept().size();
  }

  private static String ordered(Order order) {
    return order.size() + (order.isNatural() ? " in turn" : " in turn, in another order");
  }

  /** Such as {@code Made[hidden=512, layers=1]}. */
  private static String shown(Network network) {
    return ShownText.of(network.toString(), WIDEST_NETWORK);
  }

  private static String shown(SymbolMap map) {
    return map.getClass().getSimpleName();
  }
}
