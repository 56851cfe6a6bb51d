package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringflow.core.TorchException.Kind;
import io.ringflow.spi.Scope;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TorchExceptionTest {
  /** What the binding throws when libtorch says this. */
  private static RuntimeException fromNative(String message) {
    RuntimeException thrown = new RuntimeException(message);
    StackTraceElement nativeMethod =
        new StackTraceElement("org.bytedeco.pytorch.Tensor", "matmul", null, -2);
    thrown.setStackTrace(new StackTraceElement[] {nativeMethod});
    return thrown;
  }

  private static TorchException translated(String message) {
    RuntimeException thrown = fromNative(message);
    RuntimeException translated = TorchException.translate(thrown);
    assertThat(translated).isInstanceOf(TorchException.class).hasCause(thrown);
    assertThat(translated.getMessage()).hasLineCount(1);
    return (TorchException) translated;
  }

  @Test
  void theFirstLineOfLibtorchIsKept() {
    try (Scope scope = Scope.inference()) {
      RuntimeException thrown =
          catchThrowableOfType(
              RuntimeException.class, () -> torch.zeros(2, 3).matmul(torch.zeros(2, 3)));
      assertThat(thrown.getMessage()).as("what libtorch says").contains("\n");
      RuntimeException translated = TorchException.translate(thrown);
      assertThat(translated).isInstanceOf(TorchException.class).hasCause(thrown);
      assertThat(((TorchException) translated).kind()).isEqualTo(Kind.REFUSED);
      assertThat(translated.getMessage())
          .startsWith("libtorch: ")
          .contains("shapes cannot be multiplied")
          .hasLineCount(1);
    }
  }

  @Test
  void memoryThatNoMachineHasIsOutOfMemory() {
    try (Scope scope = Scope.inference()) {
      RuntimeException thrown =
          catchThrowableOfType(RuntimeException.class, () -> torch.empty(1L << 58));
      RuntimeException translated = TorchException.translate(thrown);
      assertThat(translated).isInstanceOf(TorchException.class).hasCause(thrown);
      assertThat(((TorchException) translated).kind()).isEqualTo(Kind.OUT_OF_MEMORY);
      assertThat(translated.getMessage()).startsWith("out of memory (").hasLineCount(1);
    }
  }

  @Test
  void outOfGpuMemorySaysHowMuchAndWhatToMakeSmaller() {
    TorchException e =
        translated(
            "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 139.80 GiB"
                + " of which 1.19 GiB is free. Including non-PyTorch memory, this process has 138.61"
                + " GiB memory in use.\nException raised from malloc at CUDACachingAllocator.cpp:1\n"
                + "frame #0: c10::Error::Error");
    assertThat(e.kind()).isEqualTo(Kind.OUT_OF_MEMORY);
    assertThat(e)
        .hasMessage(
            "out of GPU memory: 2.00 GiB more do not fit into 139.80 GiB;"
                + " make batches, rows or the model smaller, or use fewer models at a time");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CUDA error: out of memory | OUT_OF_MEMORY | smaller",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)` | OUT_OF_MEMORY | smaller",
        "cuDNN error: CUDNN_STATUS_ALLOC_FAILED | OUT_OF_MEMORY | smaller",
        "CUDA error: an illegal memory access was encountered | GPU_FAILED | new process",
        "CUDA error: unspecified launch failure | GPU_FAILED | new process",
        "CUDA error: device-side assert triggered | GPU_FAILED | device cpu shows where",
        "CUDA error: uncorrectable ECC error encountered | GPU_FAILED | reset or replace",
        "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED | GPU_FAILED | new process",
        "cuDNN error: CUDNN_STATUS_MAPPING_ERROR | GPU_FAILED | new process",
        "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm(...)` | GPU_FAILED | new process",
        "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)` | GPU_FAILED | new process",
        "CUDA driver version is insufficient for CUDA runtime version | NO_GPU | device cpu",
        "CUDA error: CUDA driver version is insufficient for CUDA runtime version | NO_GPU | device cpu",
        "Found no NVIDIA driver on your system. Please check that you have one. | NO_GPU | device cpu",
        "CUDA error: no CUDA-capable device is detected | NO_GPU | device cpu",
        "CUDA error: CUDA-capable device(s) is/are busy or unavailable | NO_GPU | device cpu",
        "CUDA error: no kernel image is available for execution on the device | NO_GPU | device cpu",
        "cuDNN error: CUDNN_STATUS_NOT_SUPPORTED. | REFUSED | libtorch: cuDNN error",
        "CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasSgemm(...)` | REFUSED | libtorch: CUDA error",
        "Expected all tensors to be on the same device | REFUSED | libtorch: Expected"
      })
  void failuresOfAGpuAreToldApart(String said, Kind kind, String advice) {
    TorchException e = translated(said + "\nframe #0: at");
    assertThat(e.kind()).isEqualTo(kind);
    assertThat(e.getMessage()).contains(said, advice).doesNotContain("frame");
  }

  @Test
  void anEmptyTextIsAnUnknownError() {
    assertThat(translated(" \n")).hasMessage("libtorch: unknown error");
  }

  @Test
  void othersPassUnchanged() {
    RuntimeException ours = new RuntimeException("CUDA error: a listener's");
    assertThat(TorchException.translate(ours)).isSameAs(ours);
    RuntimeException state = new IllegalStateException("closed");
    assertThat(TorchException.translate(state)).isSameAs(state);
  }
}
