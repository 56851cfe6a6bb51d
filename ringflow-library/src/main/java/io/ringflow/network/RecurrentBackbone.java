package io.ringflow.network;

import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import org.bytedeco.pytorch.Tensor;

/**
 * The body of a recurrent network, between embedding and head: an LSTM in one or both directions,
 * whose first state is the encoded condition, or zero without one.
 */
final class RecurrentBackbone implements Module {
  /** Reads a sequence from left to right, one position at a time. */
  @FunctionalInterface
  interface Stepper {
    /** Reads one more vector: {@code [B, E]} to {@code [B, hidden]}. */
    Tensor next(Tensor vector);
  }

  private final int hidden;
  private final Recurrence recurrence;
  private final ConditionEncoder condition; // null for an unconditional model

  /**
   * The body of a network.
   *
   * @param order in which the network goes through the data
   */
  RecurrentBackbone(Lstm sizes, Order order, Space condition, boolean bidirectional) {
    this.hidden = sizes.hidden() * (bidirectional ? 2 : 1);
    this.recurrence =
        new Recurrence(sizes.embedding(), sizes.hidden(), sizes.layers(), bidirectional);
    this.condition =
        condition.size() == 0 ? null : new ConditionEncoder(sizes, order, condition, bidirectional);
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (condition != null) {
      condition.register(registry);
    }
    recurrence.register(registry.within("lstm"));
  }

  /** Width of the resulting vectors. */
  int hidden() {
    return hidden;
  }

  /** All positions at once: {@code [B, D, E]} to {@code [B, D, hidden]}. */
  Tensor apply(Tensor vectors, EvaluationContext context) {
    Recurrence.State first = firstState(vectors.size(0), context);
    Tensor input = readsAlongside() ? vectors.add(condition.alongside(context)) : vectors;
    return context
        .dropout()
        .on(recurrence.run(context.dropout().on(input), first, context).output());
  }

  /** Begins before the first position, in the caller's scope; for one direction only. */
  Stepper stepper(long batch, EvaluationContext context) {
    Recurrence.State first = firstState(batch, context);
    var state = new Recurrence.State(first.hidden().clone(), first.cell().clone());
    if (!readsAlongside()) {
      return vector -> recurrence.step(vector, state, context);
    }
    Tensor alongside = condition.alongside(context); // [B, D, E]
    return new Stepper() {
      private long position;

      @Override
      public Tensor next(Tensor vector) {
        Tensor input = vector.add(alongside.select(1, position));
        position++;
        return recurrence.step(input, state, context);
      }
    };
  }

  private boolean readsAlongside() {
    return condition != null && condition.isAlongside();
  }

  private Recurrence.State firstState(long batch, EvaluationContext context) {
    return condition == null ? recurrence.zeroState(batch, context) : condition.encode(context);
  }
}
