package io.ringflow.train;

import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.train.WeightUpdate.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Muon (Jordan et al. 2024) on the matrices of a model: each moves by the orthogonal matrix nearest
 * to the running mean of its gradients, or rather by one near it, which a few iterations find.
 *
 * <p>All matrices of a shape are orthogonalised by the same products. Nothing is read on the host,
 * so that a step can be captured.
 */
final class Muon {
  private static final double MOMENTUM = 0.95;
  private static final int ITERATIONS = 5;

  /** Of the odd polynomial that each iteration maps the singular values by: to about one. */
  private static final double LINEAR = 3.4445;

  private static final double CUBIC = -4.7750;
  private static final double QUINTIC = 2.0315;

  /** Keeps a gradient of zero from being divided by zero. */
  private static final double EPSILON = 1e-7;

  private final List<HiddenMatrix> matrices;
  private final Tensor values;
  private final Tensor gradients;
  private final Tensor momentum;
  private final double relativeRate;
  private final double weightDecay;

  /**
   * Will update some matrices.
   *
   * @param matrices in the order of the buffer
   * @param values the flat buffer; borrowed, like the others
   * @param momentum the running mean of gradients
   * @param relativeRate what AdamW's rate is multiplied with
   */
  Muon(
      List<HiddenMatrix> matrices,
      Tensor values,
      Tensor gradients,
      Tensor momentum,
      double relativeRate,
      double weightDecay) {
    this.matrices = matrices;
    this.values = values;
    this.gradients = gradients;
    this.momentum = momentum;
    this.relativeRate = relativeRate;
    this.weightDecay = weightDecay;
  }

  /** What lies between the matrices of a part. */
  List<Part> rest(Part part) {
    List<Part> rest = new ArrayList<>();
    long from = part.from();
    for (HiddenMatrix matrix : within(part)) {
      if (matrix.from() > from) {
        rest.add(new Part(from, matrix.from() - from));
      }
      from = matrix.to();
    }
    if (part.to() > from) {
      rest.add(new Part(from, part.to() - from));
    }
    return rest;
  }

  private List<HiddenMatrix> within(Part part) {
    return matrices.stream()
        .filter(matrix -> matrix.from() >= part.from() && matrix.to() <= part.to())
        .toList();
  }

  /**
   * Updates the matrices of a part.
   *
   * @param rate of AdamW, float32, without dimensions
   */
  void update(Part part, Tensor rate) {
    for (List<Run> runs : runsByShape(within(part))) {
      try (Scope scope = Scope.inference()) {
        update(runs, rate);
      }
    }
  }

  private void update(List<Run> runs, Tensor rate) {
    Tensor[] means = runs.stream().map(this::mean).toArray(Tensor[]::new);
    Tensor steps = orthogonalized(means.length == 1 ? means[0] : Tensors.cat(0, means));
    // The root keeps outputs changing alike where there are more of them than inputs.
    double scale = Math.sqrt(Math.max(1, (double) steps.size(1) / steps.size(2)));
    steps = steps.mul(rate.mul(new Scalar(-relativeRate * scale)));
    Tensor kept = rate.mul(new Scalar(-relativeRate * weightDecay)).add(new Scalar(1.0));
    long next = 0;
    for (Run run : runs) {
      Tensor view = run.of(values);
      view.mul_(kept).add_(steps.narrow(0, next, run.size()).view(view.sizes()));
      next += run.size();
    }
  }

  /** The momentum of the next step, as Nesterov looks ahead: {@code [n, rows, columns]}. */
  private Tensor mean(Run run) {
    Tensor gradient = run.of(gradients);
    Tensor running = run.of(momentum);
    running.lerp_(gradient, new Scalar(1 - MOMENTUM));
    Tensor ahead = gradient.lerp(running, new Scalar(MOMENTUM));
    return ahead.reshape(run.size(), run.first.rows(), run.first.columns());
  }

  /**
   * Moves all singular values to about one, by Newton and Schulz's iteration: float32 of {@code [n,
   * rows, columns]}.
   */
  static Tensor orthogonalized(Tensor matrices) {
    boolean tall = matrices.size(1) > matrices.size(2);
    Tensor wide = tall ? matrices.transpose(1, 2) : matrices; // the smaller products
    Tensor norms =
        torch.linalg_vector_norm(
            wide, new Scalar(2.0), new long[] {1, 2}, true, new ScalarTypeOptional());
    Tensor x = wide.div(norms.add(new Scalar(EPSILON)));
    // What iterations leave of rounding is far below how near to one they come.
    x = x.is_cuda() ? x.to(ScalarType.BFloat16) : x;
    for (int i = 0; i < ITERATIONS; i++) {
      Tensor before = x;
      x = Scope.handUp(() -> iterated(before));
    }
    x = x.to(ScalarType.Float);
    return tall ? x.transpose(1, 2) : x;
  }

  /** {@code a X + b (X X^T) X + c (X X^T)^2 X}. */
  private static Tensor iterated(Tensor x) {
    Tensor square = x.bmm(x.transpose(1, 2));
    Tensor factor =
        square.baddbmm(square, square, new Scalar(CUBIC), new Scalar(QUINTIC));
    return x.baddbmm(factor, x, new Scalar(LINEAR), new Scalar(1.0));
  }

  /**
   * Parameters alike at equal distances, as the blocks of a network are: one view of the buffer
   * holds them all.
   */
  private record Run(HiddenMatrix first, long distance, long length) {
    /** How many matrices. */
    long size() {
      return length * first.count();
    }

    Tensor of(Tensor buffer) {
      long rows = first.rows();
      long columns = first.columns();
      return buffer.as_strided(
          new long[] {length, first.count(), rows, columns},
          new long[] {distance, rows * columns, columns, 1},
          new LongOptional(first.from()));
    }

    /** With one more behind the last, if it is where and what it must be; null if not. */
    Run with(HiddenMatrix next) {
      long distanceNow = length == 1 ? next.from() - first.from() : distance;
      boolean alike = first.hasShapeOf(next) && first.count() == next.count();
      return alike && next.from() == first.from() + length * distanceNow
          ? new Run(first, distanceNow, length + 1)
          : null;
    }
  }

  /** Runs of matrices of the same shape each. */
  private static Iterable<List<Run>> runsByShape(List<HiddenMatrix> matrices) {
    record Kind(long count, long rows, long columns) {}
    record Shape(long rows, long columns) {}
    Map<Kind, List<HiddenMatrix>> kinds = new LinkedHashMap<>();
    for (HiddenMatrix matrix : matrices) {
      var kind = new Kind(matrix.count(), matrix.rows(), matrix.columns());
      kinds.computeIfAbsent(kind, key -> new ArrayList<>()).add(matrix);
    }
    Map<Shape, List<Run>> runs = new LinkedHashMap<>();
    kinds.forEach(
        (kind, alike) ->
            runs.computeIfAbsent(new Shape(kind.rows, kind.columns), key -> new ArrayList<>())
                .addAll(runs(alike)));
    return runs.values();
  }

  private static List<Run> runs(List<HiddenMatrix> alike) {
    List<Run> runs = new ArrayList<>();
    for (HiddenMatrix matrix : alike) {
      Run longer = runs.isEmpty() ? null : runs.get(runs.size() - 1).with(matrix);
      if (longer == null) {
        runs.add(new Run(matrix, matrix.to() - matrix.from(), 1));
      } else {
        runs.set(runs.size() - 1, longer);
      }
    }
    return runs;
  }
}
