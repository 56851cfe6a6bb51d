package io.ringflow.core;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * libtorch refused an operation or lost its GPU; the message says so in one line, with what
 * libtorch itself said.
 */
public final class TorchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong, as far as it decides what can be done about it. */
  public enum Kind {
    /** There is not enough memory, the GPU's or the machine's: something must be made smaller. */
    OUT_OF_MEMORY,
    /** There is no GPU that this build can use: the driver, the build or the device must change. */
    NO_GPU,
    /** The GPU or one of its libraries failed: this process can't use it any more, another may. */
    GPU_FAILED,
    /** libtorch was asked for something it can't do. */
    REFUSED
  }

  /** What libtorch, CUDA, cuDNN and cuBLAS say where memory is short. */
  private static final List<String> OUT_OF_MEMORY =
      List.of(
          "out of memory",
          "can't allocate memory",
          "CUDNN_STATUS_ALLOC_FAILED",
          "CUBLAS_STATUS_ALLOC_FAILED");

  /** What they say where no GPU can be used at all. */
  private static final List<String> NO_GPU =
      List.of(
          "no NVIDIA driver on your system",
          "NVIDIA driver on your system is too old",
          "driver version is insufficient",
          "no CUDA-capable device",
          "CUDA-capable device(s) is/are busy or unavailable",
          "no kernel image is available",
          "invalid device ordinal");

  /** Refusals that name a GPU library, though the GPU is well. */
  private static final List<String> REFUSED =
      List.of(
          "CUDNN_STATUS_NOT_SUPPORTED",
          "CUDNN_STATUS_BAD_PARAM",
          "CUBLAS_STATUS_NOT_SUPPORTED",
          "CUBLAS_STATUS_INVALID_VALUE");

  private static final List<String> GPU_FAILED =
      List.of("CUDA error:", "CUDNN_STATUS_", "cuDNN error", "CUBLAS_STATUS_");

  private static final Pattern GPU_MEMORY =
      Pattern.compile(
          "Tried to allocate ([0-9.]+ \\w+)\\. GPU \\d+ has a total capacity of ([0-9.]+ \\w+)");

  private final Kind kind;

  private TorchException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns what went wrong. */
  public Kind kind() {
    return kind;
  }

  /**
   * The exception to throw for one that came out of the binding. Only bare {@code
   * RuntimeException}s out of a native method are libtorch's; all others pass unchanged.
   *
   * @param thrown what was caught
   */
  public static RuntimeException translate(RuntimeException thrown) {
    StackTraceElement[] trace = thrown.getStackTrace();
    if (thrown.getClass() != RuntimeException.class
        || thrown.getMessage() == null
        || trace.length == 0
        || !trace[0].isNativeMethod()) {
      return thrown;
    }
    String said = thrown.getMessage().strip().lines().findFirst().orElse("unknown error").strip();
    Kind kind = kind(said);
    return new TorchException(kind, message(kind, said), thrown);
  }

  private static Kind kind(String said) {
    // In this order: a lack of memory comes as a "CUDA error" too.
    if (OUT_OF_MEMORY.stream().anyMatch(said::contains)) {
      return Kind.OUT_OF_MEMORY;
    }
    if (NO_GPU.stream().anyMatch(said::contains)) {
      return Kind.NO_GPU;
    }
    return REFUSED.stream().noneMatch(said::contains)
            && GPU_FAILED.stream().anyMatch(said::contains)
        ? Kind.GPU_FAILED
        : Kind.REFUSED;
  }

  private static String message(Kind kind, String said) {
    return switch (kind) {
      case OUT_OF_MEMORY ->
          memory(said) + "; make batches, rows or the model smaller, or use fewer models at a time";
      case NO_GPU -> "no usable NVIDIA GPU (" + said + "); mend that, or use device cpu";
      case GPU_FAILED -> "the GPU failed (" + said + ")" + advice(said);
      case REFUSED -> "libtorch: " + said;
    };
  }

  /** libtorch tells on one line of several hundred characters how its memory is laid out. */
  private static String memory(String said) {
    Matcher metrics = GPU_MEMORY.matcher(said);
    return metrics.find()
        ? "out of GPU memory: " + metrics.group(1) + " more do not fit into " + metrics.group(2)
        : "out of memory (" + said + ")";
  }

  private static String advice(String said) {
    if (said.contains("device-side assert")) {
      return "; this is a fault of the program, not of the GPU: device cpu shows where";
    }
    return said.contains("ECC")
        ? "; its memory is damaged: reset or replace it before the next run"
        : "; start again in a new process";
  }
}
