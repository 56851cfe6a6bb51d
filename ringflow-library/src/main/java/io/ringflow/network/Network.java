package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;

/**
 * Describes a network by its sizes; a plain value, like a layer.
 *
 * <p>The layer or base that uses the network decides which positions each output sees, and how many
 * logits it has.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public interface Network {
  /**
   * A network that reads the positions its mask sees and returns logits of the moved ones.
   *
   * @param condition the space of the condition; {@link Space#NONE} for an unconditional model
   * @param width logits of each moved position
   */
  Conditioner bipartite(Space space, Mask mask, Space condition, int width);

  /**
   * A network that goes through groups of positions in turn: the outputs of a group see the symbols
   * of all groups before it.
   *
   * @param space of the data
   * @param groups of positions; inputs and outputs of the conditioner are in their order
   * @param condition the space of the condition; {@link Space#NONE} for an unconditional model
   * @param width logits of each position
   * @throws IllegalArgumentException if the network can only go position by position
   */
  CausalConditioner causal(Space space, Groups groups, Space condition, int width);

  /** A network that goes through the positions one by one. */
  default CausalConditioner causal(Space space, Order order, Space condition, int width) {
    return causal(space, Groups.singles(order), condition, width);
  }
}
