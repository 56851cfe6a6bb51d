package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.Space;
import io.ringflow.spi.Bijection;

/**
 * Describes one bijection of a flow: which positions, which network, which map.
 *
 * <p>A layer is a plain value. It holds no weights, compares by content, and is written to {@code
 * config.json} as it stands.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Bipartite.class, name = "bipartite"),
  @JsonSubTypes.Type(value = Autoregressive.class, name = "autoregressive"),
  @JsonSubTypes.Type(value = Reorder.class, name = "reorder"),
  @JsonSubTypes.Type(value = Pack.class, name = "pack"),
  @JsonSubTypes.Type(value = Chain.class, name = "chain")
})
public interface Layer {
  /**
   * The bijection this describes, onto a given space.
   *
   * @param space of its data side
   * @param condition what the model is conditioned on; {@link Space#NONE} if nothing
   * @throws IllegalArgumentException if this layer does not fit the space
   */
  Bijection on(Space space, Space condition);
}
