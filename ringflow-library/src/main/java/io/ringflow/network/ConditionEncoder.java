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
 * How a recurrent network reads what it is given: one encoder over each of its sequences, and the
 * symbols alongside the data where asked for.
 */
final class ConditionEncoder implements Module {
  private final int count;
  private final int length;
  private final int hidden;
  private final Embedding embedding;
  private final Recurrence encoder;
  private final List<Embedding> alongside; // one a sequence; empty where not asked for
  private final Buffer inOrder; // [D], where the data's order finds its neighbours

  ConditionEncoder(Lstm sizes, Order order, Space condition, boolean bidirectional) {
    this.count = sizes.reading().sequences();
    this.hidden = sizes.hidden();
    this.length = condition.size() / count;
    Space sequence = condition.select(IntStream.range(0, length).boxed().toList());
    if (!Stream.generate(sequence::cardinalities)
        .limit(count)
        .flatMap(List::stream)
        .toList()
        .equals(condition.cardinalities())) {
      throw new IllegalArgumentException(
          "what is given, " + condition + ", does not consist of " + count + " sequences alike");
    }
    this.embedding = new Embedding(sequence, sizes.embedding());
    this.encoder = new Recurrence(sizes.embedding(), hidden / count, sizes.layers(), bidirectional);
    if (sizes.reading().alongside()) {
      if (length != order.size()) {
        throw new IllegalArgumentException(
            "what is given has sequences of "
                + length
                + " symbols, which do not lie alongside "
                + order.size()
                + " positions");
      }
      Space turned = sequence.select(order.positions());
      this.alongside =
          Stream.generate(() -> new Embedding(turned, sizes.embedding())).limit(count).toList();
    } else {
      this.alongside = List.of();
    }
    this.inOrder = Buffer.longs(order.positions());
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry.within("given"));
    encoder.register(registry.within("encoder"));
    for (int i = 0; i < count && alongside(); i++) {
      alongside.get(i).register(registry.within("alongside." + i));
    }
    registry.constant(inOrder);
  }

  boolean alongside() {
    return !alongside.isEmpty();
  }

  /** The first state: the encodings side by side. */
  Recurrence.State encode(EvaluationContext context) {
    Tensor ids = context.condition().ids(); // [B, count * length]
    long batch = ids.size(0);
    Tensor each = ids.view(batch * count, length);
    Tensor vectors = embedding.apply(Symbols.of(each), context);
    Recurrence.State zero = encoder.zeroState(batch * count, context);
    Recurrence.State last = encoder.run(vectors, zero, context).state();
    return new Recurrence.State(sideBySide(last.hidden(), batch), sideBySide(last.cell(), batch));
  }

  /** {@code [L, B * count, hidden / count]} to {@code [L, B, hidden]}. */
  private Tensor sideBySide(Tensor state, long batch) {
    return state.contiguous().view(state.size(0), batch, hidden);
  }

  /** What each position reads besides the data, {@code [B, D, E]}, in the data's order. */
  Tensor vectorsAlongside(EvaluationContext context) {
    Tensor sum = null;
    for (int i = 0; i < count; i++) {
      Tensor ids = context.condition().ids().narrow(1, (long) i * length, length);
      Symbols turned = Symbols.of(ids.index_select(1, context.get(inOrder)));
      Tensor vectors = alongside.get(i).apply(turned, context);
      sum = sum == null ? vectors : sum.add(vectors);
    }
    return sum;
  }
}
