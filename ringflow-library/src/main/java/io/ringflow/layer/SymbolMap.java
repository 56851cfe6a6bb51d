package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.core.Space;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/**
 * How one symbol is moved, chosen by a network's logits.
 *
 * <p>A map is a permutation of {@code 0 … K_d - 1} for whatever the network says: no logits can
 * make it lose a symbol. Equal logits are decided for the lowest index.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Shift.class, name = "shift"),
  @JsonSubTypes.Type(value = ShiftScale.class, name = "shift-scale"),
  @JsonSubTypes.Type(value = Permute.class, name = "permute"),
  @JsonSubTypes.Type(value = Sinkhorn.class, name = "sinkhorn")
})
public sealed interface SymbolMap permits Shift, ShiftScale, Permute, Sinkhorn {
  /**
   * How many logits a position needs, when the largest cardinality of the space is {@code
   * maxCardinality}.
   */
  int width(int maxCardinality);

  /** The map on given positions. */
  Moves on(Space positions, int maxCardinality);

  /**
   * A map on given positions: integer arithmetic on ids, and in the scored direction the shadow's
   * gradient.
   */
  interface Moves extends Module {
    /**
     * From base to data.
     *
     * @param ids int64 {@code [B, n]}: the symbols at the positions {@code from … from + n - 1}
     * @param logits {@code [B, n, width]}
     * @return int64 {@code [B, n]}
     */
    Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context);

    /**
     * From data to base, at all positions.
     *
     * @param data {@code [B, D]}
     * @param logits {@code [B, D, width]}
     */
    Symbols inverse(Symbols data, Tensor logits, EvaluationContext context);
  }
}
