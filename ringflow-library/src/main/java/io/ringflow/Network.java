package io.ringflow;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Table;
import io.ringflow.network.Transformer;

/**
 * Describes a network by its sizes; a plain value, like {@link Layer}.
 *
 * <p>The layer or base that uses it says what it looks at and how many logits it returns.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Table.class, name = "table"),
  @JsonSubTypes.Type(value = Made.class, name = "made"),
  @JsonSubTypes.Type(value = Lstm.class, name = "lstm"),
  @JsonSubTypes.Type(value = Transformer.class, name = "transformer")
})
public interface Network {
  /**
   * A network that sees the kept positions and speaks of the moved ones.
   *
   * @param given what the model is conditioned on; {@link Space#NONE} if nothing
   * @param width logits for each moved position
   */
  Conditioner bipartite(Space space, Mask mask, Space given, int width);

  /**
   * A network that goes through the positions in an order, and whose output at each sees those that
   * came before it.
   *
   * @param space of the data
   * @param order in which positions come; what the conditioner reads and returns is in this order
   * @param given what the model is conditioned on; {@link Space#NONE} if nothing
   * @param width logits for each position
   */
  CausalConditioner causal(Space space, Order order, Space given, int width);
}
