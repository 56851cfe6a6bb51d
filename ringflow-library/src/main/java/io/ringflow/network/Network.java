package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;

/**
 * Describes a network by its sizes; a plain value, like {@link io.ringflow.layer.Layer}.
 *
 * <p>The layer or base that uses it says what it looks at and how many logits it returns.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public interface Network {
  /**
   * A network that sees the kept positions and speaks of the moved ones.
   *
   * @param condition what the model is conditioned on; {@link Space#NONE} if nothing
   * @param width logits for each moved position
   */
  Conditioner bipartite(Space space, Mask mask, Space condition, int width);

  /**
   * A network that goes through groups of positions one after the other, and whose outputs in each
   * see those that came before it.
   *
   * @param space of the data
   * @param groups of positions; what the conditioner reads and returns is in their order
   * @param condition what the model is conditioned on; {@link Space#NONE} if nothing
   * @param width logits for each position
   * @throws IllegalArgumentException if it can only go position by position
   */
  CausalConditioner causal(Space space, Groups groups, Space condition, int width);

  /** A network that goes through the positions one after the other. */
  default CausalConditioner causal(Space space, Order order, Space condition, int width) {
    return causal(space, Groups.singles(order), condition, width);
  }
}
