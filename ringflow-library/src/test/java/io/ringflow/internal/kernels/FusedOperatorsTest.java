package io.ringflow.internal.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.BackwardTape;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.GradientEstimator;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Statistic;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fused operators compared with libtorch's, values and gradients, in float64. */
@ExtendWith(LeakCheck.class)
final class FusedOperatorsTest {
  private static final int BATCH = 3;
  private static final int LENGTH = 5;
  private static final int WIDTH = 8;
  private static final int FILTER = 16;

  private FusedEverywhere fused;

  @BeforeEach
  void open() {
    fused = new FusedEverywhere();
  }

  @AfterEach
  void close() {
    fused.close();
  }

  /** Where to compute, and nothing else. */
  private enum NoValues implements ParameterValues {
    INSTANCE;

    @Override
    public Tensor get(Parameter parameter) {
      throw new IllegalStateException();
    }

    @Override
    public Tensor get(Buffer buffer) {
      throw new IllegalStateException();
    }

    @Override
    public Tensor get(Statistic statistic) {
      throw new IllegalStateException();
    }

    @Override
    public Device device() {
      return Device.CPU;
    }

    @Override
    public Precision precision() {
      return Precision.FLOAT64;
    }
  }

  private static EvaluationContext context(Dropout dropout, BackwardTape tape) {
    return new EvaluationContext(
        NoValues.INSTANCE, Condition.NONE, dropout, GradientEstimator.NONE, tape);
  }

  private static Tensor leaf(long seed, long... shape) {
    Tensor like = Tensors.zeros(Precision.FLOAT64, Device.CPU, 1);
    Tensor values = Tensors.uniforms(seed, like, shape).to(torch.ScalarType.Double);
    Tensor leaf = values.sub(new Scalar(0.5)).detach();
    leaf.set_requires_grad(true);
    return leaf;
  }

  /** Weights of a block without attention, and the vectors it is applied to. */
  private record Block(Tensor vectors, List<Tensor> weights, List<Tensor> biases) {
    static Block create() {
      return new Block(
          leaf(1, BATCH, LENGTH, WIDTH),
          List.of(leaf(2, WIDTH, WIDTH), leaf(3, FILTER, WIDTH), leaf(4, WIDTH, FILTER)),
          List.of(leaf(5, WIDTH), leaf(6, FILTER), leaf(7, WIDTH)));
    }

    List<double[]> gradients() {
      List<double[]> all = new ArrayList<>();
      all.add(Tensors.toDoubles(vectors.grad()));
      weights.forEach(one -> all.add(Tensors.toDoubles(one.grad())));
      biases.forEach(one -> all.add(Tensors.toDoubles(one.grad())));
      return all;
    }

    Tensor linear(int which, Tensor x) {
      return Tensors.linear(x, weights.get(which), biases.get(which));
    }

    Tensor withoutBiasGradient(int which, Tensor x) {
      return Tensors.linear(x, weights.get(which), biases.get(which).detach());
    }
  }

  /** Two branches, of which the first drops all but the last positions. */
  private static Tensor plain(Block block, long count, Dropout dropout) {
    Tensor normed = Tensors.normalized(block.vectors);
    Tensor mapped = block.linear(0, normed).narrow(1, LENGTH - count, count);
    Tensor sum = block.vectors.narrow(1, LENGTH - count, count).add(dropout.on(mapped));
    Tensor units = torch.gelu(block.linear(1, Tensors.normalized(sum)));
    return Tensors.normalized(sum.add(dropout.on(block.linear(2, units))));
  }

  private static Tensor fused(Block block, long count, Dropout dropout, BackwardTape tape) {
    FusedOperators operators =
        FusedOperators.of(block.vectors, FILTER, context(dropout, tape)).orElseThrow();
    ResidualSum start = operators.start(block.vectors);
    Tensor last = start.normalized().narrow(1, LENGTH - count, count);
    ResidualSum sum =
        operators.add(start, block.withoutBiasGradient(0, last), block.biases.get(0), dropout);
    Tensor units =
        operators.gelu(block.withoutBiasGradient(1, sum.normalized()), block.biases.get(1));
    return operators
        .add(sum, block.withoutBiasGradient(2, units), block.biases.get(2), dropout)
        .normalized();
  }

  @ParameterizedTest
  @CsvSource({"5, 0", "2, 0", "1, 0", "5, 0.4", "2, 0.4"})
  void sumsAndActivationsEqualPlainOperators(long count, double dropped) {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor towards = leaf(9, BATCH, count, WIDTH).detach();
      Block one = Block.create();
      Tensor wanted = plain(one, count, new Dropout(dropped, 13));
      wanted.mul(towards).sum().backward();
      Block other = Block.create();
      Tensor found = fused(other, count, new Dropout(dropped, 13), tape);
      found.mul(towards).sum().backward();
      tape.finish();
      assertThat(Tensors.toDoubles(found))
          .containsExactly(Tensors.toDoubles(wanted), within(1e-13));
      for (int i = 0; i < one.gradients().size(); i++) {
        assertThat(other.gradients().get(i))
            .as("gradient %d", i)
            .containsExactly(one.gradients().get(i), within(1e-13));
      }
    }
  }

  @Test
  void aMapKeepsItsValueAndItsBiasHasAGradient() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Block one = Block.create();
      Block other = Block.create();
      FusedOperators operators =
          FusedOperators.of(other.vectors, FILTER, context(Dropout.NONE, tape)).orElseThrow();
      Tensor wanted = one.linear(1, one.vectors);
      Tensor found =
          operators.withBiasGradient(
              other.withoutBiasGradient(1, other.vectors), other.biases.get(1));
      assertThat(Tensors.toDoubles(found)).containsExactly(Tensors.toDoubles(wanted));
      wanted.mul(wanted).sum().backward();
      found.mul(found).sum().backward();
      assertThat(Tensors.toDoubles(other.vectors.grad()))
          .containsExactly(Tensors.toDoubles(one.vectors.grad()));
      assertThat(Tensors.toDoubles(other.biases.get(1).grad()))
          .containsExactly(Tensors.toDoubles(one.biases.get(1).grad()), within(1e-12));
    }
  }

  @Test
  void aBiasThatIsNotTrainedGetsNoGradient() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Block block = Block.create();
      block.biases.forEach(bias -> bias.set_requires_grad(false));
      fused(block, LENGTH, Dropout.NONE, tape).pow(new Scalar(3.0)).sum().backward();
      tape.finish();
      assertThat(block.biases).noneMatch(bias -> bias.grad().defined());
      assertThat(block.weights).allMatch(weight -> weight.grad().defined());
    }
  }

  @Test
  void aSumTakesOneBranch() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Block block = Block.create();
      FusedOperators operators =
          FusedOperators.of(block.vectors, FILTER, context(Dropout.NONE, tape)).orElseThrow();
      ResidualSum start = operators.start(block.vectors);
      Tensor branch = block.withoutBiasGradient(0, start.normalized());
      operators.add(start, branch, block.biases.get(0), Dropout.NONE);
      assertThatThrownBy(() -> operators.add(start, branch, block.biases.get(0), Dropout.NONE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("before");
    }
  }

  @Test
  void nothingIsFusedOutsideTraining() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor vectors = leaf(1, BATCH, LENGTH, WIDTH);
      assertThat(FusedOperators.of(vectors, FILTER, context(Dropout.NONE, tape))).isPresent();
      assertThat(FusedOperators.of(vectors, FILTER, context(Dropout.NONE, BackwardTape.NONE)))
          .isEmpty();
      assertThat(FusedOperators.of(vectors.detach(), FILTER, context(Dropout.NONE, tape)))
          .isEmpty();
      try (Scope inner = Scope.inference()) {
        assertThat(FusedOperators.of(vectors, FILTER, context(Dropout.NONE, tape))).isEmpty();
      }
      fused.close();
      assertThat(FusedOperators.of(vectors, FILTER, context(Dropout.NONE, tape))).isEmpty();
    }
  }
}
