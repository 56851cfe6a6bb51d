package io.ringflow.train;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.WeightedRows;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Counts;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import java.util.List;
import java.util.Map;

/**
 * Sets weights without gradient steps: in closed form from data, or copied from another model.
 *
 * <p>Call these before a training, or between trainings; never while one runs.
 */
public final class WarmStart {
  private WarmStart() {}

  /**
   * Sets in closed form what the data determines of the base by counting, as the layers now show
   * the data to it: all of a factorised base without a network and of one over a {@link
   * io.ringflow.network.LookupTable}, which are then the best they can be, and the direct tables of
   * a {@link io.ringflow.network.Made}. Other bases stay as they are. A logit bias of a base with a
   * network is not taken into account.
   *
   * @param rows data, at least one row
   */
  public static void fitBase(FlowModel model, int[][] rows) {
    fitBase(model, rows, Engine.UNCONDITIONAL);
  }

  /** {@link #fitBase(FlowModel, int[][])} of a conditional model, with a condition for each row. */
  public static void fitBase(FlowModel model, int[][] rows, int[][] conditions) {
    if (rows.length == 0) {
      throw new IllegalArgumentException("fitting the base needs at least one row");
    }
    fitBase(model, List.of(WeightedRows.once(rows, conditions)));
  }

  /**
   * {@link #fitBase(FlowModel, int[][])} from data that comes in parts, each of which is counted
   * and forgotten: there may be more of it than memory holds.
   *
   * @param data read once
   */
  public static void fitBase(FlowModel model, Iterable<WeightedRows> data) {
    fitBase(model, data, ProgressListener.IGNORED);
  }

  /**
   * {@link #fitBase(FlowModel, Iterable)} of much data.
   *
   * @param progress hears how many symbols are counted, once they are all read; of a base for which
   *     that is long work: {@link io.ringflow.network.NgramMixture}
   * @throws java.util.concurrent.CancellationException if the thread is interrupted; the base then
   *     has a part of the counts
   */
  public static void fitBase(
      FlowModel model, Iterable<WeightedRows> data, ProgressListener progress) {
    Engine engine = EngineAccess.of(model);
    engine.base().counts().ifPresent(counts -> count(engine, -1, counts, data, progress));
  }

  /**
   * Sets in closed form the layers that the data determines by counting, the one next to the data
   * first, each from what those before it make of the data: {@link io.ringflow.layer.Bipartite} and
   * {@link io.ringflow.layer.Autoregressive} layers over a {@link io.ringflow.network.LookupTable}
   * whose logits stand for symbols. A table of counted log-frequencies is where layer-wise
   * cross-entropy would lead: {@link io.ringflow.layer.Permute} then sorts the symbols, and {@link
   * io.ringflow.layer.Shift} moves the likeliest one to 0. Other layers stay as they are, and so
   * does the base, which {@link #fitBase} may fit afterwards.
   *
   * @param data in parts, as for {@link #fitBase(FlowModel, Iterable)}; read once for each layer
   */
  public static void fitLayers(FlowModel model, Iterable<WeightedRows> data) {
    Engine engine = EngineAccess.of(model);
    List<Bijection> layers = engine.layers().bijections();
    for (int i = layers.size() - 1; i >= 0; i--) {
      int layer = i;
      layers
          .get(layer)
          .counts()
          .ifPresent(counts -> count(engine, layer, counts, data, ProgressListener.IGNORED));
    }
  }

  /** Counts what a layer sees of the data, or the base, and sets its weights. */
  private static void count(
      Engine engine,
      int layer,
      Counts counts,
      Iterable<WeightedRows> data,
      ProgressListener progress) {
    for (WeightedRows part : data) {
      counts.add(
          part.as(engine.encodeFor(layer, part.rows(), part.conditions(), Precision.FLOAT64)));
    }
    ProgressListener interruptible = progress.untilInterrupted();
    engine.change(values -> counts.write(values, interruptible));
  }

  /**
   * Sets a factorised base to the same frequencies at every position, so that layers have a
   * direction to learn in.
   *
   * @param frequencies of the symbols, positive; as many as the largest cardinality
   * @throws IllegalStateException if the base is not factorised, or has a network
   */
  public static void setMarginals(FlowModel model, double[] frequencies) {
    Engine engine = EngineAccess.of(model);
    Distribution.Marginals marginals =
        engine
            .base()
            .marginals()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "only a factorised base without a network has marginals to set"));
    engine.change(weights -> marginals.set(frequencies, weights));
  }

  /**
   * Gives a layer the weights of another layer: a start for layers that have much to learn in
   * common.
   *
   * @param source whose layer is copied
   * @param from which of its layers, counted from the base
   * @param target whose layer is written
   * @param to which of its layers
   * @throws IllegalArgumentException if their networks differ in more than what they see
   */
  public static void copyLayer(FlowModel source, int from, FlowModel target, int to) {
    copy(
        source,
        EngineAccess.of(source).weights().layer(from),
        target,
        EngineAccess.of(target).weights().layer(to));
  }

  /**
   * Gives the base the weights of another model's: a start for a base that samples the same
   * positions in other groups. Worth something where the network knows positions by their place in
   * the data, as a Transformer over one alphabet does; others keep their weights in the order of
   * the groups.
   *
   * @throws IllegalArgumentException if their networks differ in more than what they see
   */
  public static void copyBase(FlowModel source, FlowModel target) {
    copy(
        source,
        EngineAccess.of(source).weights().base(),
        target,
        EngineAccess.of(target).weights().base());
  }

  /**
   * Gives the model of every process the weights of rank 0's, as a training in the group does at
   * its start.
   *
   * @param group whose processes all call this, with models of the same architecture
   */
  public static void broadcast(FlowModel model, ProcessGroup group) {
    EngineAccess.of(model).change(weights -> broadcast(weights, group));
  }

  static void broadcast(Weights weights, ProcessGroup group) {
    try (Scope scope = Scope.inference()) {
      group.broadcast(weights.values());
      // libtorch does not count what c10d writes, by which a model knows that its copy is stale.
      weights.values().narrow(0, 0, 0).zero_();
    }
  }

  private static void copy(
      FlowModel source,
      Map<String, Parameter> theirs,
      FlowModel target,
      Map<String, Parameter> ours) {
    EngineAccess.of(target)
        .change(weights -> weights.copyFrom(EngineAccess.of(source).weights(), theirs, ours));
  }
}
