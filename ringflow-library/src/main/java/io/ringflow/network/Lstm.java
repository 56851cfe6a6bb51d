package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;

/**
 * A recurrent network (Hochreiter and Schmidhuber 1997).
 *
 * <p>Causal, it runs from the first position of its order to the last; bipartite, in both
 * directions over all positions, of which those its mask does not see are hidden. A recurrent
 * encoder reads the condition first; its last state is the first state of the network. All logits
 * at once and all steps of a decoder cost the same D cells for each layer.
 *
 * @param embedding width of the symbols' vectors
 * @param hidden units of each layer, in each direction
 * @param layers stacked layers
 * @param conditionReading how the condition is read; null to read it as one sequence
 */
@JsonTypeName("lstm")
public record Lstm(int embedding, int hidden, int layers, ConditionReading conditionReading)
    implements Network {
  /** Reads the condition as one sequence. */
  public Lstm(int embedding, int hidden, int layers) {
    this(embedding, hidden, layers, null);
  }

  /** Checks the sizes. */
  public Lstm {
    Checks.atLeast("embedding", embedding, 1);
    Checks.atLeast("hidden", hidden, 1);
    Checks.atLeast("layers", layers, 1);
    conditionReading = conditionReading == null ? new ConditionReading(1, false) : conditionReading;
    if (hidden % conditionReading.sequences != 0) {
      throw new IllegalArgumentException(
          "hidden "
              + hidden
              + " is not a multiple of "
              + conditionReading.sequences
              + " sequences, whose encodings side by side are the first state");
    }
  }

  /**
   * How a recurrent network reads its condition.
   *
   * @param sequences of equal length that the condition consists of, one after the other. One
   *     encoder of {@code hidden / sequences} units reads each of them; their encodings side by
   *     side are the first state (the paper's addition task, section 4.2, has two)
   * @param alongside whether the network at a position also reads the symbol each sequence has
   *     there; the sequences must then be as long as the data
   */
  public record ConditionReading(int sequences, boolean alongside) {
    /** Checks the number of sequences. */
    public ConditionReading {
      Checks.atLeast("sequences", sequences, 1);
    }
  }

  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
    var backbone = new RecurrentBackbone(this, Order.natural(space.size()), condition, true);
    return new RecurrentBipartite(space, mask, embedding, backbone, width);
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    if (!groups.areSingles()) {
      throw new IllegalArgumentException(
          "an LSTM goes from one position to the next, and can't take groups of several: use a"
              + " Transformer or Made");
    }
    Order order = groups.order();
    var backbone = new RecurrentBackbone(this, order, condition, false);
    return new RecurrentCausal(space.select(order.positions()), embedding, backbone, width);
  }
}
