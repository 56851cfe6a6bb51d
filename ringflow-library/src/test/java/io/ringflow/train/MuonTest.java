package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates of matrices in batches are Muon as it is written, matrix by matrix. */
@ExtendWith(LeakCheck.class)
final class MuonTest {
  private static final int STEPS = 5;
  private static final double RATE = 0.004;
  private static final double MATRIX_RATE = 0.02;
  private static final double DECAY = 0.3;

  /** A base and two layers: blocks one behind the other, and some that stand alone. */
  private static final Architecture ARCHITECTURE =
      Architecture.of(
              Space.uniform(4, 3),
              new AutoregressiveBase(Order.natural(4), new Transformer(8, 3, 2, 20)))
          .with(new Bipartite(Mask.even(4), new Transformer(8, 2, 2, 8), new Shift()))
          .with(new Bipartite(Mask.odd(4), new Transformer(8, 1, 2, 12), new Shift()));

  @ParameterizedTest
  @CsvSource({"16, 16", "12, 40", "40, 12", "1, 7", "7, 1", "1, 1"})
  void orthogonalizesAsThePlainIteration(int rows, int columns) {
    double[][][] matrices = new double[3][][];
    var random = new SplittableRandom(1);
    for (int i = 0; i < matrices.length; i++) {
      double size = Math.pow(10, -i); // the step does not depend on it
      matrices[i] = random(random, rows, columns, size);
    }
    double[][][] found = orthogonalized(matrices);
    for (int i = 0; i < matrices.length; i++) {
      double[][] wanted = PlainMuon.orthogonalized(matrices[i]);
      for (int r = 0; r < rows; r++) {
        assertThat(found[i][r]).containsExactly(wanted[r], within(1e-5));
      }
    }
  }

  /** U V^T of the decomposition U S V^T has the singular values 1, and lies between the same. */
  @ParameterizedTest
  @CsvSource({"16, 16", "12, 40", "40, 12"})
  void comesNearTheOrthogonalFactor(int rows, int columns) {
    double[][] matrix = random(new SplittableRandom(2), rows, columns, 1);
    try (Scope scope = Scope.inference()) {
      Tensor found = tensor(orthogonalized(new double[][][] {matrix}));
      Tensor given = tensor(new double[][][] {matrix});
      var parts = torch.linalg_svd(given, false, new org.bytedeco.pytorch.StringViewOptional());
      Tensor left = parts.get0();
      Tensor right = parts.get2();
      // In the bases of the decomposition it is diagonal, with about one everywhere.
      double[] inBases =
          Tensors.toDoubles(left.transpose(1, 2).bmm(found).bmm(right.transpose(1, 2)));
      int size = Math.min(rows, columns);
      for (int i = 0; i < inBases.length; i++) {
        if (i % (size + 1) == 0) {
          assertThat(inBases[i]).as("singular value %d", i / size).isBetween(0.6, 1.25);
        } else {
          assertThat(inBases[i]).isEqualTo(0, within(1e-5));
        }
      }
    }
  }

  @Test
  void aZeroGradientMovesNothing() {
    assertThat(orthogonalized(new double[1][3][4])[0])
        .isDeepEqualTo(new double[3][4]);
  }

  private static double[][] random(SplittableRandom random, int rows, int columns, double size) {
    double[][] matrix = new double[rows][columns];
    for (double[] row : matrix) {
      Arrays.setAll(row, i -> (float) (size * random.nextGaussian()));
    }
    return matrix;
  }

  private static double[][][] orthogonalized(double[][][] matrices) {
    try (Scope scope = Scope.inference()) {
      double[] flat = Tensors.toDoubles(Muon.orthogonalized(tensor(matrices)));
      int rows = matrices[0].length;
      int columns = matrices[0][0].length;
      double[][][] result = new double[matrices.length][][];
      Arrays.setAll(result, i -> cut(flat, i * rows * columns, rows, columns));
      return result;
    }
  }

  private static Tensor tensor(double[][][] matrices) {
    double[] flat =
        Arrays.stream(matrices)
            .flatMap(Arrays::stream)
            .flatMapToDouble(Arrays::stream)
            .toArray();
    return Tensors.reals(
        flat,
        Precision.FLOAT32,
        Device.CPU,
        matrices.length,
        matrices[0].length,
        matrices[0][0].length);
  }

  private static double[][] cut(double[] flat, int from, int rows, int columns) {
    double[][] matrix = new double[rows][];
    Arrays.setAll(
        matrix,
        r -> Arrays.copyOfRange(flat, from + r * columns, from + (r + 1) * columns));
    return matrix;
  }

  /** Names of the weights that blocks multiply hidden vectors with. */
  @Test
  void matricesOfHiddenLayersAreKnownByTheirParameters() {
    try (FlowModel model = FlowModel.create(ARCHITECTURE, 1)) {
      Map<String, Integer> matrices = new LinkedHashMap<>();
      Models.weights(model)
          .parameters()
          .forEach((name, parameter) -> matrices.put(name, parameter.matrices()));
      matrices.values().removeIf(count -> count == 0);
      var kinds = new TreeSet<String>();
      matrices.forEach(
          (name, count) -> kinds.add(name.replaceAll(".*blocks\\.\\d+\\.", "") + " " + count));
      assertThat(kinds)
          .containsExactly(
              "attention.project.weight 1",
              "attention.qkv.weight 3",
              "perceptron.contract.weight 1",
              "perceptron.expand.weight 1");
      assertThat(matrices).hasSize(4 * 6);
    }
  }

  /** What an update makes of gradients, and what plain Java makes of them. */
  private static final class Trained {
    final double[] start;
    final double[] end;
    final double[] wanted;
    final long[] starts;

    Trained(double[] layerRates, double baseRate, boolean onDevice) {
      TrainingOptions options =
          TrainingOptions.builder(1)
              .learningRate(RATE)
              .muon(MATRIX_RATE)
              .weightDecay(DECAY)
              .build();
      try (FlowModel model = FlowModel.create(ARCHITECTURE, 1);
          TensorOwner owner = new TensorOwner()) {
        Weights weights = Models.weights(model);
        var update = new WeightUpdate(weights, options, owner);
        start = values(weights);
        starts = new long[] {0, weights.layerStarts().get(1), weights.layerElements()};
        wanted = start.clone();
        double[] first = new double[start.length];
        double[] second = new double[start.length];
        var random = new SplittableRandom(2);
        for (int step = 0; step < STEPS; step++) {
          double[] gradient = new double[start.length];
          for (Parameter parameter : weights.parameters().values()) {
            int from = Math.toIntExact(weights.place(parameter));
            for (int i = 0; i < parameter.elements(); i++) {
              gradient[from + i] = (float) (0.1 * random.nextGaussian());
            }
            double rate = from < starts[2] ? layerRates[from < starts[1] ? 0 : 1] : baseRate;
            if (rate > 0) {
              expect(parameter, from, gradient, first, second, rate, step);
            }
          }
          step(weights, update, gradient, update.plan(layerRates, baseRate), step, onDevice);
        }
        end = values(weights);
      }
    }

    private static void step(
        Weights weights,
        WeightUpdate update,
        double[] gradient,
        WeightUpdate.Plan plan,
        int step,
        boolean onDevice) {
      try (Scope scope = Scope.inference()) {
        weights.trackGradients().copy_(reals(gradient));
        if (onDevice) {
          update.step(reals(step + 1), plan.parts(), reals(plan.rates()));
        } else {
          update.step(step, plan);
        }
      }
    }

    private static double[] values(Weights weights) {
      try (Scope scope = Scope.inference()) {
        return Tensors.toDoubles(weights.values());
      }
    }

    private static Tensor reals(double... values) {
      return Tensors.reals(values, Precision.FLOAT32, Device.CPU, values.length);
    }

    private void expect(
        Parameter parameter,
        int from,
        double[] gradient,
        double[] first,
        double[] second,
        double rate,
        int step) {
      if (parameter.matrices() == 0) {
        for (int i = from; i < from + parameter.elements(); i++) {
          first[i] = 0.9 * first[i] + 0.1 * gradient[i];
          second[i] = 0.99 * second[i] + 0.01 * gradient[i] * gradient[i];
          double mean = first[i] / (1 - Math.pow(0.9, step + 1));
          double square = second[i] / (1 - Math.pow(0.99, step + 1));
          wanted[i] -= rate * (mean / (Math.sqrt(square) + 1e-8) + DECAY * wanted[i]);
        }
        return;
      }
      int rows = Math.toIntExact(parameter.shape()[0] / parameter.matrices());
      int columns = Math.toIntExact(parameter.shape()[1]);
      for (int matrix = 0; matrix < parameter.matrices(); matrix++) {
        int begin = from + matrix * rows * columns;
        double[][] momentum = cut(first, begin, rows, columns);
        double[][] moved =
            PlainMuon.step(
                cut(wanted, begin, rows, columns),
                cut(gradient, begin, rows, columns),
                momentum,
                rate * MATRIX_RATE / RATE,
                DECAY);
        paste(momentum, first, begin);
        paste(moved, wanted, begin);
      }
    }

    private static void paste(double[][] matrix, double[] flat, int from) {
      for (int r = 0; r < matrix.length; r++) {
        System.arraycopy(matrix[r], 0, flat, from + r * matrix[r].length, matrix[r].length);
      }
    }

    double distance(long from, long to) {
      double far = 0;
      for (int i = (int) from; i < to; i++) {
        far = Math.max(far, Math.abs(end[i] - start[i]));
      }
      return far;
    }
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void agreesWithThePlainFormOverSomeSteps(boolean onDevice) {
    Trained trained = new Trained(new double[] {RATE, RATE}, RATE, onDevice);
    assertThat(trained.end).containsExactly(trained.wanted, within(2e-6));
    assertThat(trained.distance(0, trained.end.length)).isGreaterThan(0.02);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void matricesFollowTheRatesOfTheirLayer(boolean onDevice) {
    Trained trained = new Trained(new double[] {RATE / 2, RATE / 3}, 2 * RATE, onDevice);
    assertThat(trained.end).containsExactly(trained.wanted, within(2e-6));
  }

  @Test
  void rateZeroFreezesItsLayer() {
    for (int frozen = 0; frozen < 3; frozen++) {
      double[] layers = {frozen == 0 ? 0 : RATE, frozen == 1 ? 0 : RATE};
      Trained trained = new Trained(layers, frozen == 2 ? 0 : RATE, true);
      assertThat(trained.end).containsExactly(trained.wanted, within(2e-6));
      List<Long> ends = List.of(trained.starts[1], trained.starts[2], (long) trained.end.length);
      for (int part = 0; part < 3; part++) {
        double distance = trained.distance(trained.starts[part], ends.get(part));
        assertThat(distance > 0).isEqualTo(part != frozen);
      }
    }
  }
}
