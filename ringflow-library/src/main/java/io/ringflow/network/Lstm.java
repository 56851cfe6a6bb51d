package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;

/**
 * A recurrent network (Hochreiter and Schmidhuber 1997). Causal: from the first position of its
 * order to the last. Bipartite: both ways over all positions, the moved ones hidden. What is given
 * is read first, by a recurrent encoder whose last state is the first state here.
 *
 * @param embedding width of the symbols' vectors
 * @param hidden units of each layer, in each direction
 * @param layers stacked layers
 * @param reading how it reads what is given
 */
@JsonTypeName("lstm")
public record Lstm(int embedding, int hidden, int layers, Reading reading) implements Network {
  /** Reads what is given as one sequence. */
  public Lstm(int embedding, int hidden, int layers) {
    this(embedding, hidden, layers, null);
  }

  /** Checks the sizes. */
  public Lstm {
    Sizes.positive("embedding", embedding);
    Sizes.positive("hidden", hidden);
    Sizes.positive("layers", layers);
    reading = reading == null ? new Reading(1, false) : reading;
    if (hidden % reading.sequences != 0) {
      throw new IllegalArgumentException(
          "hidden "
              + hidden
              + " is not a multiple of "
              + reading.sequences
              + " sequences, whose encodings side by side are the first state");
    }
  }

  /**
   * How what is given is read.
   *
   * @param sequences it consists of, of equal length, one after the other. One encoder of {@code
   *     hidden / sequences} units reads each of them; the first state is their encodings side by
   *     side (the paper's addition task has two)
   * @param alongside whether each position also reads, of every sequence, the symbol that lies at
   *     the same place; the sequences must then be as long as the data
   */
  public record Reading(int sequences, boolean alongside) {
    /** Checks the number. */
    public Reading {
      Sizes.positive("sequences", sequences);
    }
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
    Backbone trunk = new RecurrentBackbone(this, Order.natural(space.size()), condition, true);
    return new SequenceBipartite(space, mask, embedding, trunk, width);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    if (!groups.areSingles()) {
      throw new IllegalArgumentException(
          "an LSTM goes from one position to the next, and can't take groups of several: use a"
              + " Transformer or Made");
    }
    Order order = groups.order();
    Backbone trunk = new RecurrentBackbone(this, order, condition, false);
    return new SequenceCausal(space.select(order.positions()), embedding, trunk, width);
  }
}
