package io.ringflow.torch;

import java.util.Locale;
import org.bytedeco.pytorch.global.torch;

/** Where tensors live and networks compute. */
public enum Device {
  /** The processor. */
  CPU,
  /** The first NVIDIA GPU. */
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
    return torch.hasCUDA() && torch.cuda_is_available();
  }

  /** The name {@link #of} takes. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The device as libtorch names it; lives in the caller's scope. */
  public org.bytedeco.pytorch.Device handle() {
    return new org.bytedeco.pytorch.Device(toString());
  }
}
