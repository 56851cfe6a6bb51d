// Kernels for training: sums with their normalisation, GELU, and sums of columns.
//
// Compiled at run time, once for each storage type and width of a row:
//   BF16   1: values are stored in bfloat16, 0: in float32; arithmetic is in float32
//   WIDTH  of a normalised row, a multiple of 8; 0: without the kernels that normalise
//
// Values are read and written eight at a time, a chunk. Sums of columns are deterministic: each
// block sums its rows in a fixed order into a row of its own, and finish_columns adds those up.

#if BF16
typedef unsigned short stored;
typedef uint4 packed;  // a chunk
#else
typedef float stored;
struct packed {
  float4 low, high;
};
#endif

struct chunk {
  float v[8];
};

__device__ inline packed load(const stored* rows, long long index) {
  return reinterpret_cast<const packed*>(rows)[index];
}

__device__ inline void store(stored* rows, long long index, packed value) {
  reinterpret_cast<packed*>(rows)[index] = value;
}

#if BF16
__device__ inline float low_half(unsigned two) { return __uint_as_float(two << 16); }

__device__ inline float high_half(unsigned two) { return __uint_as_float(two & 0xffff0000u); }

__device__ inline chunk unpack(packed p) {
  return {{low_half(p.x), high_half(p.x), low_half(p.y), high_half(p.y), low_half(p.z),
           high_half(p.z), low_half(p.w), high_half(p.w)}};
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__device__ inline unsigned halves(float low, float high) {
  unsigned two;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(two) : "f"(high), "f"(low));
  return two;
}
#else
__device__ inline unsigned rounded_half(float x) {
  unsigned bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return 0x7fffu;  // not a number; rounding could make an infinity of it
  }
  return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

__device__ inline unsigned halves(float low, float high) {
  return rounded_half(low) | rounded_half(high) << 16;
}
#endif

__device__ inline packed pack(chunk c) {
  return make_uint4(halves(c.v[0], c.v[1]), halves(c.v[2], c.v[3]), halves(c.v[4], c.v[5]),
                    halves(c.v[6], c.v[7]));
}
#else
__device__ inline chunk unpack(packed p) {
  return {{p.low.x, p.low.y, p.low.z, p.low.w, p.high.x, p.high.y, p.high.z, p.high.w}};
}

__device__ inline packed pack(chunk c) {
  return {make_float4(c.v[0], c.v[1], c.v[2], c.v[3]), make_float4(c.v[4], c.v[5], c.v[6], c.v[7])};
}
#endif

#if WIDTH > 0
#define CHUNKS (WIDTH / 8)
#define WARPS ((CHUNKS + 127) / 128)  // of a row: a thread has four chunks at most
#define ROW_THREADS (32 * WARPS)
#define PER_THREAD ((CHUNKS + ROW_THREADS - 1) / ROW_THREADS)
#define ROWS (256 / ROW_THREADS)  // that a block has under way
// As many blocks on a multiprocessor as registers allow without spilling.
#define BLOCKS (PER_THREAD * (BF16 ? 1 : 2) > 2 ? 2 : 4)

// The sums over all threads of a row, for each of them. All threads of a block must call it.
__device__ inline float2 row_sums(float2 x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x.x += __shfl_xor_sync(0xffffffffu, x.x, distance);
    x.y += __shfl_xor_sync(0xffffffffu, x.y, distance);
  }
#if WARPS > 1
  __shared__ float2 of_warps[ROWS * WARPS];
  int warp = threadIdx.x / 32;
  __syncthreads();  // those of the call before have been read
  if (threadIdx.x % 32 == 0) {
    of_warps[warp] = x;
  }
  __syncthreads();
  x = make_float2(0, 0);
  for (int i = warp / WARPS * WARPS; i < warp / WARPS * WARPS + WARPS; i++) {
    x.x += of_warps[i].x;
    x.y += of_warps[i].y;
  }
#endif
  return x;
}

__device__ inline void multiply(chunk& x, packed factors) {
  chunk f = unpack(factors);
  for (int j = 0; j < 8; j++) {
    x.v[j] *= f.v[j];
  }
}

// branch = branch * factors + sum, and its rows normalised: mean 0, variance 1. scale: 1 / deviation
// of each row. Of each `period` rows of the sum, the first `skip` have no branch; the others share a
// row of factors, which may be null. Without a sum (null), the branch stays as it is.
extern "C" __global__ void __launch_bounds__(ROWS* ROW_THREADS)
    add_normalize(const stored* __restrict__ sum, const stored* __restrict__ factors,
                  stored* __restrict__ branch, stored* __restrict__ normed, float* __restrict__ scale, unsigned rows,
                  unsigned period, unsigned skip) {
  int thread = threadIdx.x % ROW_THREADS;
  unsigned row = blockIdx.x * ROWS + threadIdx.x / ROW_THREADS;
  bool inside = row < rows;
  unsigned branch_period = period - skip;
  unsigned sequence = row / branch_period;
  unsigned sum_row = skip == 0 ? row : sequence * period + skip + row % branch_period;
  chunk x[PER_THREAD];
  float2 total = make_float2(0, 0);
#pragma unroll
  for (int i = 0; i < PER_THREAD; i++) {
    int place = i * ROW_THREADS + thread;
    if (inside && place < CHUNKS) {
      long long index = (long long)row * CHUNKS + place;
      packed both = load(branch, index);
      x[i] = unpack(both);
      if (sum != nullptr) {
        chunk s = unpack(load(sum, (long long)sum_row * CHUNKS + place));
        if (factors != nullptr) {
          multiply(x[i], load(factors, (long long)sequence * CHUNKS + place));
        }
        for (int j = 0; j < 8; j++) {
          x[i].v[j] += s.v[j];
        }
        both = pack(x[i]);
        store(branch, index, both);
        x[i] = unpack(both);  // what later readers of the sum see
      }
      for (int j = 0; j < 8; j++) {
        total.x += x[i].v[j];
      }
    }
  }
  float mean = row_sums(total).x / WIDTH;
  total = make_float2(0, 0);
#pragma unroll
  for (int i = 0; i < PER_THREAD; i++) {
    if (i * ROW_THREADS + thread < CHUNKS) {
      for (int j = 0; j < 8; j++) {
        x[i].v[j] -= mean;
        total.x += x[i].v[j] * x[i].v[j];
      }
    }
  }
  float one_over_deviation = rsqrtf(row_sums(total).x / WIDTH + 1e-5f);
#pragma unroll
  for (int i = 0; i < PER_THREAD; i++) {
    int place = i * ROW_THREADS + thread;
    if (inside && place < CHUNKS) {
      for (int j = 0; j < 8; j++) {
        x[i].v[j] *= one_over_deviation;
      }
      store(normed, (long long)row * CHUNKS + place, pack(x[i]));
    }
  }
  if (inside && thread == 0) {
    scale[row] = one_over_deviation;
  }
}

// The gradient of a sum: of its normalisation, by dnormed, and of the next sum, which it is part
// of. Of each `period` rows, the first `skip` are no part of the next sum; next is null where there
// is none. dbranch = dsum * factors, a row of which is that of a period; without factors (null),
// dbranch is dsum itself. partial: a row of column sums of dbranch from each block, or null.
extern "C" __global__ void __launch_bounds__(ROWS* ROW_THREADS, BLOCKS)
    normalize_backward(const stored* __restrict__ dnormed, const stored* __restrict__ normed,
                       const float* __restrict__ scale, const stored* __restrict__ next,
                       const stored* __restrict__ factors, stored* dsum, stored* dbranch,
                       float* __restrict__ partial, unsigned rows, unsigned period,
                       unsigned skip) {
  int thread = threadIdx.x % ROW_THREADS;
  int own = threadIdx.x / ROW_THREADS;
  chunk columns[PER_THREAD] = {};
  // The bound is the same for all threads of a block, as row_sums needs it.
  for (unsigned first = blockIdx.x * ROWS; first < rows; first += gridDim.x * ROWS) {
    unsigned row = first + own;
    bool inside = row < rows;
    unsigned place_in_period = skip == 0 ? 0 : row % period;
    bool continues = inside && next != nullptr && place_in_period >= skip;
    unsigned next_row =
        skip == 0 ? row : row / period * (period - skip) + place_in_period - skip;
    packed dn[PER_THREAD], n[PER_THREAD], after[PER_THREAD];
    float2 total = make_float2(0, 0);
#pragma unroll
    for (int i = 0; i < PER_THREAD; i++) {
      int place = i * ROW_THREADS + thread;
      if (inside && place < CHUNKS) {
        dn[i] = load(dnormed, (long long)row * CHUNKS + place);
        n[i] = load(normed, (long long)row * CHUNKS + place);
        if (continues) {
          after[i] = load(next, (long long)next_row * CHUNKS + place);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < PER_THREAD; i++) {
      if (inside && i * ROW_THREADS + thread < CHUNKS) {
        chunk d = unpack(dn[i]);
        chunk x = unpack(n[i]);
        for (int j = 0; j < 8; j++) {
          total.x += d.v[j];
          total.y += d.v[j] * x.v[j];
        }
      }
    }
    total = row_sums(total);
    float mean = total.x / WIDTH;
    float slope = total.y / WIDTH;
    float one_over_deviation = inside ? scale[row] : 0;
#pragma unroll
    for (int i = 0; i < PER_THREAD; i++) {
      int place = i * ROW_THREADS + thread;
      if (inside && place < CHUNKS) {
        chunk d = unpack(dn[i]);
        chunk x = unpack(n[i]);
        for (int j = 0; j < 8; j++) {
          d.v[j] = one_over_deviation * (d.v[j] - mean - x.v[j] * slope);
        }
        if (continues) {
          chunk rest = unpack(after[i]);
          for (int j = 0; j < 8; j++) {
            d.v[j] += rest.v[j];
          }
        }
        store(dsum, (long long)row * CHUNKS + place, pack(d));
        if (factors != nullptr) {
          multiply(d, load(factors, (long long)(row / period) * CHUNKS + place));
          store(dbranch, (long long)row * CHUNKS + place, pack(d));
        }
        for (int j = 0; j < 8; j++) {
          columns[i].v[j] += d.v[j];
        }
      }
    }
  }
  if (partial == nullptr) {
    return;
  }
  __shared__ float of_rows[ROWS * WIDTH];
#pragma unroll
  for (int i = 0; i < PER_THREAD; i++) {
    int place = i * ROW_THREADS + thread;
    if (place < CHUNKS) {
      for (int j = 0; j < 8; j++) {
        of_rows[own * WIDTH + place * 8 + j] = columns[i].v[j];
      }
    }
  }
  __syncthreads();
  for (int column = threadIdx.x; column < WIDTH; column += ROWS * ROW_THREADS) {
    float total = 0;
    for (int i = 0; i < ROWS; i++) {
      total += of_rows[i * WIDTH + column];
    }
    partial[(long long)blockIdx.x * WIDTH + column] = total;
  }
}
#endif

// Factors of dropout: 0 where a number of 24 random bits is below `dropped`, a float32 of these bits
// elsewhere. The numbers are those of Tensors.uniforms: two rounds of MurmurHash3's finalizer over a
// counter, of which the seed (null for none) is a part.
extern "C" __global__ void __launch_bounds__(256)
    dropout_factors(const long long* __restrict__ seed, unsigned long long first,
                    unsigned dropped, unsigned factor_bits, stored* __restrict__ factors,
                    long long chunks) {
  long long index = blockIdx.x * 256LL + threadIdx.x;
  if (index >= chunks) {
    return;
  }
  unsigned long long counter = first + (seed == nullptr ? 0 : seed[0]) + index * 8;
  chunk c;
  for (int j = 0; j < 8; j++) {
    unsigned long long x = (counter + j) * 0xFF51AFD7ED558CCDull;
    x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53ull;
    x ^= x >> 33;
    c.v[j] = (unsigned)(x >> 40) < dropped ? 0.0f : __uint_as_float(factor_bits);
  }
  store(factors, index, pack(c));
}

// A normal variable's distribution at x, and its density.
__device__ inline void normal(float x, float& below, float& density) {
#if BF16
  // The tail over the density is a polynomial of t to within 1e-6 of itself, at every x: far more
  // than bfloat16 holds. It takes the density's exponential, and no other.
  float away = fabsf(x);
  float bell = __expf(-0.5f * x * x);
  float t = __fdividef(1.0f, 1.0f + 0.36f * away);
  float tail = 0.047055856f;
  tail = tail * t - 0.17976323f;
  tail = tail * t + 0.18095205f;
  tail = tail * t + 0.026550641f;
  tail = tail * t + 0.13971880f;
  tail = tail * t + 0.14177253f;
  tail = tail * t + 0.14371304f;
  tail *= t * bell;
  below = x < 0 ? tail : 1.0f - tail;
  density = 0.39894228f * bell;
#else
  below = 0.5f * (1.0f + erff(x * 0.70710678f));
  density = 0.39894228f * expf(-0.5f * x * x);
#endif
}

__device__ inline chunk gelu_of(chunk x) {
  for (int j = 0; j < 8; j++) {
    float below, density;
    normal(x.v[j], below, density);
    x.v[j] *= below;
  }
  return x;
}

// Two chunks for each thread: more of memory is under way.
extern "C" __global__ void __launch_bounds__(256)
    gelu(const stored* __restrict__ x, stored* __restrict__ y, long long chunks) {
  long long first = blockIdx.x * 512LL + threadIdx.x;
  long long second = first + 256;
  if (second < chunks) {
    packed a = load(x, first);
    packed b = load(x, second);
    store(y, first, pack(gelu_of(unpack(a))));
    store(y, second, pack(gelu_of(unpack(b))));
  } else if (first < chunks) {
    store(y, first, pack(gelu_of(unpack(load(x, first)))));
  }
}

// Adds up what the rows of a block's threads have summed in a column of chunks each. A block is
// [row, chunk], and at most 256 threads.
__device__ inline void store_partial(chunk columns, float* partial, int column, int chunks) {
  __shared__ float of_threads[256 * 8];
  int own = threadIdx.y * blockDim.x + threadIdx.x;
  for (int j = 0; j < 8; j++) {
    of_threads[own * 8 + j] = columns.v[j];
  }
  __syncthreads();
  if (threadIdx.y == 0 && column < chunks) {
    for (unsigned i = 1; i < blockDim.y; i++) {
      for (int j = 0; j < 8; j++) {
        columns.v[j] += of_threads[(i * blockDim.x + threadIdx.x) * 8 + j];
      }
    }
    float* row = partial + ((long long)blockIdx.x * chunks + column) * 8;
    for (int j = 0; j < 8; j++) {
      row[j] = columns.v[j];
    }
  }
}

__device__ inline chunk gelu_gradient(packed dy, packed x) {
  chunk d = unpack(dy);
  chunk at = unpack(x);
  for (int j = 0; j < 8; j++) {
    float below, density;
    normal(at.v[j], below, density);
    d.v[j] *= below + at.v[j] * density;
  }
  return d;
}

__device__ inline void add(chunk& to, chunk from) {
  for (int j = 0; j < 8; j++) {
    to.v[j] += from.v[j];
  }
}

// dx = dy gelu'(x). partial: a row of column sums of dx from each block, or null.
extern "C" __global__ void __launch_bounds__(256)
    gelu_backward(const stored* __restrict__ dy, const stored* __restrict__ x,
                  stored* __restrict__ dx, float* __restrict__ partial, unsigned rows,
                  int chunks) {
  int column = blockIdx.y * blockDim.x + threadIdx.x;
  chunk columns = {};
  unsigned stride = gridDim.x * blockDim.y;
  if (column < chunks) {
    for (unsigned row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += 2 * stride) {
      long long first = (long long)row * chunks + column;
      long long second = first + (long long)stride * chunks;
      packed dy1 = load(dy, first);
      packed x1 = load(x, first);
      if (row + stride < rows) {
        packed dy2 = load(dy, second);
        packed x2 = load(x, second);
        chunk d1 = gelu_gradient(dy1, x1);
        chunk d2 = gelu_gradient(dy2, x2);
        store(dx, first, pack(d1));
        store(dx, second, pack(d2));
        add(columns, d1);
        add(columns, d2);
      } else {
        chunk d1 = gelu_gradient(dy1, x1);
        store(dx, first, pack(d1));
        add(columns, d1);
      }
    }
  }
  if (partial != nullptr) {
    store_partial(columns, partial, column, chunks);
  }
}

// partial: a row of column sums from each block.
extern "C" __global__ void __launch_bounds__(256)
    sum_columns(const stored* __restrict__ x, float* __restrict__ partial, unsigned rows,
                int chunks) {
  int column = blockIdx.y * blockDim.x + threadIdx.x;
  chunk columns = {};
  unsigned stride = gridDim.x * blockDim.y;
  if (column < chunks) {
    unsigned row = blockIdx.x * blockDim.y + threadIdx.y;
    for (; row + 3 * stride < rows; row += 4 * stride) {
      packed four[4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        four[i] = load(x, (row + (long long)i * stride) * chunks + column);
      }
#pragma unroll
      for (int i = 0; i < 4; i++) {
        add(columns, unpack(four[i]));
      }
    }
    for (; row < rows; row += stride) {
      add(columns, unpack(load(x, (long long)row * chunks + column)));
    }
  }
  store_partial(columns, partial, column, chunks);
}

// The sums of columns of float32 rows. A block is [16, 32] and sums 32 columns.
extern "C" __global__ void __launch_bounds__(512)
    finish_columns(const float* __restrict__ partial, float* __restrict__ sums, int rows,
                   int width) {
  __shared__ float of_threads[16][33];
  int column = blockIdx.x * 32 + threadIdx.x;
  float total = 0;
  if (column < width) {
#pragma unroll 8
    for (int row = threadIdx.y; row < rows; row += 16) {
      total += partial[(long long)row * width + column];
    }
  }
  of_threads[threadIdx.y][threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.y == 0 && column < width) {
    for (int i = 1; i < 16; i++) {
      total += of_threads[i][threadIdx.x];
    }
    sums[column] = total;
  }
}
