package io.ringflow.internal.kernels;

import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Kernels of our own on an NVIDIA GPU, from {@code inference.cu}: values in bfloat16, float32 or
 * float64. They wait in libtorch's current stream, and read nothing back.
 */
final class CudaInference implements InferenceKernels {
  /** Bytes that a thread reads at a time; every row is a multiple. */
  private static final int CHUNK_BYTES = 16;

  private static final int WARPS = 8;
  private static final int THREADS = 32 * WARPS;
  private static final int MAX_HEAD = 256;

  /** Of a block, on every GPU. */
  private static final long SHARED_BYTES = 48 << 10;

  /** In a class of its own: is made when it is first asked for. */
  private static final class Shared {
    static final CudaInference INSTANCE = new CudaInference();
  }

  private final CompiledSources modules = new CompiledSources("inference.cu");

  private CudaInference() {}

  /** The kernels of all GPUs of this process. */
  static CudaInference shared() {
    return Shared.INSTANCE;
  }

  @Override
  public boolean fit(Tensor vectors) {
    long width = vectors.size(-1);
    long rows = vectors.numel() / width;
    return kind(vectors) >= 0
        && rows > 0
        && rows <= Integer.MAX_VALUE / 2
        && width * vectors.element_size() % CHUNK_BYTES == 0
        && module(vectors, 0) != null;
  }

  /** How {@code inference.cu} counts types; -1 for one that it has no kernels for. */
  private static int kind(Tensor x) {
    ScalarType type = x.scalar_type().intern();
    return switch (type) {
      case BFloat16 -> 0;
      case Float -> 1;
      case Double -> 2;
      default -> -1;
    };
  }

  private CudaModule module(Tensor like, long head) {
    return modules.of(like.device().index(), "-DSTORED=" + kind(like), "-DHEAD=" + head);
  }

  @Override
  public Tensor normalize(Tensor x) {
    return normalize(null, x, x.size(1));
  }

  @Override
  public Tensor addNormalize(Tensor sum, Tensor branch) {
    return normalize(sum, branch, sum.size(1));
  }

  private Tensor normalize(Tensor sum, Tensor x, long period) {
    long width = x.size(-1);
    long rows = x.numel() / width;
    Tensor normalized = torch.empty_like(x);
    module(x, 0)
        .launch(
            "add_normalize",
            new CudaModule.Grid((rows + WARPS - 1) / WARPS, 1, THREADS, 1),
            CudaModule.address(sum),
            CudaModule.address(x),
            CudaModule.address(normalized),
            rows,
            width,
            period,
            sum == null ? 0 : period - x.size(1));
    return normalized;
  }

  @Override
  public boolean fitAttention(Tensor cache) {
    long head = cache.size(3);
    return head % 8 == 0
        && Long.bitCount(head) == 1
        && head <= MAX_HEAD
        && cache.size(0) <= 65_535
        && scratch(cache, cache.size(2)) + (WARPS + 1) * head * 8 <= SHARED_BYTES
        && module(cache, head) != null;
  }

  /** Bytes for a weight of each position. */
  private static long scratch(Tensor cache, long positions) {
    return positions * Math.max(4, cache.element_size());
  }

  @Override
  public Tensor attendLast(Tensor mapped, Tensor keys, Tensor values, long position) {
    long batch = keys.size(0);
    long heads = keys.size(1);
    long head = keys.size(3);
    Tensor attended =
        torch.empty(
            new long[] {batch, 1, heads * head}, mapped.options(), new MemoryFormatOptional());
    module(keys, head)
        .launch(
            "attend_last",
            new CudaModule.Grid(heads, batch, THREADS, 1, scratch(keys, position + 1)),
            CudaModule.address(mapped),
            CudaModule.address(keys),
            CudaModule.address(values),
            CudaModule.address(attended),
            keys.size(2),
            position);
    return attended;
  }
}
