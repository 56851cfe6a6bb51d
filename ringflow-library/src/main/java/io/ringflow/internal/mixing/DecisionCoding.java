package io.ringflow.internal.mixing;

import java.util.Arrays;

/**
 * Decisions between two, by opinions from elsewhere and by what was counted in contexts, mixed in
 * the logistic domain by weights that are learned from every decision.
 *
 * <p>A decision takes three calls: {@link #look}, {@link #code}, {@link #learn}. Where the contexts
 * of the next one follow from the bit, they are looked up before learning from it: the way from
 * memory then takes no time of its own.
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
  private int[] slots = new int[CONTEXTS];
  private int[] nextSlots = new int[CONTEXTS];

  /** Keeps the reads that fetch entries from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

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
   * Looks up the contexts of the next decision.
   *
   * @param hashes of the {@link #CONTEXTS}
   */
  public void look(int[] hashes) {
    int sum = 0;
    for (int i = 0; i < CONTEXTS; i++) {
      int slot = (hashes[i] ^ (hashes[i] >>> 15)) & mask;
      nextSlots[i] = slot;
      sum += counted[i].get(slot);
    }
    touched = sum;
  }

  /**
   * Writes or reads the decision that was looked up.
   *
   * @param opinions {@link #OPINIONS} log-odds of a one, within 12 times {@link #UNIT}
   * @param place chooses weights; any number
   */
  public int code(BitCoder coder, int bit, int[] opinions, int place) {
    int[] next = nextSlots;
    nextSlots = slots;
    slots = next;
    System.arraycopy(opinions, 0, inputs, 0, OPINIONS);
    for (int i = 0; i < CONTEXTS; i++) {
      inputs[OPINIONS + i] = Logistic.logOdds(counted[i].get(next[i]));
    }
    int set = place & (SETS - 1);
    int first = byPlace.mix(inputs, set);
    int bold =
        (Math.min(7, Math.abs(opinions[0]) >> 7) << 3) | Math.min(7, Math.abs(opinions[1]) >> 7);
    int second = byOpinion.mix(inputs, ((((place >> 5) & 63) << 6) | bold) & (SETS - 1));
    int mixed = Logistic.clamp((first + second) >> 1);
    int probability = (3 * Logistic.probability(mixed) + refinement.refine(mixed, set) + 2) >> 2;
    return coder.code(bit, Math.max(1, Math.min(Logistic.ONE - 1, probability)));
  }

  /** Learns from the bit that was coded. */
  public void learn(int bit) {
    byPlace.update(inputs, bit);
    byOpinion.update(inputs, bit);
    refinement.update(bit);
    for (int i = 0; i < CONTEXTS; i++) {
      counted[i].update(slots[i], bit);
    }
  }
}
