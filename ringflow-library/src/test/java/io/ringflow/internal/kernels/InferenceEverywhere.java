package io.ringflow.internal.kernels;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Lets networks without gradients compute by the inference kernels' formulas, in libtorch's
 * operators and on every device, until it is closed.
 */
public final class InferenceEverywhere implements AutoCloseable, InferenceKernels {
  private final AtenKernels kernels = new AtenKernels();
  private long attended;

  public InferenceEverywhere() {
    InferenceOperators.useEverywhere(this);
  }

  /** How many normalisations have run. */
  public long normalized() {
    return kernels.calls();
  }

  /** How many positions have attended. */
  public long attended() {
    return attended;
  }

  @Override
  public boolean fit(Tensor vectors) {
    return true;
  }

  @Override
  public Tensor normalize(Tensor x) {
    return kernels.normalize(x).values();
  }

  @Override
  public Tensor addNormalize(Tensor sum, Tensor branch) {
    return kernels.addNormalize(sum, branch, null).values();
  }

  @Override
  public boolean fitAttention(Tensor cache) {
    return true;
  }

  @Override
  public Tensor attendLast(Tensor mapped, Tensor keys, Tensor values, long position) {
    attended++;
    long batch = keys.size(0);
    long heads = keys.size(1);
    long head = keys.size(3);
    Tensor parts = mapped.view(batch, 3, heads, 1, head);
    keys.narrow(2, position, 1).copy_(parts.select(1, 1));
    values.narrow(2, position, 1).copy_(parts.select(1, 2));
    Tensor known = keys.narrow(2, 0, position + 1);
    Tensor query = parts.select(1, 0); // [B, heads, 1, head]
    Tensor scores = query.matmul(known.transpose(2, 3)).div(new Scalar(Math.sqrt((double) head)));
    Tensor weights = torch.softmax(scores, -1);
    return weights.matmul(values.narrow(2, 0, position + 1)).reshape(batch, 1, heads * head);
  }

  @Override
  public void close() {
    InferenceOperators.useEverywhere(null);
  }
}
