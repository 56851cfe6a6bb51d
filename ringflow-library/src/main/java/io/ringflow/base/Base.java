package io.ringflow.base;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.spi.Distribution;

/**
 * Describes the distribution a flow starts from: a plain value, written to {@code config.json}
 * under the name that its {@code @JsonTypeName} gives.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public interface Base {
  /**
   * The distribution this describes, on a given space.
   *
   * @param condition of the model; {@link Space#NONE} if it is unconditional
   */
  Distribution on(Space space, Space condition);

  /** This base in a few words. */
  default PartSummary summary() {
    return PartSummary.of(this);
  }
}
