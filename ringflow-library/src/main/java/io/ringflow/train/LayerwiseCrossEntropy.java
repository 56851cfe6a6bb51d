package io.ringflow.train;

import io.ringflow.spi.BoundMap;
import org.bytedeco.pytorch.Tensor;

/** Layer-wise cross-entropy: each layer's network classifies the symbols that the layer moves. */
final class LayerwiseCrossEntropy extends SurrogateLikelihood {
  @Override
  Tensor logLikelihood(BoundMap.Move move, Tensor ids, Tensor positions) {
    Tensor own = move.symbolLogits().log_softmax(-1).gather(-1, ids.unsqueeze(-1)); // [B, n, 1]
    return own.sum(new long[] {1, 2});
  }
}
