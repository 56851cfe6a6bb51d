package io.ringflow.network;

import io.ringflow.Declarations;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.Symbols;
import org.bytedeco.pytorch.Tensor;

/**
 * An LSTM in one or both directions, whose first state is what an encoder made of what is given;
 * zero where nothing is.
 */
final class RecurrentTrunk implements Trunk {
  private final int hidden;
  private final boolean conditional;
  private final Embedding givenEmbedding;
  private final Recurrence encoder;
  private final Recurrence reader;

  RecurrentTrunk(Lstm sizes, Space given, boolean bidirectional) {
    this.hidden = sizes.hidden() * (bidirectional ? 2 : 1);
    this.conditional = given.size() > 0;
    this.givenEmbedding = conditional ? new Embedding(given, sizes.embedding()) : null;
    this.encoder = conditional ? recurrence(sizes, bidirectional) : null;
    this.reader = recurrence(sizes, bidirectional);
  }

  private static Recurrence recurrence(Lstm sizes, boolean bidirectional) {
    return new Recurrence(sizes.embedding(), sizes.hidden(), sizes.layers(), bidirectional);
  }

  @Override
  public void declare(Declarations declarations) {
    if (conditional) {
      givenEmbedding.declare(declarations.within("given"));
      encoder.declare(declarations.within("encoder"));
    }
    reader.declare(declarations.within("lstm"));
  }

  @Override
  public int hidden() {
    return hidden;
  }

  @Override
  public Tensor apply(Tensor vectors, boolean training, Pass pass) {
    Recurrence.State first = firstState(vectors.size(0), training, pass);
    return reader.run(vectors, first, training, pass).output();
  }

  @Override
  public Stepper stepper(long batch, Pass pass) {
    Recurrence.State first = firstState(batch, false, pass);
    var state = new Recurrence.State(first.hidden().clone(), first.cell().clone());
    return vector -> reader.step(vector, state, pass);
  }

  private Recurrence.State firstState(long batch, boolean training, Pass pass) {
    Recurrence.State zero = reader.zeroState(batch, pass);
    if (!conditional) {
      return zero;
    }
    Tensor vectors = givenEmbedding.apply(Symbols.of(pass.context().ids()), pass);
    return encoder.run(vectors, zero, training, pass).state();
  }
}
