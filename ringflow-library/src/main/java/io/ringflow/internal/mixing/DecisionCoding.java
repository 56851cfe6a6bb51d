package io.ringflow.internal.mixing;

import java.util.Arrays;

/**
 * Decisions between two, by opinions from elsewhere and by what was counted in contexts, mixed in
 * the logistic domain by weights that are learned from every decision.
 *
 * <p>Where the first opinion is as good as it can be, learning weights only costs. So what is coded
 * is a mean of the mixed probability and of that opinion alone, by how well both did in the same
 * place before: never much worse than the better of the two.
 *
 * <p>A decision takes two calls: {@link #look} and {@link #code}, which first learns from the
 * decision before. So entries are on their way from memory while that is done.
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
  private static final int TRUST_BITS = 15;
  private static final int MIN_TRUST = 16;
  private static final int MAX_TRUST = (1 << TRUST_BITS) - MIN_TRUST;

  private final int tableBits;
  private final int mask;
  private final AdaptiveProbabilities counted; // of one context after the other
  private final int[] byPlace = new int[INPUTS * SETS]; // weights
  private final int[] byOpinion = new int[INPUTS * SETS];
  private final Refinement refinement;
  private final int[] inputs = new int[INPUTS];
  private int[] slots = new int[CONTEXTS];
  private int[] nextSlots = new int[CONTEXTS];
  private final char[] trusts = new char[SETS]; // in the first opinion alone
  private int trustAt;
  private int firstProbability; // of the decision before, by the first opinion
  private int codedProbability; // that it was coded by
  private int placeAt; // where the weights of the decision before begin
  private int opinionAt;
  private int placeProbability; // that these gave
  private int opinionProbability;
  private int lastBit;
  private boolean begun;

  /** Keeps the reads that fetch entries from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /**
   * Begins with nothing counted.
   *
   * @param tableBits logarithm of the entries for each context, of 4 bytes
   */
  public DecisionCoding(int tableBits) {
    this.tableBits = tableBits;
    mask = (1 << tableBits) - 1;
    counted = new AdaptiveProbabilities(CONTEXTS << tableBits);
    for (int i = 0; i < byPlace.length; i++) {
      byPlace[i] = i % INPUTS == 0 ? FIRST_WEIGHT : OTHER_WEIGHT;
    }
    System.arraycopy(byPlace, 0, byOpinion, 0, byPlace.length);
    refinement = new Refinement(SETS);
    Arrays.fill(trusts, (char) (1 << (TRUST_BITS - 1)));
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
      int slot = (i << tableBits) + ((hashes[i] ^ (hashes[i] >>> 15)) & mask);
      nextSlots[i] = slot;
      sum += counted.get(slot);
    }
    touched = sum;
  }

  /**
   * Writes or reads the decision that was looked up.
   *
   * <p>Long on purpose: Java compiles a method of more than 325 bytes once, and a shorter one again
   * into each that calls it. Compiling is a large part of the time of a first file.
   *
   * @param opinions {@link #OPINIONS} log-odds of a one, within 12 times {@link #UNIT}
   * @param place chooses weights; any number
   */
  public int code(BitCoder coder, int bit, int[] opinions, int place) {
    if (begun) {
      // By Bayes' rule; of 15 bits, so that the product fits in an int.
      int firstShare = lastBit == 1 ? firstProbability : Logistic.ONE - firstProbability;
      int codedShare = lastBit == 1 ? codedProbability : Logistic.ONE - codedProbability;
      int trust = trusts[trustAt] * firstShare / codedShare;
      trusts[trustAt] = (char) Math.max(MIN_TRUST, Math.min(MAX_TRUST, trust));
      refinement.update(lastBit);
      for (int i = 0; i < CONTEXTS; i++) {
        counted.update(slots[i], lastBit);
      }
      int placeStep = Mixer.step(lastBit, placeProbability, RATE, MIN_ERROR);
      int opinionStep = Mixer.step(lastBit, opinionProbability, RATE, MIN_ERROR);
      if (placeStep != 0 || opinionStep != 0) {
        int first = placeAt;
        int second = opinionAt;
        for (int i = 0; i < INPUTS; i++) {
          int input = inputs[i];
          byPlace[first + i] = Mixer.learned(byPlace[first + i], input * placeStep);
          byOpinion[second + i] = Mixer.learned(byOpinion[second + i], input * opinionStep);
        }
      }
    }
    int[] next = nextSlots;
    nextSlots = slots;
    slots = next;
    inputs[0] = opinions[0];
    inputs[1] = opinions[1];
    inputs[2] = opinions[2];
    for (int i = 0; i < CONTEXTS; i++) {
      inputs[OPINIONS + i] = Logistic.logOdds(counted.get(next[i]));
    }
    int set = place & (SETS - 1);
    int bold =
        (Math.min(7, Math.abs(opinions[0]) >> 7) << 3) | Math.min(7, Math.abs(opinions[1]) >> 7);
    int first = set * INPUTS;
    int second = (((((place >> 5) & 63) << 6) | bold) & (SETS - 1)) * INPUTS;
    int firstSum = 0;
    int secondSum = 0;
    for (int i = 0; i < INPUTS; i++) {
      int input = inputs[i];
      firstSum += (input * byPlace[first + i]) >> 8;
      secondSum += (input * byOpinion[second + i]) >> 8;
    }
    firstSum = Logistic.clamp(firstSum >> 8);
    secondSum = Logistic.clamp(secondSum >> 8);
    placeAt = first;
    opinionAt = second;
    placeProbability = Logistic.probability(firstSum);
    opinionProbability = Logistic.probability(secondSum);
    int mixed = Logistic.clamp((firstSum + secondSum) >> 1);
    int refined = (3 * Logistic.probability(mixed) + refinement.refine(mixed, set) + 2) >> 2;
    trustAt = set;
    firstProbability = Logistic.probability(opinions[0]);
    int probability = refined + (((firstProbability - refined) * trusts[set]) >> TRUST_BITS);
    codedProbability = Math.max(1, Math.min(Logistic.ONE - 1, probability));
    lastBit = coder.code(bit, codedProbability);
    begun = true;
    return lastBit;
  }
}
