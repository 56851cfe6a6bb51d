package io.ringflow.train;

import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.Parameter;
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
   * the data to it: all of a factorised base without a network, which is then the best it can be,
   * and the direct tables of a {@link io.ringflow.network.Made}. Other bases stay as they are.
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
    Engine engine = EngineAccess.of(model);
    int[][] baseRows = engine.encode(rows, conditions, Precision.FLOAT64);
    engine.change(weights -> engine.base().initialize(baseRows, weights));
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

  private static void copy(
      FlowModel source,
      Map<String, Parameter> theirs,
      FlowModel target,
      Map<String, Parameter> ours) {
    EngineAccess.of(target)
        .change(weights -> weights.copyFrom(EngineAccess.of(source).weights(), theirs, ours));
  }
}
