package io.ringflow.base;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.Space;
import io.ringflow.spi.Distribution;

/**
 * Describes the distribution a flow starts from; a plain value, like {@link
 * io.ringflow.layer.Layer}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FactorizedBase.class, name = "factorized"),
  @JsonSubTypes.Type(value = AutoregressiveBase.class, name = "autoregressive"),
  @JsonSubTypes.Type(value = GroupBase.class, name = "group")
})
public interface Base {
  /**
   * The distribution this describes, on a given space.
   *
   * @param condition what the model is conditioned on; {@link Space#NONE} if nothing
   */
  Distribution on(Space space, Space condition);
}
