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
  private final ConditionEncoder given; // null where nothing is given

  /**
   * A trunk over data.
   *
   * @param order in which it goes through the data
   */
  RecurrentBackbone(Lstm sizes, Order order, Space given, boolean bidirectional) {
    this.hidden = sizes.hidden() * (bidirectional ? 2 : 1);
    this.reader = new Recurrence(sizes.embedding(), sizes.hidden(), sizes.layers(), bidirectional);
    this.given =
        given.size() == 0 ? null : new ConditionEncoder(sizes, order, given, bidirectional);
  }

  @Override
  public void declare(ParameterRegistry declarations) {
    if (given != null) {
      given.declare(declarations);
    }
    reader.declare(declarations.within("lstm"));
  }

  @Override
  public int hidden() {
    return hidden;
  }

  @Override
  public Tensor apply(Tensor vectors, EvaluationContext pass) {
    Recurrence.State first = firstState(vectors.size(0), pass);
    Tensor input =
        given != null && given.alongside() ? vectors.add(given.vectorsAlongside(pass)) : vectors;
    return pass.dropout().on(reader.run(pass.dropout().on(input), first, pass).output());
  }

  @Override
  public Stepper stepper(long batch, EvaluationContext pass) {
    Recurrence.State first = firstState(batch, pass);
    var state = new Recurrence.State(first.hidden().clone(), first.cell().clone());
    if (given == null || !given.alongside()) {
      return vector -> reader.step(vector, state, pass);
    }
    Tensor alongside = given.vectorsAlongside(pass); // [B, D, E]
    return new Stepper() {
      private long position;

      @Override
      public Tensor next(Tensor vector) {
        Tensor input = vector.add(alongside.select(1, position));
        position++;
        return reader.step(input, state, pass);
      }
    };
  }

  private Recurrence.State firstState(long batch, EvaluationContext pass) {
    return given == null ? reader.zeroState(batch, pass) : given.encode(pass);
  }
}
