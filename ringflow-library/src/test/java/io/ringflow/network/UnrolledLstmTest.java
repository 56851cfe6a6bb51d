package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UnrolledLstmTest {
  /** Rows, steps, width of the input, hidden units. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1",
    "1, 9, 8, 64",
    "1, 4, 64, 512",
    "2, 5, 8, 64",
    "3, 7, 5, 13",
    "17, 4, 64, 128",
    "64, 3, 64, 512",
    "303, 2, 64, 512"
  })
  void outputsAndStatesAreThoseOfLibtorch(int rows, int steps, int in, int hidden) {
    try (Scope scope = Scope.inference()) {
      Tensor input = random(1, rows, steps, in);
      Tensor first = random(2, 1, rows, hidden);
      Tensor cell = random(3, 1, rows, hidden);
      Tensor[] weights = {
        random(4, 4L * hidden, in),
        random(5, 4L * hidden, hidden),
        random(6, 4L * hidden),
        random(7, 4L * hidden)
      };
      T_TensorTensorTensor_T expected =
          torch.lstm(
              input,
              new TensorVector(first, cell.clone()),
              new TensorVector(weights),
              true,
              1,
              0.0,
              false,
              false,
              true);
      Tensor outputs =
          new UnrolledLstm(weights[0], weights[1], weights[2], weights[3])
              .run(input, first.select(0, 0), cell.select(0, 0));
      assertThat(distance(outputs, expected.get0())).isLessThan(1e-13);
      assertThat(distance(cell, expected.get2())).isLessThan(1e-13);
    }
  }

  /** Scoring takes this way in float64, and the kernels of libtorch in float32. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void layersReadOneAnother(int layers) {
    Space space = Space.uniform(20, 5);
    Network network = new Lstm(6, 16, layers);
    int[][] rows = new int[30][];
    var random = new SplittableRandom(1);
    Arrays.setAll(rows, i -> random.ints(20, 0, 5).toArray());
    try (FlowModel model =
        FlowModel.create(
            Architecture.of(space, new AutoregressiveBase(Order.natural(20), network)), 1)) {
      int[][] none = {};
      assertThat(model.logProb(rows, none, Precision.FLOAT64))
          .usingComparatorWithPrecision(1e-4)
          .containsExactly(model.logProb(rows, none, Precision.FLOAT32));
    }
  }

  private static double distance(Tensor one, Tensor other) {
    return Tensors.scalar(one.sub(other).abs().max());
  }

  private static Tensor random(long seed, long... shape) {
    Tensor like = Tensors.zeros(Precision.FLOAT64, Device.CPU, 1);
    return Tensors.uniforms(seed, like, shape)
        .to(Tensors.type(Precision.FLOAT64))
        .sub(new Scalar(0.5));
  }
}
