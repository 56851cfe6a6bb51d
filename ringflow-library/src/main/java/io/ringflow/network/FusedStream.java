package io.ringflow.network;

import io.ringflow.internal.kernels.FusedOperators;
import io.ringflow.internal.kernels.ResidualSum;
import io.ringflow.spi.EvaluationContext;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * A residual stream of fused operators, for training: each sum is computed with its normalisation,
 * and the gradients of biases with those of what they were added to.
 */
record FusedStream(FusedOperators operators, ResidualSum sum, EvaluationContext context)
    implements ResidualStream {
  @Override
  public Tensor normalized() {
    return sum.normalized();
  }

  @Override
  public Tensor mapped(Linear map) {
    Tensor mapped = map.applyWithoutBiasGradient(normalized(), context);
    return operators.withBiasGradient(mapped, map.bias(context));
  }

  @Override
  public Tensor activated(Linear map) {
    Tensor mapped = map.applyWithoutBiasGradient(normalized(), context);
    return operators.gelu(mapped, map.bias(context));
  }

  @Override
  public ResidualStream plus(Linear map, Tensor x) {
    Tensor branch = map.applyWithoutBiasGradient(x, context);
    ResidualSum next = operators.add(sum, branch, map.bias(context), context.dropout());
    return new FusedStream(operators, next, context);
  }

  @Override
  public List<Tensor> tensors() {
    return sum.tensors();
  }
}
