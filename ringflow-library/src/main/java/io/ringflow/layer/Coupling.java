package io.ringflow.layer;

import io.ringflow.spi.Bijection;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** A bijection that moves some symbols by what a network says about them, given the others. */
public interface Coupling extends Bijection {
  /** The symbols it moves, as they are on the data's side: {@code [B, M]}. */
  Symbols moved(Symbols data, EvaluationContext context);

  /**
   * What its network says of them, {@code [B, M, width]}; as many logits as {@link SymbolMap#width}
   * tells, those of the shifts first where the map has shifts.
   */
  Tensor logits(Symbols data, EvaluationContext context);
}
