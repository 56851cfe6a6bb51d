package io.ringflow.core;

import io.ringflow.internal.natives.NativeLibraries;
import java.util.Locale;
import org.bytedeco.pytorch.global.torch;

/** Where tensors live and networks compute. */
public enum Device {
  /** The CPU. */
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
}
