package io.ringflow.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.NativeCount;
import java.util.concurrent.atomic.AtomicReference;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
final class BackwardTapeTest {
  private static Tensor numbers(double... values) {
    return Tensors.reals(values, Precision.FLOAT64, Device.CPU, values.length);
  }

  private static Tensor leaf(double... values) {
    Tensor leaf = numbers(values).detach();
    leaf.set_requires_grad(true);
    return leaf;
  }

  /** The square, whose rule needs its argument. */
  private static Tensor square(Tensor x, BackwardTape tape) {
    Tensor values = x.detach();
    return tape.record(
        x, values.mul(values), gradient -> gradient.mul(values).mul(new Scalar(2.0)), values);
  }

  @Test
  void aRuleGivesTheGradient() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor x = leaf(1, 2, 3);
      // The scope of the forward pass is closed when the rules are called.
      Tensor y = Scope.handUp(() -> square(square(x.mul(new Scalar(1.0)), tape), tape));
      assertThat(Tensors.toDoubles(y)).containsExactly(1, 16, 81);
      y.sum().backward();
      assertThat(Tensors.toDoubles(x.grad())).containsExactly(4, 32, 108);
    }
  }

  @Test
  void aRuleSeesTheSumOfAllGradientsOnceAndInOnePiece() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor x = leaf(1, 2, 3, 4, 5, 6);
      AtomicReference<double[]> seen = new AtomicReference<>();
      Tensor matrix = x.view(2, 3);
      Tensor y =
          tape.record(
              matrix,
              matrix.detach(),
              gradient -> {
                assertThat(gradient.is_contiguous()).isTrue();
                assertThat(seen.getAndSet(Tensors.toDoubles(gradient))).isNull();
                return gradient;
              });
      Tensor weights = numbers(1, 2, 3, 4, 5, 6).view(3, 2);
      y.transpose(0, 1).mul(weights).sum().add(y.sum()).backward();
      assertThat(seen.get()).containsExactly(2, 4, 6, 3, 5, 7);
      assertThat(Tensors.toDoubles(x.grad())).containsExactly(2, 4, 6, 3, 5, 7);
    }
  }

  @Test
  void partsOfAParametersGradientAreWrittenOnce() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor x = leaf(1, 2);
      Tensor bias = leaf(0, 0);
      bias.mutable_grad().put(numbers(10, 20));
      Tensor y = biased(biased(x.mul(new Scalar(2.0)), bias, tape), bias, tape);
      long before = bias.grad()._version();
      y.mul(numbers(3, 4)).sum().backward();
      assertThat(bias.grad()._version()).isEqualTo(before + 1);
      tape.finish();
      assertThat(bias.grad()._version()).isEqualTo(before + 1);
      assertThat(Tensors.toDoubles(bias.grad())).containsExactly(16, 28);
      assertThat(Tensors.toDoubles(x.grad())).containsExactly(6, 8);
    }
  }

  private static Tensor biased(Tensor x, Tensor bias, BackwardTape tape) {
    tape.expectGradient(bias);
    return tape.record(
        x,
        x.detach(),
        gradient -> {
          tape.addGradient(bias, gradient);
          return gradient;
        });
  }

  /** As where a network is evaluated twice, once for its value alone. */
  @Test
  void aPartThatNeverComesHoldsUpNoOther() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor x = leaf(1, 2);
      Tensor bias = leaf(0, 0);
      Tensor y = biased(x.mul(new Scalar(2.0)), bias, tape);
      biased(x.mul(new Scalar(3.0)), bias, tape);
      y.sum().backward();
      assertThat(bias.grad().defined()).isFalse();
      tape.finish();
      assertThat(Tensors.toDoubles(bias.grad())).containsExactly(1, 1);
    }
  }

  /** libtorch runs the backward pass of a GPU on a thread of its own, where no scope is open. */
  @Test
  void aThreadWithoutAScopeLeavesNothingBehind() throws Exception {
    NativeCount.assertFlat(
        3,
        () -> {
          try (BackwardTape tape = new BackwardTape();
              Scope scope = Scope.training()) {
            Tensor x = leaf(1, 2, 3);
            Tensor bias = leaf(0, 0, 0);
            Tensor y = square(biased(x.mul(new Scalar(1.0)), bias, tape), tape).sum();
            Thread other = new Thread(y::backward);
            other.start();
            other.join();
            assertThat(Tensors.toDoubles(x.grad())).containsExactly(2, 4, 6);
            tape.finish();
            assertThat(Tensors.toDoubles(bias.grad())).containsExactly(2, 4, 6);
          }
        });
  }

  @Test
  void aRuleThatFailsFailsTheBackwardPass() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor y =
          tape.record(
              leaf(1).mul(new Scalar(1.0)),
              numbers(1),
              gradient -> {
                throw new IllegalStateException("no kernel");
              });
      assertThatThrownBy(y::backward).hasMessageContaining("no kernel");
    }
  }

  @Test
  void withoutABackwardPassNothingIsRecorded() {
    try (Scope scope = Scope.training()) {
      assertThatThrownBy(() -> square(leaf(1), BackwardTape.NONE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("BackwardTape.records()");
    }
  }

  @Test
  void gradientsThatWereNotAnnouncedAreRefused() {
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor bias = leaf(0);
      assertThatThrownBy(() -> tape.addGradient(bias, numbers(1)))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> tape.release(bias)).isInstanceOf(IllegalStateException.class);
    }
  }
}
