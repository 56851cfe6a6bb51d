package io.ringflow.network;

import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/**
 * Reads the condition of a recurrent network, as {@link Lstm.ConditionReading} says: one LSTM
 * encodes each of its sequences, and the symbols may be read alongside the data as well.
 */
final class ConditionEncoder implements Module {
  private final int sequences;
  private final int length;
  private final int hidden;
  private final Embedding embedding;
  private final Recurrence encoder;
  private final List<Embedding> alongside; // one for each sequence; empty if not read alongside
  private final Buffer order; // [D]

  ConditionEncoder(Lstm sizes, Order order, Space condition, boolean bidirectional) {
    this.sequences = sizes.conditionReading().sequences();
    this.hidden = sizes.hidden();
    this.length = condition.size() / sequences;
    Space sequence = condition.select(IntStream.range(0, length).boxed().toList());
    if (!Stream.generate(sequence::cardinalities)
        .limit(sequences)
        .flatMap(List::stream)
        .toList()
        .equals(condition.cardinalities())) {
      throw new IllegalArgumentException(
          "the condition " + condition + " does not consist of " + sequences + " equal sequences");
    }
    this.embedding = new Embedding(sequence, sizes.embedding());
    this.encoder =
        new Recurrence(sizes.embedding(), hidden / sequences, sizes.layers(), bidirectional);
    if (sizes.conditionReading().alongside()) {
      if (length != order.size()) {
        throw new IllegalArgumentException(
            "sequences of "
                + length
                + " symbols in the condition can't be read alongside "
                + order.size()
                + " positions");
      }
      Space inOrder = sequence.select(order.positions());
      this.alongside =
          Stream.generate(() -> new Embedding(inOrder, sizes.embedding()))
              .limit(sequences)
              .toList();
    } else {
      this.alongside = List.of();
    }
    this.order = Buffer.longs(order.positions());
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry.within("given"));
    encoder.register(registry.within("encoder"));
    for (int i = 0; i < alongside.size(); i++) {
      alongside.get(i).register(registry.within("alongside." + i));
    }
    registry.buffer(order);
  }

  /** Whether the symbols are read alongside the data as well. */
  boolean isAlongside() {
    return !alongside.isEmpty();
  }

  /** The encodings of all sequences side by side: the first state of the network. */
  Recurrence.State encode(EvaluationContext context) {
    Tensor ids = context.condition().ids(); // [B, sequences * length]
    long batch = ids.size(0);
    Tensor each = ids.view(batch * sequences, length);
    Tensor vectors = embedding.apply(Symbols.of(each), context);
    Recurrence.State zero = encoder.zeroState(batch * sequences, context);
    Recurrence.State last = encoder.run(vectors, zero, context).state();
    return new Recurrence.State(sideBySide(last.hidden(), batch), sideBySide(last.cell(), batch));
  }

  /** {@code [L, B * sequences, hidden / sequences]} to {@code [L, B, hidden]}. */
  private Tensor sideBySide(Tensor state, long batch) {
    return state.contiguous().view(state.size(0), batch, hidden);
  }

  /** The vectors to add to those of the data, {@code [B, D, E]}, in the order of reading. */
  Tensor alongside(EvaluationContext context) {
    Tensor sum = null;
    for (int i = 0; i < sequences; i++) {
      Tensor ids = context.condition().ids().narrow(1, (long) i * length, length);
      Symbols inOrder = Symbols.of(ids.index_select(1, context.get(order)));
      Tensor vectors = alongside.get(i).apply(inOrder, context);
      sum = sum == null ? vectors : sum.add(vectors);
    }
    return sum;
  }
}
