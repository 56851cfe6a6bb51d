package io.ringflow.testing;

import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Split;
import io.ringflow.model.Architecture;
import io.ringflow.network.Made;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;

/** Models of a small table, with any weights, in which a column is in two parts. */
public final class SplitTables {
  /** Names: ten with a symbol each, three that are rare, and missing ones. */
  public static final DataTable TABLE = table();

  private SplitTables() {}

  private static DataTable table() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String name = i < 3 ? "rare" + i : i < 6 ? "" : String.valueOf((char) ('a' + i % 10));
      rows.add(List.of(i % 3 == 0 ? "x" : "y", name, i % 7 == 0 ? "u" : i % 2 == 0 ? "v" : "w"));
    }
    return DataTable.of(List.of("first", "name", "last"), rows);
  }

  /** Models by what is sampled when. Positions of the base: first, name / 3, name % 3, last. */
  public static Map<String, TableModel> all() {
    Map<String, TableModel> all = new LinkedHashMap<>();
    all.put("name first", model(Order.of(1, 2, 0, 3), Groups.blocks(4, 4)));
    all.put("name last", model(Order.of(3, 0, 1, 2), Groups.blocks(4, 4)));
    all.put("parts apart", model(Order.of(1, 0, 3, 2), Groups.blocks(4, 4)));
    all.put("second part first", model(Order.of(2, 3, 1, 0), Groups.blocks(4, 4)));
    all.put("two groups", model(Order.of(1, 0, 3, 2), Groups.of(4, i -> i < 3 ? 0 : 1)));
    return all;
  }

  /** A model whose layers move symbols. */
  public static TableModel moving() {
    return model(
        new FactorizedBase(),
        List.of(new Bipartite(Mask.even(4), new Made(8, 1), new Permute())),
        Order.natural(4));
  }

  /** Weakens what a model knows, so that no row is too rare for samples to meet. */
  public static void tame(TableModel model) {
    Weights weights = Models.weights(model.flow());
    try (Scope scope = Scope.inference()) {
      for (Parameter parameter : weights.parameters().values()) {
        weights.get(parameter).mul_(new Scalar(0.4));
      }
    }
  }

  private static TableModel model(Order order, Groups groups) {
    Base base = new GroupBase(groups, new Made(8, 1, Zoo.EVERYBODY));
    return model(base, List.of(), order);
  }

  private static TableModel model(Base base, List<Layer> first, Order order) {
    TableCodec codec = TableCodec.fit(TABLE, CodecOptions.DEFAULTS);
    var code = new Split.Code(1, 3, List.of(7, 2, 11, 0, 9, 4, 1, 10, 3, 8, 5, 6));
    List<Layer> layers = new ArrayList<>(first);
    layers.add(new Reorder(order.inverse()));
    layers.add(new Split(List.of(code)));
    var architecture = new Architecture(codec.space(), Space.NONE, base, layers);
    return new TableModel(Zoo.wild(architecture, codec), codec);
  }
}
