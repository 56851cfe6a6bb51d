package io.ringflow.core;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** libtorch refused an operation or lost its GPU; the message is one line and quotes libtorch. */
public final class TorchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong, by what can be done about it. */
  public enum Kind {
    /** The GPU or the machine has too little memory: batches or the model must be smaller. */
    OUT_OF_MEMORY,
    /** No GPU can be used: the driver, the build or the device must change. */
    NO_GPU,
    /** The GPU or one of its libraries failed: this process cannot use it any more, another may. */
    GPU_FAILED,
    /** libtorch does not support the operation or its arguments. */
    REFUSED
  }

  /** Parts of the messages of libtorch, CUDA, cuDNN and cuBLAS when memory is short. */
  private static final List<String> OUT_OF_MEMORY =
      List.of(
          "out of memory",
          "can't allocate memory",
          "CUDNN_STATUS_ALLOC_FAILED",
          "CUBLAS_STATUS_ALLOC_FAILED");

  /** Parts of their messages when no GPU can be used at all. */
  private static final List<String> NO_GPU =
      List.of(
          "no NVIDIA driver on your system",
          "NVIDIA driver on your system is too old",
          "driver version is insufficient",
          "no CUDA-capable device",
          "CUDA-capable device(s) is/are busy or unavailable",
          "no kernel image is available",
          "invalid device ordinal");

  /** Parts of their messages when an operation is refused, though the GPU works. */
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

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /**
   * The exception to throw in place of one that the binding threw. Only plain {@code
   * RuntimeException}s thrown by a native method are libtorch's; all others are returned unchanged.
   *
   * @param thrown the caught exception
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

  /** The two sizes that matter, out of the hundreds of characters of libtorch's message. */
  private static String memory(String said) {
    Matcher sizes = GPU_MEMORY.matcher(said);
    return sizes.find()
        ? "out of GPU memory: " + sizes.group(1) + " more do not fit into " + sizes.group(2)
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
