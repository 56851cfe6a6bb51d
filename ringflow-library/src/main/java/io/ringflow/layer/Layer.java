package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.Objective;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.spi.Bijection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Describes one bijection of a flow: which positions, which network, which map.
 *
 * <p>A layer is a plain value. It holds no weights, compares by content, and is written to {@code
 * config.json} as it stands, under the name that its {@code @JsonTypeName} gives.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public interface Layer {
  /**
   * The bijection this describes, onto a given space.
   *
   * @param space of its data side
   * @param condition of the model; {@link Space#NONE} if it is unconditional
   * @throws IllegalArgumentException if this layer does not fit the space
   */
  Bijection on(Space space, Space condition);

  /**
   * This layer with its directions swapped: {@link Inverse}, unless there is a simpler way to say
   * it. A layer that has nothing to learn, or that leads from one space to another, says here what
   * undoes it.
   */
  default Layer inverted() {
    return new Inverse(this);
  }

  /**
   * The objectives that can train this layer: all of them where there is nothing to train, none of
   * {@link Objective#ofLikelihood} where it learns by inference and not from data.
   */
  default Set<Objective> trainableBy() {
    return EnumSet.allOf(Objective.class);
  }

  /** Whether straight-through gradients end here: layers on its data side get none. */
  default boolean stopsGradients() {
    return false;
  }

  /**
   * How this layer rearranges positions; empty unless it {@link #rearranges}.
   *
   * @param space of its data side
   */
  default Optional<Rearrangement> rearrangement(Space space) {
    return Optional.empty();
  }

  /** Whether this layer only rearranges positions, and has nothing to learn. */
  default boolean rearranges() {
    return false;
  }

  /** This layer in a few words. */
  default PartSummary summary() {
    return PartSummary.of(this);
  }

  /** The layers this one consists of, from the base to the data: itself, unless it is a chain. */
  default List<Layer> flatten() {
    return List.of(this);
  }
}
