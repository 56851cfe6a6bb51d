package io.ringflow.bench;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.kernels.AttentionKernels;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Times the operations of one attention block alone, forward and backward. */
final class StepProfile {
  private static final int WARM_UP = 5;
  private static final int REPETITIONS = 30;

  private final Device device;
  private final Precision precision;
  private final long batch;
  private final long length;
  private final long width;
  private final long heads;

  StepProfile(Device device, Precision precision, long batch, long length, long width, long heads) {
    this.device = device;
    this.precision = precision;
    this.batch = batch;
    this.length = length;
    this.width = width;
    this.heads = heads;
  }

  /**
   * A part of a block.
   *
   * @param operations of arithmetic that are matrix products; 0 where memory is what limits it
   */
  record Part(String name, double millis, double operations) {}

  /** Multiplications and additions a second of a large square product. */
  double matrixPeak() {
    long size = device == Device.CUDA ? 8192 : 1024;
    try (TensorOwner owner = new TensorOwner()) {
      Tensor a = random(owner, false, size, size);
      Tensor b = random(owner, false, size, size);
      double best = Double.POSITIVE_INFINITY;
      for (int i = 0; i < 3; i++) {
        best = Math.min(best, millis(() -> a.matmul(b)));
      }
      return 2.0 * size * size * size / best * 1e3;
    }
  }

  /** The parts of one block over a whole batch. */
  List<Part> block() {
    long tokens = batch * length;
    List<Part> parts = new ArrayList<>();
    parts.add(product("queries, keys and values", tokens, width, 3 * width));
    AttentionKernels.preferFlash();
    parts.add(attention("attention, libtorch's own kernels"));
    AttentionKernels.preferCudnn();
    parts.add(attention("attention"));
    parts.add(product("projection", tokens, width, width));
    parts.add(product("perceptron, in", tokens, width, 4 * width));
    parts.add(product("perceptron, out", tokens, 4 * width, width));
    try (TensorOwner owner = new TensorOwner()) {
      Tensor x = random(owner, true, tokens, width);
      Tensor other = random(owner, true, tokens, width);
      Tensor wide = random(owner, true, tokens, 4 * width);
      parts.add(new Part("two normalisations", 2 * millis(() -> Tensors.normalized(x), x), 0));
      parts.add(new Part("GELU", millis(() -> torch.gelu(wide), wide), 0));
      parts.add(new Part("two residual sums", 2 * millis(() -> x.add(other), x, other), 0));
    }
    return parts;
  }

  private Part product(String name, long tokens, long in, long out) {
    try (TensorOwner owner = new TensorOwner()) {
      Tensor x = random(owner, true, tokens, in);
      Tensor weight = random(owner, true, out, in);
      Tensor bias = random(owner, true, out);
      double millis = millis(() -> Tensors.linear(x, weight, bias), x, weight, bias);
      return new Part(name, millis, 6.0 * tokens * in * out);
    }
  }

  private Part attention(String name) {
    try (TensorOwner owner = new TensorOwner()) {
      Tensor queries = random(owner, true, batch, heads, length, width / heads);
      Tensor keys = random(owner, true, batch, heads, length, width / heads);
      Tensor values = random(owner, true, batch, heads, length, width / heads);
      double millis =
          millis(
              () ->
                  torch.scaled_dot_product_attention(
                      queries,
                      keys,
                      values,
                      new TensorOptional(),
                      0.0,
                      false,
                      new DoubleOptional(),
                      false),
              queries,
              keys,
              values);
      return new Part(name, millis, 12.0 * batch * length * length * width);
    }
  }

  private Tensor random(TensorOwner owner, boolean gradient, long... shape) {
    try (Scope scope = Scope.inference()) {
      Tensor like = Tensors.zeros(Precision.FLOAT32, device, 1);
      Tensor values = Tensors.uniforms(1, like, shape).to(Tensors.type(precision)).detach();
      return owner.keep(values.set_requires_grad(gradient));
    }
  }

  private double millis(Supplier<Tensor> work, Tensor... inputs) {
    for (int i = 0; i < WARM_UP; i++) {
      once(work, inputs);
    }
    synchronize(device);
    long started = System.nanoTime();
    for (int i = 0; i < REPETITIONS; i++) {
      once(work, inputs);
    }
    synchronize(device);
    return (System.nanoTime() - started) * 1e-6 / REPETITIONS;
  }

  /** The gradients are returned and not added up, as those of a network's inner tensors. */
  private static void once(Supplier<Tensor> work, Tensor... inputs) {
    try (Scope scope = Scope.training()) {
      Tensor result = work.get();
      if (inputs.length > 0) {
        torch.grad(
            new TensorVector(result),
            new TensorVector(inputs),
            new TensorVector(result.detach()),
            new BoolOptional(),
            false,
            false);
      }
    }
  }

  /** Reading a number waits for everything before it. */
  static void synchronize(Device device) {
    try (Scope scope = Scope.inference()) {
      Tensors.scalar(Tensors.zeros(Precision.FLOAT32, device, 1));
    }
  }
}
