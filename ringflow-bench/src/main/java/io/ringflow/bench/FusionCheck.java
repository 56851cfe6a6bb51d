package io.ringflow.bench;

import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Layout;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.kernels.FusedOperators;
import io.ringflow.internal.kernels.ResidualSum;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.network.Transformer;
import io.ringflow.spi.BackwardTape;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.GradientEstimator;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Statistic;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Compares fused operators with libtorch's, on the device that they are for: errors of values and
 * gradients. {@link SpeedTable} says how much faster trainings are with them.
 *
 * <pre>
 *   java io.ringflow.bench.FusionCheck [DEVICE [BATCH [LAYERS]]]
 * </pre>
 */
public final class FusionCheck {
  private static final int LENGTH = 256;
  private static final int WIDTH = 512;
  private static final int FILTER = 2048;

  /** What rounding may do to a network's gradient in float32, as a share of its length. */
  private static final double MAX_NETWORK_ERROR = 1e-5;

  /** How much further from float32 than libtorch's a fused gradient of lower precision may be. */
  private static final double MAX_RATIO = 1.5;

  private final Device device;
  private final int batch;
  private final int layers;
  private boolean close = true;

  FusionCheck(Device device, int batch, int layers) {
    this.device = device;
    this.batch = batch;
    this.layers = layers;
  }

  /** Prints two tables; fails where something differs by more than rounding. */
  public static void main(String[] args) {
    var arguments = Arguments.of(args);
    Device device = Device.of(arguments.text(0, "cuda"));
    int batch = arguments.integer(1, 128);
    int layers = arguments.integer(2, 12);
    new FusionCheck(device, batch, layers).print(Precision.BFLOAT16, Precision.FLOAT32);
  }

  /**
   * Both tables.
   *
   * @param precisions what operators are compared in; the first is the one networks train in
   */
  void print(Precision... precisions) {
    System.out.println("Largest error of each operator, as a share of the largest value:");
    System.out.println();
    System.out.println("| operator | precision | shape | value | gradients |");
    System.out.println("|---|---|---|---|---|");
    for (Precision precision : precisions) {
      for (int width : new int[] {8, 512, 1096, 2048, 4096}) {
        for (Operator operator : Operator.values()) {
          compare(operator, precision, 5, 37, width);
        }
      }
    }
    System.out.println();
    System.out.println("Error of a network's gradient, as a share of its length:");
    System.out.println();
    System.out.println("| network | compared | with | all | worst parameter |");
    System.out.println("|---|---|---|---|---|");
    Space space = Space.uniform(LENGTH, 27);
    Transformer deep = new Transformer(WIDTH, layers, 8, FILTER);
    Groups groups = Groups.singles(Order.natural(LENGTH));
    networks(
        "causal, " + layers + " layers",
        List.of(deep.causal(space, groups, Space.NONE, 27)),
        precisions[0]);
    List<Conditioner> bipartite = new ArrayList<>();
    for (int i = 0; i < Math.max(1, layers * 2 / 3); i++) {
      Mask mask = i % 2 == 0 ? Mask.even(LENGTH) : Mask.odd(LENGTH);
      bipartite.add(new Transformer(WIDTH, 3, 8, FILTER).bipartite(space, mask, Space.NONE, 27));
    }
    networks(bipartite.size() + " bipartite, 3 layers each", bipartite, precisions[0]);
    if (!close) {
      throw new IllegalStateException("fused operators and libtorch's differ by too much");
    }
  }

  // ---- errors of operators

  /** An operator, and what libtorch has for it. */
  private enum Operator {
    NORMALIZATION("normalisation"),
    SUM("two sums"),
    LAST_ROWS("two sums, of the last rows"),
    DROPOUT("two sums with dropout"),
    GELU("GELU"),
    COLUMNS("sums of columns");

    private final String shown;

    Operator(String shown) {
      this.shown = shown;
    }

    /**
     * @param x {@code [B, T, width]}
     * @param factor {@code [width]}, for branches
     * @param bias {@code [width]}
     */
    Tensor plain(Tensor x, Tensor factor, Tensor bias) {
      return switch (this) {
        case NORMALIZATION -> Tensors.normalized(x);
        case SUM, LAST_ROWS, DROPOUT -> {
          Dropout dropout = dropout();
          Tensor first = x.add(dropout.on(Tensors.normalized(x).mul(factor).add(bias)));
          Tensor second = dropout.on(Tensors.normalized(first).mul(factor).add(bias));
          yield Tensors.normalized(last(first, this).add(last(second, this)));
        }
        case GELU -> torch.gelu(x.add(bias));
        case COLUMNS -> x.add(bias);
      };
    }

    Tensor fused(FusedOperators operators, Tensor x, Tensor factor, Tensor bias) {
      Tensor fixed = bias.detach();
      return switch (this) {
        case NORMALIZATION -> operators.start(x).normalized();
        case SUM, LAST_ROWS, DROPOUT -> {
          Dropout dropout = dropout();
          ResidualSum start = operators.start(x);
          Tensor branch = start.normalized().mul(factor).add(fixed);
          ResidualSum first = operators.add(start, branch, bias, dropout);
          Tensor other = last(first.normalized(), this).mul(factor).add(fixed);
          yield operators.add(first, other, bias, dropout).normalized();
        }
        case GELU -> operators.gelu(x.add(fixed), bias);
        case COLUMNS -> operators.withBiasGradient(x.add(fixed), bias);
      };
    }

    private Dropout dropout() {
      return this == DROPOUT ? new Dropout(0.3, 17) : Dropout.NONE;
    }

    private static Tensor last(Tensor x, Operator operator) {
      long count = operator == LAST_ROWS ? 11 : x.size(1);
      return x.narrow(1, x.size(1) - count, count);
    }
  }

  private void compare(Operator operator, Precision precision, int rows, int length, int width) {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      List<Tensor> inputs =
          List.of(
              random(1, precision, rows, length, width),
              random(2, precision, width),
              random(3, precision, width));
      List<Tensor> exact =
          inputs.stream().map(one -> leaf(one.detach().to(ScalarType.Double))).toList();
      FusedOperators operators = operators(inputs.get(0), width, precision, tape);
      Tensor wanted = operator.plain(exact.get(0), exact.get(1), exact.get(2));
      Tensor found = operator.fused(operators, inputs.get(0), inputs.get(1), inputs.get(2));
      Tensor towards = random(4, precision, shape(wanted)).detach();
      wanted.mul(towards.to(ScalarType.Double)).sum().backward();
      found.mul(towards).sum().backward();
      tape.finish();
      double worst = 0;
      for (int i = 0; i < inputs.size(); i++) {
        if (exact.get(i).grad().defined()) {
          worst = Math.max(worst, error(inputs.get(i).grad(), exact.get(i).grad()));
        }
      }
      double ofValue = error(found, wanted);
      close &= Math.max(ofValue, worst) <= maxError(precision);
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %d x %d x %d | %.1e | %.1e |%n",
          operator.shown,
          precision,
          rows,
          length,
          width,
          ofValue,
          worst);
    }
  }

  /** Of a few operations, each rounded once: some units in the last place. */
  private static double maxError(Precision precision) {
    return switch (precision) {
      case BFLOAT16 -> 2e-2;
      case FLOAT32 -> 2e-6;
      case FLOAT64 -> 1e-12;
    };
  }

  private static long[] shape(Tensor x) {
    return new long[] {x.size(0), x.size(1), x.size(2)};
  }

  private static double error(Tensor found, Tensor wanted) {
    Tensor difference = found.detach().to(ScalarType.Double).sub(wanted.detach()).abs().max();
    return Tensors.scalar(difference) / Tensors.scalar(wanted.detach().abs().max());
  }

  private Tensor random(long seed, Precision precision, long... shape) {
    Tensor like = Tensors.zeros(Precision.FLOAT32, device, 1);
    Tensor uniform = Tensors.uniforms(seed << 40, like, shape);
    return leaf(
        uniform.mul(new Scalar(4.0)).sub(new Scalar(1.7)).to(Tensors.type(precision)).detach());
  }

  private static Tensor leaf(Tensor values) {
    values.set_requires_grad(true);
    return values;
  }

  /** Where to compute, and in which precision. */
  private record Place(Device device, Precision precision) implements ParameterValues {
    @Override
    public Tensor get(Parameter parameter) {
      throw new IllegalStateException("there are no parameters");
    }

    @Override
    public Tensor get(Buffer buffer) {
      throw new IllegalStateException("there are no buffers");
    }

    @Override
    public Tensor get(Statistic statistic) {
      throw new IllegalStateException("there are no statistics");
    }
  }

  private FusedOperators operators(
      Tensor like, int filter, Precision precision, BackwardTape tape) {
    return FusedOperators.of(like, filter, context(new Place(device, precision), tape))
        .orElseThrow(() -> new IllegalStateException("there are no fused operators on " + device));
  }

  private static EvaluationContext context(ParameterValues values, BackwardTape tape) {
    return new EvaluationContext(
        values, Condition.NONE, Dropout.NONE, GradientEstimator.NONE, tape);
  }

  // ---- errors of networks

  private void networks(String name, List<? extends Conditioner> parts, Precision precision) {
    int[][] rows = Models.rows(Space.uniform(LENGTH, 27), Math.min(batch, 8));
    try (Weights weights = Weights.initial(Layout.of(parts, nothing -> {}), device, 1);
        TensorOwner owner = new TensorOwner()) {
      Map<String, Tensor> exact = gradient(weights, parts, rows, Precision.FLOAT32, false, owner);
      Map<String, Tensor> single = gradient(weights, parts, rows, Precision.FLOAT32, true, owner);
      Map<String, Tensor> plain = gradient(weights, parts, rows, precision, false, owner);
      Map<String, Tensor> fused = gradient(weights, parts, rows, precision, true, owner);
      close &= print(name, "fused float32", single, exact) <= MAX_NETWORK_ERROR;
      double usual = print(name, "libtorch's " + precision, plain, exact);
      close &= print(name, "fused " + precision, fused, exact) <= MAX_RATIO * usual;
    }
  }

  /** Prints a row, and returns the error of the whole gradient. */
  private static double print(
      String name, String compared, Map<String, Tensor> found, Map<String, Tensor> wanted) {
    try (Scope scope = Scope.inference()) {
      double squares = 0;
      double all = 0;
      double worst = 0;
      String worstName = "";
      for (Map.Entry<String, Tensor> one : wanted.entrySet()) {
        double length = Tensors.scalar(one.getValue().norm());
        double off = Tensors.scalar(found.get(one.getKey()).sub(one.getValue()).norm());
        squares += off * off;
        all += length * length;
        if (off / length > worst) {
          worst = off / length;
          worstName = one.getKey();
        }
      }
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | libtorch's float32 | %.1e | %.1e %s |%n",
          name,
          compared,
          Math.sqrt(squares / all),
          worst,
          worstName);
      return Math.sqrt(squares / all);
    }
  }

  /** The gradient of each parameter by its name, in float64. */
  private static Map<String, Tensor> gradient(
      Weights weights,
      List<? extends Conditioner> parts,
      int[][] rows,
      Precision precision,
      boolean fused,
      TensorOwner owner) {
    try (Weights copy = weights.copyIn(precision);
        BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      copy.trackGradients();
      Symbols symbols = Symbols.of(Tensors.ids(rows, LENGTH, weights.device()));
      EvaluationContext context = context(copy, fused ? tape : BackwardTape.NONE);
      Tensor loss = Tensors.zeros(Precision.FLOAT32, weights.device(), 1);
      for (Conditioner part : parts) {
        Tensor logits = Scope.handUp(() -> Tensors.widened(part.logits(symbols, context)));
        Tensor towards = Tensors.uniforms(5, logits, shape(logits)).sub(new Scalar(0.5));
        loss = loss.add(logits.mul(towards).sum());
      }
      loss.backward();
      tape.finish();
      Map<String, Tensor> gradients = new LinkedHashMap<>();
      copy.parameters()
          .forEach(
              (name, parameter) ->
                  gradients.put(
                      name, owner.keep(copy.get(parameter).grad().to(ScalarType.Double).clone())));
      return gradients;
    }
  }
}
