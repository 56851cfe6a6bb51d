package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TorchNormalsTest {
  @ParameterizedTest
  @CsvSource({
    "16, 0", // one block
    "17, 1", // the last sixteen anew
    "31, 7",
    "400, 1",
    "400, 2",
    "625, 5", // past the generator's first 624 words
    "2500, 4294967295",
    "100, 4294967299", // 2^32 + 3
    "100, -1"
  })
  void numbersAreLibtorchs(int count, long seed) {
    float[] expected = new float[count];
    try (PointerScope scope = new PointerScope()) {
      torch.manual_seed(seed);
      torch.randn(count).data_ptr_float().get(expected);
    }
    float[] actual = TorchNormals.sample(count, seed);
    for (int i = 0; i < count; i++) {
      assertThat(actual[i]).as("number %d", i).isCloseTo(expected[i], within(1e-6f));
    }
  }

  @Test
  void fewerThanABlockAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TorchNormals.sample(15, 1))
        .withMessage("count must be at least 16, but is 15");
  }
}
