package io.ringflow.internal.kernels;

import io.ringflow.core.Device;
import io.ringflow.internal.kernels.FusedKernels.Normalized;
import io.ringflow.internal.kernels.FusedKernels.SumGradient;
import io.ringflow.internal.kernels.FusedKernels.Summed;
import io.ringflow.spi.BackwardTape;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * The operators of a residual network between its matrix products, for training: fewer passes over
 * memory than libtorch's, and the gradients of biases on the way.
 *
 * <p>A bias whose gradient is found here must be added without one: see each method.
 */
public final class FusedOperators {
  static final boolean ENABLED =
      !"false".equalsIgnoreCase(System.getProperty("ringflow.fused", ""));

  private static volatile FusedKernels everywhere; // null except in tests

  private final FusedKernels kernels;
  private final BackwardTape tape;

  private FusedOperators(FusedKernels kernels, BackwardTape tape) {
    this.kernels = kernels;
    this.tape = tape;
  }

  /** Lets kernels compute on every device; null for the usual ones. */
  static void useEverywhere(FusedKernels kernels) {
    everywhere = kernels;
  }

  /**
   * Operators for an evaluation; nothing where libtorch's are to be used: outside training, for
   * sizes and devices that there are no kernels for, and where the system property {@code
   * ringflow.fused} is false.
   *
   * @param vectors that the network starts from, {@code [B, T, width]}
   * @param filter width of the rows that GELU is taken of
   */
  public static Optional<FusedOperators> of(
      Tensor vectors, long filter, EvaluationContext context) {
    if (!ENABLED
        || !context.tape().records()
        || !Tensors.recordsGradients()
        || !vectors.requires_grad()) {
      return Optional.empty();
    }
    FusedKernels kernels = everywhere;
    if (kernels == null) {
      kernels = context.device() == Device.CUDA ? CudaKernels.shared() : null;
    }
    return kernels != null && kernels.fit(vectors, filter)
        ? Optional.of(new FusedOperators(kernels, context.tape()))
        : Optional.empty();
  }

  /** The first sum: the vectors themselves. */
  public ResidualSum start(Tensor vectors) {
    Tensor values = vectors.detach().contiguous();
    Normalized normalized = kernels.normalize(values);
    return record(vectors, values, normalized, null, null, false);
  }

  /**
   * The next sum.
   *
   * @param to the sum until now, to which nothing was added yet, {@code [B, T, width]}
   * @param branch {@code [B, n, width]}: is added to the last n of each sequence, which alone are
   *     left; computed from the sum's normalisation, with the bias detached; overwritten
   * @param bias the last term of the branch, whose gradient is found here; borrowed
   * @param dropout of the branch, with its bias
   */
  public ResidualSum add(ResidualSum to, Tensor branch, Tensor bias, Dropout dropout) {
    if (to.next != null) {
      throw new IllegalStateException("a branch was added to this sum before");
    }
    Tensor added = branch.contiguous();
    Tensor sum = added.detach();
    Tensor factors = dropout.active() ? kernels.factors(dropout, sum) : null;
    Normalized normalized = kernels.addNormalize(to.sum, sum, factors);
    to.next = record(added, sum, normalized, factors, expected(bias), true);
    return to.next;
  }

  /**
   * @param source where the gradient of the sum goes to
   * @param factors of the source in the sum; null where they are all 1
   * @param passesOn whether the sum before this one waits for the gradient too
   */
  private ResidualSum record(
      Tensor source,
      Tensor sum,
      Normalized normalized,
      Tensor factors,
      Tensor bias,
      boolean passesOn) {
    ResidualSum[] self = new ResidualSum[1];
    List<Tensor> needed = new ArrayList<>(List.of(normalized.values(), normalized.scale()));
    if (factors != null) {
      needed.add(factors);
    }
    Tensor output =
        tape.record(
            source,
            normalized.values(),
            gradient -> backward(self[0], gradient, normalized, factors, bias, passesOn),
            needed.toArray(Tensor[]::new));
    self[0] = new ResidualSum(sum, output);
    return self[0];
  }

  private Tensor backward(
      ResidualSum sum,
      Tensor gradient,
      Normalized normalized,
      Tensor factors,
      Tensor bias,
      boolean passesOn) {
    Tensor next = sum.next == null ? null : sum.next.gradient;
    SumGradient found =
        kernels.normalizeBackward(gradient, normalized, next, factors, bias != null);
    if (next != null) {
      sum.next.gradient = null;
      tape.release(next);
    }
    if (passesOn) {
      sum.gradient = tape.keep(found.sum());
    }
    return handedIn(found.branch(), bias);
  }

  /**
   * GELU of a linear map.
   *
   * @param x computed with the bias detached
   * @param bias the last term of x, whose gradient is found here; borrowed
   */
  public Tensor gelu(Tensor x, Tensor bias) {
    Tensor values = x.detach().contiguous();
    Tensor expected = expected(bias);
    return tape.record(
        x,
        kernels.gelu(values),
        gradient -> handedIn(kernels.geluBackward(gradient, values, expected != null), expected),
        values);
  }

  /**
   * A linear map as it is, with the gradient of its bias.
   *
   * @param x computed with the bias detached
   * @param bias the last term of x, whose gradient is found here; borrowed
   */
  public Tensor withBiasGradient(Tensor x, Tensor bias) {
    Tensor expected = expected(bias);
    return expected == null
        ? x
        : tape.record(
            x,
            x.detach(),
            gradient -> handedIn(new Summed(gradient, kernels.columnSums(gradient)), expected));
  }

  /** The bias, of which a gradient will come; null where none is wanted. */
  private Tensor expected(Tensor bias) {
    if (bias == null || !bias.requires_grad()) {
      return null;
    }
    tape.expectGradient(bias);
    return bias;
  }

  private Tensor handedIn(Summed gradient, Tensor bias) {
    if (bias != null) {
      tape.addGradient(bias, gradient.columns());
    }
    return gradient.values();
  }
}
