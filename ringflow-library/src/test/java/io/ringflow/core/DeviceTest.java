package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.internal.natives.LocalGpu;
import java.util.List;
import java.util.Map;
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

  /**
   * Several processes on a machine: each has a GPU of its own, or shares one where there are few.
   */
  @Test
  void everyProcessOfAMachineHasItsGpu() {
    for (int count = 1; count <= 8; count++) {
      for (int localRank = 0; localRank < 16; localRank++) {
        assertThat(gpu(Integer.toString(localRank), count)).isEqualTo(localRank % count);
      }
    }
    assertThat(gpu(" 3 ", 4)).isEqualTo(3);
  }

  @Test
  void whoIsToldNothingTakesTheFirstGpu() {
    assertThat(LocalGpu.index(Map.of(), 4)).isZero();
    assertThat(gpu("", 4)).isZero();
    assertThat(gpu(" ", 4)).isZero();
    assertThat(gpu("3", 0)).as("where none is counted").isZero();
  }

  private static int gpu(String localRank, int count) {
    return LocalGpu.index(Map.of("LOCAL_RANK", localRank), count);
  }

  @Test
  void slurmNumbersTheProcessesOfATeam() {
    Map<String, String> task = Map.of("SLURM_LOCALID", "2");
    assertThat(LocalGpu.index(task, 4)).as("no team").isZero();
    assertThat(LocalGpu.index(Map.of("SLURM_LOCALID", "2", "MASTER_ADDR", "a"), 4)).isEqualTo(2);
    assertThat(
            LocalGpu.index(Map.of("SLURM_LOCALID", "2", "MASTER_ADDR", "a", "LOCAL_RANK", "1"), 4))
        .isEqualTo(1);
  }

  @Test
  void aLocalRankThatIsNoNumberIsRefused() {
    for (String nonsense : List.of("first", "-1", "1.0")) {
      assertThatThrownBy(() -> gpu(nonsense, 4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("LOCAL_RANK must be a whole number, but is '" + nonsense + "'");
    }
  }

  @Test
  void otherNamesAreRefused() {
    assertThatThrownBy(() -> Device.of("tpu"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("device must be auto, cpu or cuda, but is 'tpu'");
  }
}
