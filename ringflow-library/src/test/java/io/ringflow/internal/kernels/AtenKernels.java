package io.ringflow.internal.kernels;

import io.ringflow.spi.Dropout;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** The fused kernels' formulas in libtorch's operators, for any device and precision. */
final class AtenKernels implements FusedKernels {
  private long calls;

  /** How many kernels have run. */
  long calls() {
    return calls;
  }

  @Override
  public boolean fit(Tensor vectors, long filter) {
    return true;
  }

  @Override
  public Normalized normalize(Tensor x) {
    calls++;
    Tensor centred = x.sub(rowMean(x));
    Tensor scale = rowMean(centred.mul(centred)).add(new Scalar(1e-5)).rsqrt();
    return new Normalized(centred.mul(scale), scale.flatten());
  }

  private static Tensor rowMean(Tensor x) {
    return x.mean(new long[] {-1}, true, new ScalarTypeOptional());
  }

  @Override
  public Tensor factors(Dropout dropout, Tensor vectors) {
    return dropout.factors(vectors);
  }

  @Override
  public Normalized addNormalize(Tensor sum, Tensor branch, Tensor factors) {
    if (factors != null) {
      branch.mul_(factors);
    }
    branch.add_(lastRows(sum, branch.size(1)));
    return normalize(branch);
  }

  private static Tensor lastRows(Tensor x, long count) {
    return x.narrow(1, x.size(1) - count, count);
  }

  @Override
  public SumGradient normalizeBackward(
      Tensor gradient, Normalized normalized, Tensor next, Tensor factors, boolean withColumns) {
    calls++;
    Tensor n = normalized.values();
    Tensor scale = normalized.scale().view(n.size(0), n.size(1), 1);
    Tensor slope = rowMean(gradient.mul(n));
    Tensor total = gradient.sub(rowMean(gradient)).sub(n.mul(slope)).mul(scale);
    if (next != null) {
      lastRows(total, next.size(1)).add_(next);
    }
    Tensor branch = factors == null ? total : total.mul(factors);
    return new SumGradient(total, new Summed(branch, withColumns ? columnSums(branch) : null));
  }

  @Override
  public Tensor gelu(Tensor x) {
    calls++;
    return torch.gelu(x);
  }

  @Override
  public Summed geluBackward(Tensor gradient, Tensor x, boolean withColumns) {
    calls++;
    Tensor values = torch.gelu_backward(gradient, x);
    return new Summed(values, withColumns ? columnSums(values) : null);
  }

  @Override
  public Tensor columnSums(Tensor x) {
    return x.flatten(0, -2).sum(0);
  }
}
