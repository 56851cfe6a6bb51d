package io.ringflow.core;

import io.ringflow.internal.torch.NativeLibraries;
import java.util.Locale;
import java.util.Map;
import org.bytedeco.pytorch.global.torch;

/** Where tensors live and networks compute. */
public enum Device {
  /** The processor. */
  CPU,
  /**
   * This process's NVIDIA GPU: the first, or the one that the environment's {@code LOCAL_RANK}
   * names, as it does where several processes share a machine.
   */
  CUDA;

  /**
   * The device a user names.
   *
   * @param name {@code auto} (a GPU where one is usable), {@code cpu} or {@code cuda}
   * @throws IllegalArgumentException if there is no such device, or this build or machine has no
   *     GPU
   */
  public static Device of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "auto" -> cudaIsUsable() ? CUDA : CPU;
      case "cpu" -> CPU;
      case "cuda" -> {
        if (!cudaIsUsable()) {
          throw new IllegalArgumentException(
              "device cuda: "
                  + (torch.hasCUDA()
                      ? "libtorch finds no usable NVIDIA GPU; does nvidia-smi show one, with a driver for CUDA 13?"
                      : "this build has no CUDA; build with -Pcuda on a machine with CUDA 13"));
        }
        yield CUDA;
      }
      default ->
          throw new IllegalArgumentException(
              "device must be auto, cpu or cuda, but is '" + name + "'");
    };
  }

  private static boolean cudaIsUsable() {
    NativeLibraries.load();
    return torch.hasCUDA() && torch.cuda_is_available();
  }

  /** The name {@link #of} takes. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The device as libtorch names it; lives in the caller's scope. */
  public org.bytedeco.pytorch.Device handle() {
    return new org.bytedeco.pytorch.Device(
        this == CPU ? "cpu" : "cuda:" + gpu(System.getenv(), torch.cuda_device_count()));
  }

  /**
   * Which of the GPUs that a process sees is its own. One that sees a single GPU was given it, and
   * need not count those of its neighbours.
   */
  static int gpu(Map<String, String> environment, int count) {
    // Slurm numbers processes whether or not they are a team, which has a place to meet.
    String name =
        environment.containsKey("LOCAL_RANK") || !environment.containsKey("MASTER_ADDR")
            ? "LOCAL_RANK"
            : "SLURM_LOCALID";
    String localRank = environment.getOrDefault(name, "").strip();
    if (localRank.isEmpty()) {
      return 0;
    }
    try {
      return Integer.parseUnsignedInt(localRank) % Math.max(1, count);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          name + " must be a whole number, but is '" + localRank + "'", e);
    }
  }
}
