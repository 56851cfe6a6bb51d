package io.ringflow.paper.experiment;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The models of random tables: the paper's four with the paper's network, and with tables that can
 * know every cell, so that what a method can do is told from what a network can learn.
 */
enum FullRankModel {
  AR_BASE("autoregressive base, Transformer", 0),
  AR_FLOW("autoregressive flow, Transformer", 1),
  FACTORISED("factorised base", 2),
  BIPARTITE("bipartite flow, Transformer", 3),
  TABLE_AR_BASE("autoregressive base, tables", 0),
  TABLE_AR_FLOW("autoregressive flow, tables", 1),
  TABLE_BIPARTITE("bipartite flow, tables, straight-through", 3),
  SHIFTING("bipartite flow, tables, shifting", 3),
  SORTING("bipartite flow, tables, sorting", null),
  SORTING_ONE("bipartite flow, tables, sorting one symbol a layer", null),
  SORTING_AR("autoregressive layer over a factorised base, tables, sorting", null);

  static final int BIPARTITE_LAYERS = 4;

  /** "A Transformer with 64 hidden units"; the paper says no more. */
  private static final Network TRANSFORMER = new Transformer(64, 2, 4, 256);

  private static final Network TABLE = new LookupTable();

  /** Well above the logits an untrained network starts with: the layer starts as the identity. */
  private static final double LAYER_LOGIT_BIAS = 2;

  /** Of a base that straight-through layers learn over: a direction to move the data in. */
  private static final double BASE_LOGIT_BIAS = 1;

  private final String title;
  private final Integer paperColumn;

  FullRankModel(String title, Integer paperColumn) {
    this.title = title;
    this.paperColumn = paperColumn;
  }

  /** Its name in tables and on the command line. */
  String title() {
    return title;
  }

  /** The paper's result for it among those of a setting; null where the paper has no such model. */
  Double paper(List<Double> results) {
    return paperColumn == null ? null : results.get(paperColumn);
  }

  /** Whether its network is the paper's. */
  boolean isTransformer() {
    return this == AR_BASE || this == AR_FLOW || this == BIPARTITE;
  }

  /** Whether its network is a table. */
  boolean isTable() {
    return !isTransformer() && this != FACTORISED;
  }

  /** Whether its weights are set in closed form, from counts. */
  boolean isCounted() {
    return switch (this) {
      case FACTORISED, TABLE_AR_BASE, SHIFTING, SORTING, SORTING_ONE, SORTING_AR -> true;
      default -> false;
    };
  }

  Architecture architecture(int d, int k) {
    Space space = Space.uniform(d, k);
    return switch (this) {
      case AR_BASE -> Architecture.of(space, autoregressive(d, TRANSFORMER));
      case AR_FLOW ->
          Architecture.of(space, autoregressive(d, TRANSFORMER)).with(identity(d, TRANSFORMER));
      case FACTORISED -> Architecture.of(space, new FactorizedBase());
      case BIPARTITE -> straightThrough(space, TRANSFORMER);
      case TABLE_AR_BASE -> Architecture.of(space, autoregressive(d, TABLE));
      case TABLE_AR_FLOW ->
          Architecture.of(space, autoregressive(d, TABLE)).with(identity(d, TABLE));
      case TABLE_BIPARTITE -> straightThrough(space, TABLE);
      case SHIFTING, SORTING, SORTING_ONE ->
          bipartite(
              space, new FactorizedBase(), TABLE, this == SHIFTING ? new Shift() : new Permute());
      case SORTING_AR ->
          Architecture.of(space, new FactorizedBase())
              .with(new Autoregressive(Order.natural(d), TABLE, new Permute()));
    };
  }

  private static Base autoregressive(int d, Network network) {
    return new AutoregressiveBase(Order.natural(d), network);
  }

  private static Layer identity(int d, Network network) {
    return new Autoregressive(Order.reversed(d), network, new Shift(LAYER_LOGIT_BIAS));
  }

  private Architecture straightThrough(Space space, Network network) {
    return bipartite(space, new FactorizedBase(null, BASE_LOGIT_BIAS), network, new Shift());
  }

  private Architecture bipartite(Space space, Base base, Network network, SymbolMap map) {
    List<Mask> masks = new ArrayList<>(masks(space.size()));
    Collections.reverse(masks);
    Architecture architecture = Architecture.of(space, base);
    for (Mask mask : masks) {
      architecture = architecture.with(new Bipartite(mask, network, map));
    }
    return architecture;
  }

  /** What each of the bipartite layers keeps, the one next to the data first. */
  List<Mask> masks(int d) {
    return IntStream.range(0, BIPARTITE_LAYERS)
        .mapToObj(
            layer -> {
              if (this == SORTING_ONE) {
                return Mask.keep(d, position -> position != layer % d);
              }
              return layer % 2 == 0 ? Mask.odd(d) : Mask.even(d);
            })
        .toList();
  }
}
