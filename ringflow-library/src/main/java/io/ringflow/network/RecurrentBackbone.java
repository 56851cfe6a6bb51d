package io.ringflow.network;

import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import org.bytedeco.pytorch.Tensor;

/** An LSTM in one or both directions, which begins with what it was given; with zero if nothing. */
final class RecurrentBackbone implements Backbone {
  private final int hidden;
  private final Recurrence reader;
  private final ConditionEncoder condition; // null where nothing is given

  /**
   * A trunk over data.
   *
   * @param order in which it goes through the data
   */
  RecurrentBackbone(Lstm sizes, Order order, Space condition, boolean bidirectional) {
    this.hidden = sizes.hidden() * (bidirectional ? 2 : 1);
    this.reader = new Recurrence(sizes.embedding(), sizes.hidden(), sizes.layers(), bidirectional);
    this.condition =
        condition.size() == 0 ? null : new ConditionEncoder(sizes, order, condition, bidirectional);
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (condition != null) {
      condition.register(registry);
    }
    reader.register(registry.within("lstm"));
  }

  @Override
  public int hidden() {
    return hidden;
  }

  @Override
  public Tensor apply(Tensor vectors, EvaluationContext context) {
    Recurrence.State first = firstState(vectors.size(0), context);
    Tensor input =
        condition != null && condition.alongside()
            ? vectors.add(condition.vectorsAlongside(context))
            : vectors;
    return context.dropout().on(reader.run(context.dropout().on(input), first, context).output());
  }

  @Override
  public Stepper stepper(long batch, EvaluationContext context) {
    Recurrence.State first = firstState(batch, context);
    var state = new Recurrence.State(first.hidden().clone(), first.cell().clone());
    if (condition == null || !condition.alongside()) {
      return vector -> reader.step(vector, state, context);
    }
    Tensor alongside = condition.vectorsAlongside(context); // [B, D, E]
    return new Stepper() {
      private long position;

      @Override
      public Tensor next(Tensor vector) {
        Tensor input = vector.add(alongside.select(1, position));
        position++;
        return reader.step(input, state, context);
      }
    };
  }

  private Recurrence.State firstState(long batch, EvaluationContext context) {
    return condition == null ? reader.zeroState(batch, context) : condition.encode(context);
  }
}
