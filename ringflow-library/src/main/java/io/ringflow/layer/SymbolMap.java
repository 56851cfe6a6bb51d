package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.spi.BoundMap;
import java.util.Set;

/**
 * How one symbol is moved, chosen by a network's logits; a plain value, like {@link Layer}.
 *
 * <p>A map is a permutation of {@code 0 … K_d - 1} whatever the network says: no logits can make it
 * lose a symbol. Equal logits are decided for the lowest index.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public interface SymbolMap {
  /**
   * How many logits a position needs, when the largest cardinality of the space is {@code
   * maxCardinality}.
   */
  int width(int maxCardinality);

  /** The map on given positions. */
  BoundMap on(Space positions, int maxCardinality);

  /** The objectives that can train a network to choose moves of this map. */
  Set<Objective> trainableBy();
}
