package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** A residual stream of libtorch's operators. */
record PlainStream(Tensor sum, EvaluationContext context) implements ResidualStream {
  @Override
  public Tensor normalized() {
    return Tensors.normalized(sum);
  }

  @Override
  public ResidualStream plus(Linear map, Tensor x) {
    Tensor branch = context.dropout().on(map.apply(x, context));
    long count = x.size(1);
    long dropped = sum.size(1) - count;
    Tensor rest = dropped == 0 ? sum : sum.narrow(1, dropped, count);
    return new PlainStream(rest.add(branch), context);
  }

  @Override
  public List<Tensor> tensors() {
    return List.of(sum);
  }
}
