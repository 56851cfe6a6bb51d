package io.ringflow.internal.mixing;

import java.util.Arrays;

/**
 * Decisions between two, by opinions from elsewhere and by what was counted in contexts, mixed in
 * the logistic domain by weights that are learned from every decision.
 *
 * <p>All arithmetic is of integers. For one thread.
 */
public final class DecisionCoding {
  /** How many contexts a decision is counted in. */
  public static final int CONTEXTS = 8;

  /** How many opinions come from elsewhere. */
  public static final int OPINIONS = 3;

  /** The unit of opinions: log-odds of 1. */
  public static final int UNIT = 256;

  private static final int INPUTS = CONTEXTS + OPINIONS + 1;
  private static final int FIRST_WEIGHT = 60_000; // of the first opinion, of 2^16
  private static final int OTHER_WEIGHT = 12_000;
  private static final int RATE = 2;
  private static final int MIN_ERROR = 64;
  private static final int SETS = 1 << 12;

  private final int mask;
  private final AdaptiveProbabilities[] counted = new AdaptiveProbabilities[CONTEXTS];
  private final Mixer byPlace;
  private final Mixer byOpinion;
  private final Refinement refinement;
  private final int[] inputs = new int[INPUTS];
  private final int[] slots = new int[CONTEXTS];

  /**
   * Begins with nothing counted.
   *
   * @param tableBits logarithm of the entries for each context, of 4 bytes
   */
  public DecisionCoding(int tableBits) {
    mask = (1 << tableBits) - 1;
    for (int i = 0; i < CONTEXTS; i++) {
      counted[i] = new AdaptiveProbabilities(mask + 1);
    }
    int[] weights = new int[INPUTS];
    Arrays.fill(weights, OTHER_WEIGHT);
    weights[0] = FIRST_WEIGHT;
    byPlace = new Mixer(weights, SETS, RATE, MIN_ERROR);
    byOpinion = new Mixer(weights, SETS, RATE, MIN_ERROR);
    refinement = new Refinement(SETS);
    inputs[INPUTS - 1] = UNIT;
  }

  /** The log-odds of a probability of 16 bits, in the unit of opinions. */
  public static int logOdds(int probability) {
    return Logistic.logOdds(Math.max(1, Math.min(Logistic.ONE - 1, probability)));
  }

  /**
   * Writes or reads a decision, and learns from it.
   *
   * @param opinions {@link #OPINIONS} log-odds of a one, within 12 times {@link #UNIT}
   * @param hashes of the {@link #CONTEXTS}
   * @param place chooses weights; any number
   */
  public int code(BitCoder coder, int bit, int[] opinions, int[] hashes, int place) {
    System.arraycopy(opinions, 0, inputs, 0, OPINIONS);
    for (int i = 0; i < CONTEXTS; i++) {
      slots[i] = (hashes[i] ^ (hashes[i] >>> 15)) & mask;
      inputs[OPINIONS + i] = Logistic.logOdds(counted[i].get(slots[i]));
    }
    int set = place & (SETS - 1);
    int first = byPlace.mix(inputs, set);
    int bold =
        (Math.min(7, Math.abs(opinions[0]) >> 7) << 3) | Math.min(7, Math.abs(opinions[1]) >> 7);
    int second = byOpinion.mix(inputs, ((((place >> 5) & 63) << 6) | bold) & (SETS - 1));
    int mixed = Logistic.clamp((first + second) >> 1);
    int probability = (3 * Logistic.probability(mixed) + refinement.refine(mixed, set) + 2) >> 2;
    int coded = coder.code(bit, Math.max(1, Math.min(Logistic.ONE - 1, probability)));
    byPlace.update(inputs, coded);
    byOpinion.update(inputs, coded);
    refinement.update(coded);
    for (int i = 0; i < CONTEXTS; i++) {
      counted[i].update(slots[i], coded);
    }
    return coded;
  }
}
