package io.ringflow.spi;

import io.ringflow.core.Space;
import java.util.Optional;

/**
 * An invertible map between the rows of two spaces, which have as many rows: they are the same, or
 * differ in the order of their positions, or in how many symbols make a position.
 *
 * <pre>
 *   forward : base -> data   (sampling)          inverse : data -> base   (scoring)
 * </pre>
 *
 * <p>Volume does not exist for discrete events, so there is no Jacobian: {@code log p(y) = log
 * p_base(inverse(y))}.
 *
 * <p>To write one: compute the ids by integer arithmetic alone, let {@code forward} and {@code
 * inverse} undo each other for any weights, and where the data has a one-hot let {@code inverse}
 * return one, whose value is that of the ids. Returned tensors live in the caller's scope.
 */
public interface Bijection extends Module {
  /** The space of the data side. */
  Space dataSpace();

  /** The space of the base side. */
  default Space baseSpace() {
    return dataSpace();
  }

  /**
   * From base to data. Most read ids alone, and return no one-hot; only inverse layers and those
   * that reorder positions hand on the one-hot of the base, with its gradient.
   */
  Symbols forward(Symbols base, EvaluationContext context);

  /** From data to base, with a one-hot where the data has one. */
  Symbols inverse(Symbols data, EvaluationContext context);

  /** Network calls that {@link #forward} makes one after the other. */
  int passes();

  /**
   * Network calls that {@link #inverse} makes one after the other: one where {@link #forward} makes
   * any, unless overridden.
   */
  default int inversePasses() {
    return Math.min(1, passes());
  }

  /**
   * Begins to count rows of the data side, where they determine weights by counting; empty unless
   * overridden.
   */
  default Optional<Counts> counts() {
    return Optional.empty();
  }
}
