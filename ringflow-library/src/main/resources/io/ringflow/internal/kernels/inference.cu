// Kernels for evaluation without gradients: sums with their normalisation, and attention of one
// position to all before it.
//
// Compiled at run time, once for each storage type and width of a head:
//   STORED  0: bfloat16 and arithmetic in float32, 1: float32, 2: float64
//   HEAD    values of an attention head: 8, 16, ... 256, a power of two; 0: without attention
//
// Values are read and written 16 bytes at a time, a chunk.

#if STORED == 0
typedef unsigned short stored;
typedef float real;
#elif STORED == 1
typedef float stored;
typedef float real;
#else
typedef double stored;
typedef double real;
#endif

#define CHUNK ((int)(16 / sizeof(stored)))
#define WARPS 8
#define THREADS (32 * WARPS)
#define ALL 0xffffffffu

struct __align__(16) chunk {
  stored v[CHUNK];
};

#if STORED == 0
__device__ inline real widened(stored x) { return __uint_as_float((unsigned)x << 16); }

__device__ inline stored narrowed(real x) {
  unsigned bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return 0x7fff;  // not a number; rounding could make an infinity of it
  }
  return (stored)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#else
__device__ inline real widened(stored x) { return x; }

__device__ inline stored narrowed(real x) { return x; }
#endif

__device__ inline chunk load(const stored* from, unsigned index) {
  return reinterpret_cast<const chunk*>(from)[index];
}

__device__ inline void store(stored* to, unsigned index, chunk value) {
  reinterpret_cast<chunk*>(to)[index] = value;
}

__device__ inline real warp_sum(real x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x += __shfl_xor_sync(ALL, x, distance);
  }
  return x;
}

// branch += sum, and its rows normalised: mean 0, variance 1. A warp for each row.
// Of each `period` rows of the sum, the first `skip` have no branch. Without a sum (null), the
// branch stays as it is.
extern "C" __global__ void __launch_bounds__(THREADS)
    add_normalize(const stored* __restrict__ sum, stored* __restrict__ branch,
                  stored* __restrict__ normed, unsigned rows, unsigned width, unsigned period,
                  unsigned skip) {
  unsigned row = blockIdx.x * WARPS + threadIdx.x / 32;
  if (row >= rows) {
    return;
  }
  unsigned lane = threadIdx.x % 32;
  unsigned chunks = width / CHUNK;
  unsigned kept = period - skip;
  stored* own = branch + (size_t)row * width;
  real total = 0;
  if (sum != nullptr) {
    const stored* before = sum + (size_t)(row / kept * period + skip + row % kept) * width;
    for (unsigned i = lane; i < chunks; i += 32) {
      chunk x = load(own, i);
      chunk s = load(before, i);
      for (int j = 0; j < CHUNK; j++) {
        x.v[j] = narrowed(widened(x.v[j]) + widened(s.v[j]));
        total += widened(x.v[j]);
      }
      store(own, i, x);
    }
  } else {
    for (unsigned i = lane; i < chunks; i += 32) {
      chunk x = load(own, i);
      for (int j = 0; j < CHUNK; j++) {
        total += widened(x.v[j]);
      }
    }
  }
  real mean = warp_sum(total) / width;
  total = 0;
  for (unsigned i = lane; i < chunks; i += 32) {
    chunk x = load(own, i);
    for (int j = 0; j < CHUNK; j++) {
      real d = widened(x.v[j]) - mean;
      total += d * d;
    }
  }
  real scale = 1 / sqrt(warp_sum(total) / width + (real)1e-5);
  for (unsigned i = lane; i < chunks; i += 32) {
    chunk x = load(own, i);
    for (int j = 0; j < CHUNK; j++) {
      x.v[j] = narrowed((widened(x.v[j]) - mean) * scale);
    }
    store(normed + (size_t)row * width, i, x);
  }
}

#if HEAD > 0
#define LANES (HEAD / 8)  // threads that share a position: each has 8 values of it
#define PER_LANE (8 / CHUNK)
#define TOGETHER (32 / LANES)  // positions that a warp has under way

// Attention of the position `last` to itself and all before it, for each row of a batch (y) and
// each head (x). mapped: queries, keys and values of the position, [B, 3, heads, HEAD]. Its key and
// value are put into the caches [B, heads, capacity, HEAD]. attended: [B, heads, HEAD].
extern "C" __global__ void __launch_bounds__(THREADS)
    attend_last(const stored* __restrict__ mapped, stored* __restrict__ keys,
                stored* __restrict__ values, stored* __restrict__ attended, unsigned capacity,
                unsigned last) {
  extern __shared__ __align__(16) unsigned char dynamic[];
  real* weights = reinterpret_cast<real*>(dynamic);  // of positions 0 ... last
  __shared__ real of_warps[WARPS];
  __shared__ real partial[WARPS][HEAD];
  unsigned heads = gridDim.x;
  unsigned width = heads * HEAD;
  const stored* own = mapped + (size_t)blockIdx.y * 3 * width + blockIdx.x * HEAD;
  size_t cache = ((size_t)blockIdx.y * heads + blockIdx.x) * capacity * HEAD;
  stored* key = keys + cache;
  stored* value = values + cache;
  unsigned thread = threadIdx.x;
  if (thread < HEAD / CHUNK) {
    store(key + (size_t)last * HEAD, thread, load(own + width, thread));
  } else if (thread < 2 * (HEAD / CHUNK)) {
    unsigned i = thread - HEAD / CHUNK;
    store(value + (size_t)last * HEAD, i, load(own + 2 * width, i));
  }
  unsigned lane = thread % LANES;
  unsigned warp = thread / 32;
  unsigned first = warp * TOGETHER;  // that this warp looks at
  unsigned mine = thread % 32 / LANES;
  real query[8];
  real scale = 1 / sqrt((real)HEAD);
#pragma unroll
  for (int i = 0; i < PER_LANE; i++) {
    chunk c = load(own, i * LANES + lane);
    for (int j = 0; j < CHUNK; j++) {
      query[i * CHUNK + j] = widened(c.v[j]) * scale;
    }
  }
  __syncthreads();

  real most = -__int_as_float(0x7f800000);  // minus infinity
#pragma unroll 4
  for (unsigned start = first; start <= last; start += WARPS * TOGETHER) {
    unsigned position = start + mine;
    real dot = 0;
    if (position <= last) {
#pragma unroll
      for (int i = 0; i < PER_LANE; i++) {
        chunk c = load(key + (size_t)position * HEAD, i * LANES + lane);
        for (int j = 0; j < CHUNK; j++) {
          dot += query[i * CHUNK + j] * widened(c.v[j]);
        }
      }
    }
    for (int distance = LANES / 2; distance > 0; distance /= 2) {
      dot += __shfl_xor_sync(ALL, dot, distance);
    }
    if (position <= last) {
      most = most > dot ? most : dot;
      if (lane == 0) {
        weights[position] = dot;
      }
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    real other = __shfl_xor_sync(ALL, most, distance);
    most = most > other ? most : other;
  }
  if (thread % 32 == 0) {
    of_warps[warp] = most;
  }
  __syncthreads();
  for (int i = 0; i < WARPS; i++) {
    most = most > of_warps[i] ? most : of_warps[i];
  }
  __syncthreads();  // of_warps is used again

  real total = 0;
  for (unsigned position = thread; position <= last; position += THREADS) {
    real weight = exp(weights[position] - most);
    weights[position] = weight;
    total += weight;
  }
  total = warp_sum(total);
  if (thread % 32 == 0) {
    of_warps[warp] = total;
  }
  __syncthreads();
  total = 0;
  for (int i = 0; i < WARPS; i++) {
    total += of_warps[i];
  }

  real sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
#pragma unroll 4
  for (unsigned position = first + mine; position <= last; position += WARPS * TOGETHER) {
    real weight = weights[position];
#pragma unroll
    for (int i = 0; i < PER_LANE; i++) {
      chunk c = load(value + (size_t)position * HEAD, i * LANES + lane);
      for (int j = 0; j < CHUNK; j++) {
        sum[i * CHUNK + j] += weight * widened(c.v[j]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++) {
    for (int distance = LANES; distance < 32; distance *= 2) {
      sum[i] += __shfl_xor_sync(ALL, sum[i], distance);
    }
  }
  if (mine == 0) {
    for (int i = 0; i < 8; i++) {
      partial[warp][(i / CHUNK * LANES + lane) * CHUNK + i % CHUNK] = sum[i];
    }
  }
  __syncthreads();
  if (thread < HEAD) {
    real all = 0;
    for (int i = 0; i < WARPS; i++) {
      all += partial[i][thread];
    }
    attended[(size_t)blockIdx.y * width + blockIdx.x * HEAD + thread] = narrowed(all / total);
  }
}
#endif
