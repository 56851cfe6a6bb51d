package io.ringflow.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class DeviceTest {
  @Test
  void namesAreNotPicky() {
    assertThat(Device.of("CPU")).isEqualTo(Device.CPU);
    assertThat(Device.of(Device.CPU.toString())).isEqualTo(Device.CPU);
    assertThat(Device.of("auto")).isIn((Object[]) Device.values());
  }

  @Test
  void aGpuThatIsNotThereIsNotPretended() {
    Assumptions.assumeFalse(torch.hasCUDA() && torch.cuda_is_available(), "there is a GPU");
    assertThat(Device.of("auto")).isEqualTo(Device.CPU);
    assertThatThrownBy(() -> Device.of("cuda"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("device cuda: ")
        .hasMessageMatching(".*(no usable NVIDIA GPU|build has no CUDA).*");
  }

  @Test
  void otherNamesAreRefused() {
    assertThatThrownBy(() -> Device.of("tpu"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("device must be auto, cpu or cuda, but is 'tpu'");
  }
}
