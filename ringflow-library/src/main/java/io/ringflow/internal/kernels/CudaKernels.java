package io.ringflow.internal.kernels;

import io.ringflow.spi.Dropout;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Kernels of our own on an NVIDIA GPU, from {@code fused.cu}: values in bfloat16 or float32,
 * arithmetic in float32. They wait in libtorch's current stream, and read nothing back.
 */
final class CudaKernels implements FusedKernels {
  /** Values that a thread reads at a time; every row is a multiple. */
  private static final int CHUNK = 8;

  private static final int MAX_WIDTH = 4096;
  private static final int THREADS = 256;

  /** Blocks on each multiprocessor of kernels that sum columns: each adds a row to a workspace. */
  private static final int SUMMING_BLOCKS = 4;

  /** In a class of its own: is made when it is first asked for. */
  private static final class Shared {
    static final CudaKernels INSTANCE = new CudaKernels();
  }

  private final CompiledSources modules = new CompiledSources("fused.cu");

  CudaKernels() {}

  /** The kernels of all GPUs of this process. */
  static CudaKernels shared() {
    return Shared.INSTANCE;
  }

  @Override
  public boolean fit(Tensor vectors, long filter) {
    ScalarType type = vectors.scalar_type().intern();
    long rows = rows(vectors);
    long width = vectors.size(-1);
    return (type == ScalarType.BFloat16 || type == ScalarType.Float)
        && rows > 0
        && rows <= Integer.MAX_VALUE / 2 // row numbers are 32 bits wide, and run ahead
        && width % CHUNK == 0
        && width <= MAX_WIDTH
        && filter % CHUNK == 0
        && module(vectors, 0) != null
        && module(vectors, (int) width) != null;
  }

  /** Compiled for a width of rows; 0 for the kernels of any width. */
  private CudaModule module(Tensor like, int width) {
    boolean half = like.scalar_type().intern() == ScalarType.BFloat16;
    return modules.of(like.device().index(), "-DBF16=" + (half ? 1 : 0), "-DWIDTH=" + width);
  }

  @Override
  public Normalized normalize(Tensor x) {
    return normalize(null, aligned(x), null, rows(x));
  }

  @Override
  public Tensor factors(Dropout dropout, Tensor vectors) {
    long width = vectors.size(2);
    Tensor factors =
        torch.empty(
            new long[] {vectors.size(0), 1, width}, vectors.options(), new MemoryFormatOptional());
    Dropout.Counter counter = dropout.next(width);
    // libtorch compares in float32, in which a share is a multiple of 2^-24 only by chance.
    long dropped = (long) Math.ceil((float) dropout.share() * 0x1p24);
    float factor = (float) (1 / (1 - dropout.share()));
    long chunks = factors.numel() / CHUNK;
    module(vectors, 0)
        .launch(
            "dropout_factors",
            new CudaModule.Grid((chunks + THREADS - 1) / THREADS, 1, THREADS, 1),
            CudaModule.address(counter.seed()),
            counter.first(),
            dropped,
            Float.floatToRawIntBits(factor),
            CudaModule.address(factors),
            chunks);
    return factors;
  }

  @Override
  public Normalized addNormalize(Tensor sum, Tensor branch, Tensor factors) {
    if (CudaModule.address(branch) % 16 != 0) {
      throw new IllegalArgumentException("the branch must start at a multiple of 16 bytes");
    }
    return normalize(aligned(sum), branch, factors, sum.size(1));
  }

  private Normalized normalize(Tensor sum, Tensor x, Tensor factors, long period) {
    int width = Math.toIntExact(x.size(-1));
    long rows = rows(x);
    Tensor values = torch.empty_like(x);
    Tensor scale = floats(x, rows);
    int rowThreads = rowThreads(width);
    int together = THREADS / rowThreads;
    module(x, width)
        .launch(
            "add_normalize",
            new CudaModule.Grid((rows + together - 1) / together, 1, together * rowThreads, 1),
            CudaModule.address(sum),
            CudaModule.address(factors),
            CudaModule.address(x),
            CudaModule.address(values),
            CudaModule.address(scale),
            rows,
            period,
            sum == null ? 0 : period - x.size(1));
    return new Normalized(values, scale);
  }

  @Override
  public SumGradient normalizeBackward(
      Tensor gradient, Normalized normalized, Tensor next, Tensor factors, boolean withColumns) {
    Tensor given = aligned(gradient);
    int width = Math.toIntExact(given.size(-1));
    long rows = rows(given);
    long period = given.size(1);
    CudaModule module = module(given, width);
    int rowThreads = rowThreads(width);
    int together = THREADS / rowThreads;
    long blocks = summingBlocks(module, (rows + together - 1) / together);
    Tensor sum = torch.empty_like(given);
    Tensor branch = factors == null ? sum : torch.empty_like(given);
    Tensor partial = withColumns ? floats(given, blocks, width) : null;
    module.launch(
        "normalize_backward",
        new CudaModule.Grid(blocks, 1, together * rowThreads, 1),
        CudaModule.address(given),
        CudaModule.address(normalized.values()),
        CudaModule.address(normalized.scale()),
        CudaModule.address(next),
        CudaModule.address(factors),
        CudaModule.address(sum),
        CudaModule.address(branch),
        CudaModule.address(partial),
        rows,
        period,
        next == null ? 0 : period - next.size(1));
    Tensor columns = withColumns ? finished(module, partial) : null;
    return new SumGradient(sum, new Summed(branch, columns));
  }

  /** Threads that share a row, as {@code fused.cu} counts them: each has four chunks at most. */
  private static int rowThreads(int width) {
    int chunks = width / CHUNK;
    return 32 * ((chunks + 127) / 128);
  }

  @Override
  public Tensor gelu(Tensor x) {
    Tensor given = aligned(x);
    Tensor values = torch.empty_like(given);
    long chunks = given.numel() / CHUNK;
    long perBlock = 2L * THREADS;
    module(given, 0)
        .launch(
            "gelu",
            new CudaModule.Grid((chunks + perBlock - 1) / perBlock, 1, THREADS, 1),
            CudaModule.address(given),
            CudaModule.address(values),
            chunks);
    return values;
  }

  @Override
  public Summed geluBackward(Tensor gradient, Tensor x, boolean withColumns) {
    Tensor given = aligned(gradient);
    Tensor at = aligned(x);
    Tensor values = torch.empty_like(given);
    CudaModule module = module(given, 0);
    CudaModule.Grid grid = columnGrid(module, given, 2);
    Tensor partial = withColumns ? floats(given, grid.x(), given.size(-1)) : null;
    module.launch(
        "gelu_backward",
        grid,
        CudaModule.address(given),
        CudaModule.address(at),
        CudaModule.address(values),
        CudaModule.address(partial),
        rows(given),
        given.size(-1) / CHUNK);
    return new Summed(values, withColumns ? finished(module, partial) : null);
  }

  @Override
  public Tensor columnSums(Tensor x) {
    Tensor given = aligned(x);
    CudaModule module = module(given, 0);
    CudaModule.Grid grid = columnGrid(module, given, 4);
    Tensor partial = floats(given, grid.x(), given.size(-1));
    module.launch(
        "sum_columns",
        grid,
        CudaModule.address(given),
        CudaModule.address(partial),
        rows(given),
        given.size(-1) / CHUNK);
    return finished(module, partial);
  }

  /** A thread for each chunk of a row, and several rows in a block where they are short. */
  private static CudaModule.Grid columnGrid(CudaModule module, Tensor x, int rowsPerThread) {
    long chunks = x.size(-1) / CHUNK;
    int across = (int) Math.min(chunks, THREADS);
    int down = THREADS / across;
    long perBlock = (long) down * rowsPerThread;
    long blocks = summingBlocks(module, (rows(x) + perBlock - 1) / perBlock);
    return new CudaModule.Grid(blocks, (chunks + across - 1) / across, across, down);
  }

  private static long summingBlocks(CudaModule module, long enough) {
    return Math.min(enough, (long) SUMMING_BLOCKS * module.multiprocessors());
  }

  private static Tensor finished(CudaModule module, Tensor partial) {
    long width = partial.size(1);
    Tensor sums = floats(partial, width);
    module.launch(
        "finish_columns",
        new CudaModule.Grid((width + 31) / 32, 1, 32, 16),
        CudaModule.address(partial),
        CudaModule.address(sums),
        partial.size(0),
        width);
    return sums;
  }

  /** The same values where chunks can be read at once; libtorch's own tensors are all like that. */
  private static Tensor aligned(Tensor x) {
    return CudaModule.address(x) % 16 == 0 ? x : x.clone();
  }

  private static long rows(Tensor x) {
    return x.numel() / x.size(-1);
  }

  private static Tensor floats(Tensor like, long... shape) {
    return torch.empty(
        shape,
        like.options().dtype(new ScalarTypeOptional(ScalarType.Float)),
        new MemoryFormatOptional());
  }
}
