package io.ringflow.infer;

/**
 * The standard normal numbers that libtorch's CPU generator gives for a seed, without libtorch: so
 * that random instances are the ones others publish.
 *
 * <p>The generator is mt19937. {@code randn} of 16 numbers or more fills the array with uniform
 * numbers of 24 bits, then turns each block of 16 into normal ones by Box and Muller's rule, eight
 * pairs at a time. If the last block is not whole, the last 16 numbers are sampled anew. Vectorised
 * logarithms and cosines differ from Java's in the last bits, so equality is to about 1e-6.
 */
final class TorchNormals {
  private static final int WORDS = 624;
  private static final int MIDDLE = 397;
  private static final int BLOCK = 16;

  private final int[] state = new int[WORDS];
  private int next = WORDS;

  private TorchNormals(long seed) {
    state[0] = (int) seed; // libtorch drops the upper half as well
    for (int i = 1; i < WORDS; i++) {
      state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
  }

  /** What {@code randn(count)} is after {@code manual_seed(seed)}, of at least 16 numbers. */
  static float[] sample(int count, long seed) {
    if (count < BLOCK) {
      throw new IllegalArgumentException("count must be at least 16, but is " + count);
    }
    TorchNormals random = new TorchNormals(seed);
    float[] values = new float[count];
    random.fillUniform(values, 0);
    for (int start = 0; start + BLOCK <= count; start += BLOCK) {
      makeNormal(values, start);
    }
    if (count % BLOCK != 0) {
      random.fillUniform(values, count - BLOCK);
      makeNormal(values, count - BLOCK);
    }
    return values;
  }

  private void fillUniform(float[] values, int start) {
    for (int i = start; i < values.length; i++) {
      values[i] = (nextWord() & 0xFFFFFF) * 0x1p-24f;
    }
  }

  private static void makeNormal(float[] values, int start) {
    for (int i = start; i < start + BLOCK / 2; i++) {
      double radius = Math.sqrt(-2 * Math.log(1 - values[i]));
      float angle = (float) (2 * Math.PI) * values[i + BLOCK / 2]; // rounded, as libtorch has it
      values[i] = (float) (radius * Math.cos(angle));
      values[i + BLOCK / 2] = (float) (radius * Math.sin(angle));
    }
  }

  private int nextWord() {
    if (next == WORDS) {
      for (int i = 0; i < WORDS; i++) {
        int joined = (state[i] & 0x80000000) | (state[(i + 1) % WORDS] & 0x7FFFFFFF);
        int twisted = (joined >>> 1) ^ ((joined & 1) == 0 ? 0 : 0x9908B0DF);
        state[i] = state[(i + MIDDLE) % WORDS] ^ twisted;
      }
      next = 0;
    }
    int word = state[next++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9D2C5680;
    word ^= (word << 15) & 0xEFC60000;
    return word ^ (word >>> 18);
  }
}
