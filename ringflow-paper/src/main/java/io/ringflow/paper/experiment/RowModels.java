package io.ringflow.paper.experiment;

import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.model.Architecture;
import io.ringflow.network.Network;
import java.util.ArrayList;
import java.util.List;

/**
 * Models of tables, from one pass to as many as there are columns. On their way to the base, rows
 * are put in an order, and neighbours are packed into one symbol.
 *
 * @param space of a row
 * @param order the column that comes to each place
 * @param pack how many neighbours are one symbol
 */
record RowModels(Space space, Order order, int pack) {
  /** Symbols of the base's side. */
  int packed() {
    return space.size() / pack;
  }

  /** Every column by itself: no pass at all. */
  static Architecture factorised(Space space) {
    return Architecture.of(space, new FactorizedBase());
  }

  /** One packed symbol after the other. */
  Architecture autoregressive(Network network) {
    return architecture(new GroupBase(Groups.singles(Order.natural(packed())), network), List.of());
  }

  /** Packed symbols in groups, each in one pass given those before it. */
  Architecture grouped(Groups groups, Network network) {
    return architecture(new GroupBase(groups, network), List.of());
  }

  /** Some packed symbols are sorted by what the others say of them, in one pass. */
  Architecture sorted(Mask mask, Network network) {
    return architecture(new FactorizedBase(), List.of(new Bipartite(mask, network, new Permute())));
  }

  private Architecture architecture(Base base, List<Layer> packedLayers) {
    List<Layer> layers = new ArrayList<>(packedLayers);
    if (pack > 1) {
      layers.add(new Pack(pack));
    }
    // A column of the data comes from the place that it has in the order.
    layers.add(new Reorder(order.inverse()));
    return new Architecture(space, Space.NONE, base, layers);
  }
}
