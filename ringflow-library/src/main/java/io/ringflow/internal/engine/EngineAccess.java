package io.ringflow.internal.engine;

import io.ringflow.internal.mixing.CountedText;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets Ringflow's own packages reach what a model does not show its users: its engine, the record
 * of its training, and what was counted in its training text.
 *
 * <p>The model's class grants the access when it is loaded; nothing here knows that class.
 */
public final class EngineAccess {
  private static volatile Function<Object, Engine> engines;
  private static volatile BiConsumer<Object, Object> provenances;
  private static volatile Function<Object, Supplier<CountedText>> counts;
  private static volatile BiConsumer<Object, Supplier<CountedText>> setCounts;

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

  /**
   * Called once, by the model's class.
   *
   * @param countsOf a model; null where there are none
   * @param setter of a model's counts
   */
  public static void grantCounts(
      Function<Object, Supplier<CountedText>> countsOf,
      BiConsumer<Object, Supplier<CountedText>> setter) {
    counts = countsOf;
    setCounts = setter;
  }

  /** What was counted in the training text of a model, if anything was. */
  public static Optional<Supplier<CountedText>> counts(Object model) {
    return Optional.ofNullable(counts.apply(model));
  }

  /** Replaces what was counted in the training text of a model. */
  public static void setCounts(Object model, Supplier<CountedText> counted) {
    setCounts.accept(model, counted);
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
