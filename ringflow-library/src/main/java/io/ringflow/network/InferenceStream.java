package io.ringflow.network;

import io.ringflow.internal.kernels.InferenceOperators;
import io.ringflow.spi.EvaluationContext;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/** A residual stream without gradients: each sum is computed with its normalisation. */
record InferenceStream(
    InferenceOperators operators, InferenceOperators.Normalized sum, EvaluationContext context)
    implements ResidualStream {
  @Override
  public Tensor normalized() {
    return sum.values();
  }

  @Override
  public ResidualStream plus(Linear map, Tensor x) {
    return new InferenceStream(operators, operators.add(sum, map.apply(x, context)), context);
  }

  @Override
  public Optional<Tensor> attendLast(Tensor mapped, AttentionBlock.Cache cache, long position) {
    return operators.attendLast(mapped, cache.keys(), cache.values(), position);
  }

  @Override
  public List<Tensor> tensors() {
    return List.of(sum.sum(), sum.values());
  }
}
