package io.ringflow.internal.kernels;

import static org.bytedeco.cuda.global.cudart.CUDA_SUCCESS;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static org.bytedeco.cuda.global.cudart.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.cuda.nvrtc._nvrtcProgram;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch_cuda;

/** CUDA kernels compiled at run time for one GPU. Stays loaded as long as the process lives. */
final class CudaModule {
  /**
   * How many blocks there are, and how many threads each has; everything else is 1.
   *
   * @param sharedBytes of memory that the threads of a block share, besides what a kernel declares
   */
  record Grid(long x, long y, int blockX, int blockY, long sharedBytes) {
    Grid(long x, long y, int blockX, int blockY) {
      this(x, y, blockX, blockY, 0);
    }
  }

  private final int device;
  private final int multiprocessors;
  private final CUctx_st context;
  private final CUmod_st module;
  private final Map<String, CUfunc_st> functions = new ConcurrentHashMap<>();

  private CudaModule(int device, CUctx_st context, CUmod_st module) {
    this.device = device;
    this.context = context;
    this.multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    this.module = module;
  }

  /**
   * Compiles a source for a GPU and loads it there.
   *
   * @param source a resource of this package
   * @param definitions as the compiler takes them
   */
  static CudaModule compile(int device, String source, String... definitions) {
    check("cuInit", cudart.cuInit(0));
    CUctx_st context = new CUctx_st(); // libtorch's too
    check("cuDevicePrimaryCtxRetain", cudart.cuDevicePrimaryCtxRetain(context, device));
    check("cuCtxSetCurrent", cudart.cuCtxSetCurrent(context));
    String architecture =
        "sm_"
            + attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
            + attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    CUmod_st module = new CUmod_st();
    try (PointerScope scope = new PointerScope()) {
      byte[] binary = binary(source, architecture, definitions);
      check("cuModuleLoadData", cudart.cuModuleLoadData(module, new BytePointer(binary)));
    }
    return new CudaModule(device, context, module);
  }

  /** Machine code for an architecture such as {@code sm_90}; needs no GPU. */
  static byte[] binary(String source, String architecture, String... definitions) {
    try (PointerScope scope = new PointerScope()) {
      _nvrtcProgram program = new _nvrtcProgram();
      checkCompiler(
          "nvrtcCreateProgram",
          nvrtc.nvrtcCreateProgram(
              program,
              new BytePointer(text(source)),
              new BytePointer(source),
              0,
              (PointerPointer<?>) null,
              (PointerPointer<?>) null));
      try {
        String[] options = new String[definitions.length + 2];
        System.arraycopy(definitions, 0, options, 0, definitions.length);
        options[definitions.length] = "--gpu-architecture=" + architecture;
        options[definitions.length + 1] = "--std=c++17";
        int result =
            nvrtc.nvrtcCompileProgram(program, options.length, new PointerPointer<>(options));
        if (result != 0) {
          throw new IllegalStateException(
              source + " does not compile for " + architecture + ": " + log(program));
        }
        SizeTPointer size = new SizeTPointer(1);
        checkCompiler("nvrtcGetCUBINSize", nvrtc.nvrtcGetCUBINSize(program, size));
        byte[] binary = new byte[Math.toIntExact(size.get())];
        checkCompiler("nvrtcGetCUBIN", nvrtc.nvrtcGetCUBIN(program, binary));
        return binary;
      } finally {
        nvrtc.nvrtcDestroyProgram(program);
      }
    }
  }

  private static String text(String source) {
    try (InputStream in = CudaModule.class.getResourceAsStream(source)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String log(_nvrtcProgram program) {
    SizeTPointer size = new SizeTPointer(1);
    nvrtc.nvrtcGetProgramLogSize(program, size);
    byte[] log = new byte[Math.toIntExact(size.get())];
    nvrtc.nvrtcGetProgramLog(program, log);
    return new String(log, StandardCharsets.UTF_8).strip();
  }

  private static int attribute(int device, int attribute) {
    int[] value = new int[1];
    check("cuDeviceGetAttribute", cudart.cuDeviceGetAttribute(value, attribute, device));
    return value[0];
  }

  int multiprocessors() {
    return multiprocessors;
  }

  /**
   * Puts a kernel into libtorch's current stream.
   *
   * @param arguments addresses and whole numbers, each as the kernel's parameter says
   */
  void launch(String kernel, Grid grid, long... arguments) {
    // A thread of libtorch's may not have used the GPU before.
    check("cuCtxSetCurrent", cudart.cuCtxSetCurrent(context));
    CUfunc_st function = functions.computeIfAbsent(kernel, this::function);
    try (PointerScope scope = new PointerScope()) {
      LongPointer values = new LongPointer(arguments);
      long[] places = new long[arguments.length];
      for (int i = 0; i < places.length; i++) {
        places[i] = values.address() + (long) i * Long.BYTES;
      }
      Pointer parameters = new LongPointer(places);
      check(
          kernel,
          cudart.cuLaunchKernel(
              function,
              Math.toIntExact(grid.x),
              Math.toIntExact(grid.y),
              1,
              grid.blockX,
              grid.blockY,
              1,
              Math.toIntExact(grid.sharedBytes),
              torch_cuda.getCurrentCUDAStream((byte) device).stream(),
              new PointerPointer<>(parameters),
              (PointerPointer<?>) null));
    }
  }

  /** Where a tensor begins, as an argument of a kernel; 0 for null. */
  static long address(Tensor tensor) {
    return tensor == null ? 0 : tensor.data_ptr().address();
  }

  private CUfunc_st function(String kernel) {
    CUfunc_st function = new CUfunc_st();
    check("cuModuleGetFunction", cudart.cuModuleGetFunction(function, module, kernel));
    return function;
  }

  private static void check(String call, int result) {
    if (result != CUDA_SUCCESS) {
      throw new IllegalStateException(call + " failed with CUDA error " + result);
    }
  }

  private static void checkCompiler(String call, int result) {
    if (result != 0) {
      throw new IllegalStateException(call + " failed with NVRTC error " + result);
    }
  }
}
