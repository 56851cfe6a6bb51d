package io.ringflow.internal.engine;

import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Lets Ringflow's own packages reach what a model does not show its users: its engine, and the
 * record of its training.
 *
 * <p>The model's class grants the access when it is loaded; nothing here knows that class.
 */
public final class EngineAccess {
  private static volatile Function<Object, Engine> engines;
  private static volatile BiConsumer<Object, Object> provenances;

  private EngineAccess() {}

  /**
   * Called once, by the model's class.
   *
   * @param engineOf a model
   * @param setProvenance of a model
   */
  public static void grant(
      Function<Object, Engine> engineOf, BiConsumer<Object, Object> setProvenance) {
    engines = engineOf;
    provenances = setProvenance;
  }

  /** The engine of a model. */
  public static Engine of(Object model) {
    return engines.apply(model);
  }

  /** Replaces the record of a model's training. */
  public static void setProvenance(Object model, Object provenance) {
    provenances.accept(model, provenance);
  }
}
