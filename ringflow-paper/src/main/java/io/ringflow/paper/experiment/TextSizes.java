package io.ringflow.paper.experiment;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.network.Lstm;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.paper.harness.Effort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How large the models of a text experiment are.
 *
 * @param length of a row, where the corpus leaves it open
 * @param width of a Transformer's vectors
 * @param heads of its attention
 * @param deep blocks of the autoregressive Transformer
 * @param shallow blocks of the Transformer in each layer of a flow
 * @param embedding of the LSTMs
 * @param hidden units of the autoregressive LSTM, two layers of it
 * @param bipartiteHidden units of the LSTM in each layer of a flow, in each direction; the paper's
 *     915 as the next multiple of 8, which a GPU multiplies faster
 * @param batch rows of a step of flows
 * @param largeBatch rows of a step of autoregressive Transformers
 * @param scored most rows to score; 0 for all
 */
record TextSizes(
    int length,
    int width,
    int heads,
    int deep,
    int shallow,
    int embedding,
    int hidden,
    int bipartiteHidden,
    int batch,
    int largeBatch,
    int scored) {
  /** The paper's own, or what two cores or a test can do. */
  static TextSizes of(Effort effort) {
    return switch (effort) {
      case FULL -> new TextSizes(256, 512, 8, 12, 3, 400, 1024, 920, 128, 256, 0);
      case DEFAULT -> new TextSizes(64, 128, 4, 4, 2, 32, 128, 64, 32, 32, 2000);
      case QUICK -> new TextSizes(16, 16, 2, 1, 1, 8, 16, 8, 4, 4, 20);
    };
  }

  Transformer transformer(int layers) {
    return new Transformer(width, layers, heads, 4 * width);
  }

  Network lstm() {
    return new Lstm(embedding, hidden, 2);
  }

  Network bipartiteLstm() {
    return new Lstm(embedding, bipartiteHidden, 1);
  }

  static Architecture autoregressive(Space space, Network network) {
    return Architecture.of(space, new AutoregressiveBase(Order.natural(space.size()), network));
  }

  /**
   * A bipartite flow on a factorised base.
   *
   * @param masks of the layers, the one next to the data first
   */
  static Architecture flow(Space space, List<Mask> masks, Network network, SymbolMap map) {
    Architecture architecture = Architecture.of(space, new FactorizedBase());
    List<Mask> fromBase = new ArrayList<>(masks);
    Collections.reverse(fromBase);
    for (Mask mask : fromBase) {
      architecture = architecture.with(new Bipartite(mask, network, map));
    }
    return architecture;
  }
}
