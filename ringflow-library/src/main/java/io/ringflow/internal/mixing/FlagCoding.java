package io.ringflow.internal.mixing;

/** Bits that hardly ever surprise, each by how often it was one in a small context. */
public final class FlagCoding {
  private static final int MIN = 2;

  private final AdaptiveProbabilities probabilities;

  /** So many contexts. */
  public FlagCoding(int contexts) {
    probabilities = new AdaptiveProbabilities(contexts);
  }

  /** Writes or reads a bit, and learns from it. */
  public int code(BitCoder coder, int bit, int context) {
    int probability = probabilities.get(context);
    int coded = coder.code(bit, Math.max(MIN, Math.min(Logistic.ONE - MIN, probability)));
    probabilities.update(context, coded);
    return coded;
  }

  /** Writes or reads a number of so many bits, all alike in a context of its own. */
  public int number(BitCoder coder, int number, int bits, int firstContext) {
    int node = 1;
    for (int shift = bits - 1; shift >= 0; shift--) {
      node = 2 * node + code(coder, (number >> shift) & 1, firstContext + node);
    }
    return node - (1 << bits);
  }
}
