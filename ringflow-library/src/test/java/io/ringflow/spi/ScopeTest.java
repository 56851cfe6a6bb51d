package io.ringflow.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class ScopeTest {
  /** libtorch's classes keep a few objects for good, made when they are first used. */
  @BeforeAll
  static void warmUp() {
    try (Scope scope = Scope.training()) {
      double unused = Tensors.scalar(Scope.handUp(() -> one().add(one())));
    }
  }

  private static Tensor one() {
    return Tensors.reals(new double[] {1}, Precision.FLOAT64, Device.CPU, 1);
  }

  @Test
  void freesEverything() {
    long before = Pointer.totalCount();
    try (Scope scope = Scope.inference()) {
      assertThat(Tensors.scalar(one().add(one()))).isEqualTo(2);
      assertThat(Pointer.totalCount()).isGreaterThan(before);
    }
    assertThat(Pointer.totalCount()).isEqualTo(before);
  }

  @Test
  void aResultIsAllThatIsLeft() {
    long before = Pointer.totalCount();
    try (Scope scope = Scope.inference()) {
      long opened = Pointer.totalCount();
      Tensor sum = Scope.handUp(() -> one().add(one()).add(one()));
      assertThat(Pointer.totalCount()).isEqualTo(opened + 1);
      assertThat(Tensors.scalar(sum)).isEqualTo(3);
    }
    assertThat(Pointer.totalCount()).isEqualTo(before);
  }

  @Test
  void aResultKeepsItsGradient() {
    try (Scope scope = Scope.training()) {
      Tensor leaf = one().set_requires_grad(true);
      Tensor cube = Scope.handUp(() -> leaf.mul(leaf).mul(leaf));
      cube.backward();
      assertThat(Tensors.scalar(leaf.grad())).isEqualTo(3);
    }
  }

  @Test
  void scopesSayWhetherGradientsAreRecorded() {
    try (Scope outer = Scope.training()) {
      Tensor leaf = one().set_requires_grad(true);
      try (Scope inner = Scope.inference()) {
        assertThat(leaf.mul(leaf).requires_grad()).isFalse();
      }
      assertThat(leaf.mul(leaf).requires_grad()).isTrue();
    }
  }
}
