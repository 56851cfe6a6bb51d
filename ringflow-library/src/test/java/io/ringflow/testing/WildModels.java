package io.ringflow.testing;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.store.Json;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import java.util.List;

/** Models of tables and texts that learned nothing: any weights are as good for what must hold. */
public final class WildModels {
  /** Small, with everything that a table may have: rare values, missing ones, numbers in bins. */
  public static final DataTable TABLE =
      DataTable.of(
          List.of("city", "size", "of", "kind"),
          List.of(
              List.of("Rome", "1.5", "x", "a"),
              List.of("Rome", "2", "x", "b"),
              List.of("Oslo", "2.25", "x", "a"),
              List.of("Oslo", "3", "x", ""),
              List.of("Lima", "7", "x", "NA"),
              List.of("Bonn", "8.5", "x", "a"),
              List.of("Kiel", "", "x", "b")));

  static final CodecOptions OPTIONS = new CodecOptions(5, 3, 2, List.of("", "NA"));

  private static final Made NETWORK = new Made(16, 1, Zoo.EVERYBODY);

  private WildModels() {}

  /** How a draw goes, as in {@link io.ringflow.train.FitOptions.Family}. */
  public enum Kind {
    SINGLY,
    IN_GROUPS,
    SORTED
  }

  public static TableModel table(Kind kind) {
    return table(kind, TABLE, OPTIONS);
  }

  /** A model of a table of four columns. */
  public static TableModel table(Kind kind, DataTable table, CodecOptions options) {
    TableCodec codec = TableCodec.fit(table, options);
    Order order = Order.of(2, 0, 3, 1);
    Architecture architecture =
        switch (kind) {
          case SINGLY ->
              new Architecture(
                  codec.space(),
                  Space.NONE,
                  new AutoregressiveBase(Order.natural(4), NETWORK),
                  List.of(new Reorder(order)));
          case IN_GROUPS ->
              new Architecture(
                  codec.space(),
                  Space.NONE,
                  new GroupBase(Groups.blocks(2, 2), NETWORK),
                  List.of(new Pack(2), new Reorder(order)));
          case SORTED ->
              new Architecture(
                  codec.space(),
                  Space.NONE,
                  new FactorizedBase(),
                  List.of(new Bipartite(Mask.even(4), NETWORK, new Permute()), new Reorder(order)));
        };
    FlowModel flow = Zoo.wild(architecture);
    flow.codec(Json.plain(codec));
    return new TableModel(flow, codec);
  }

  /** A model of pieces of nine symbols. */
  public static TextModel text(TextCodec codec) {
    Space space = Space.uniform(9, codec.vocabulary().size());
    FlowModel flow =
        Zoo.wild(
            Architecture.of(space, new AutoregressiveBase(Order.natural(9), new Lstm(4, 6, 1))));
    flow.codec(Json.plain(codec));
    return new TextModel(flow, codec);
  }
}
