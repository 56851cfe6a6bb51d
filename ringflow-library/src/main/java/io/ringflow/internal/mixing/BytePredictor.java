package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Says how likely the next bit is to be one, having seen all bits before, and learns from it.
 *
 * <p>A byte is eight decisions, the highest bit first. For each of them every context (see {@link
 * ByteContexts}) has a say. It gets there in two steps, and the detour is what makes it good. A
 * context does not keep a probability but a {@linkplain BitHistory history} of one byte: how many
 * zeros and ones followed it, and which came last. What such a history is worth is learned, for all
 * contexts of the same kind together: after a word that was seen twice and both times went on with
 * the same letter, how often does it a third time? No formula knows, and it is not the same for
 * texts as for programs, nor for three letters as for eight; {@link AdaptiveProbabilities} find it
 * out within a few thousand bytes.
 *
 * <p>The opinions are added as log-odds, times weights. Log-odds because there a certain opinion
 * outweighs many vague ones, and because the weights' gradient is then just input times error. A
 * {@link Mixer} learns the weights as it goes, and has many sets of them. Three mixers choose their
 * set by different things: by the bits of the byte so far; by those and the byte before; by how
 * many lengths of context have been seen before, and how long the present match is. A last mixer
 * weighs the three, by the byte before. Then a {@link Refinement} corrects what is systematically
 * too bold or too timid, and the mean of both is the result.
 *
 * <p>Nothing here is random or rounded by a machine's habits: the same bytes give the same
 * probabilities everywhere. Nor does anything distinguish training from use. Bytes seen before
 * coding begins have merely been learned earlier; that is what a model by counting is.
 *
 * <p>Much of the time it waits for memory, of which it takes {@link #bytes}. For one thread.
 */
public final class BytePredictor {
  /** The smallest table, as a logarithm of its slots of 16 bytes. */
  public static final int MIN_SLOT_BITS = 12;

  /** The largest table: 1 GB. */
  public static final int MAX_SLOT_BITS = 26;

  private static final int CONTEXTS = ByteContexts.COUNT;
  private static final int INPUTS = CONTEXTS + 3; // order 0, the match and a constant
  private static final int BIAS = 256;
  private static final int MIXERS = 3;
  private static final int NODES = ContextHistories.NODES;
  private static final int PAIRS = NODES * NODES;

  private final int slotBits;
  private final ContextHistories histories;
  private final ByteContexts contexts;
  private final MatchModel match;
  private final Mixer[] mixers; // by node; by node and the byte before; by what is known
  private final Mixer last;
  private final Refinement refinement;

  private final int[] inputs = new int[INPUTS];
  private final int[] sets = new int[MIXERS];
  private final int[] mixed = new int[MIXERS + 1]; // the last stays 0

  /**
   * A predictor that has seen nothing.
   *
   * @param slotBits logarithm of the table's slots, {@link #MIN_SLOT_BITS} to {@link
   *     #MAX_SLOT_BITS}; other tables grow with it
   */
  public BytePredictor(int slotBits) {
    if (slotBits < MIN_SLOT_BITS || slotBits > MAX_SLOT_BITS) {
      throw new IllegalArgumentException(
          "slotBits must be " + MIN_SLOT_BITS + " to " + MAX_SLOT_BITS + ", but is " + slotBits);
    }
    this.slotBits = slotBits;
    histories = new ContextHistories(slotBits);
    contexts = new ByteContexts();
    match = new MatchModel(slotBits + 1, Math.max(MIN_SLOT_BITS, slotBits - 4));
    int known = (ByteContexts.ORDERS + 1) * MatchModel.LENGTH_CLASSES * Byte.SIZE;
    mixers = new Mixer[] {mixer(NODES), mixer(PAIRS), mixer(known)};
    last = new Mixer(mixed.length, NODES, (1 << 16) / MIXERS, 2, 0);
    refinement = new Refinement(PAIRS);
    inputs[INPUTS - 1] = BIAS;
  }

  private static Mixer mixer(int contexts) {
    return new Mixer(INPUTS, contexts, 18_000, 3, 1280);
  }

  private BytePredictor(BytePredictor other) {
    slotBits = other.slotBits;
    histories = other.histories.copy();
    contexts = other.contexts.copy();
    match = other.match.copy();
    mixers = Arrays.stream(other.mixers).map(Mixer::copy).toArray(Mixer[]::new);
    last = other.last.copy();
    refinement = other.refinement.copy();
    inputs[INPUTS - 1] = BIAS;
  }

  /** A predictor of its own that has learned the same; call between bytes. */
  public BytePredictor copy() {
    return new BytePredictor(this);
  }

  /** How much memory a predictor takes, about. */
  public static long bytes(int slotBits) {
    return (18L << slotBits) + (9L << 20);
  }

  /** Logarithm of the table's slots. */
  public int slotBits() {
    return slotBits;
  }

  /** The probability that the next bit is one, of 2^16: 1 to 65535. */
  public int probability() {
    if (histories.isBetweenBytes()) {
      histories.begin(contexts, match);
    }
    int seen = Integer.bitCount(histories.logOdds(inputs) & ByteContexts.OF_ORDERS);
    int node = histories.node();
    int shift = histories.shift();
    inputs[CONTEXTS + 1] = match.logOdds(shift);
    int pair = ((contexts.recent() & 0xFF) << 8) | node;
    sets[0] = node;
    sets[1] = pair;
    sets[2] = (seen * MatchModel.LENGTH_CLASSES + match.lengthClass()) * Byte.SIZE + shift;
    Mixer.mixThree(inputs, mixers, sets, mixed);
    int logOdds = last.mix(mixed, pair >> 8);
    int refined = refinement.refine(logOdds, pair);
    return (Logistic.probability(logOdds) + refined + 1) >> 1;
  }

  /** Learns from the bit that came after {@link #probability}. */
  public void update(int bit) {
    last.update(mixed, bit);
    for (Mixer mixer : mixers) {
      mixer.update(inputs, bit);
    }
    refinement.update(bit);
    match.update(histories.shift(), bit);
    int value = histories.update(bit);
    if (value >= 0) {
      match.append(value);
      contexts.append(value);
    }
  }

  /** Learns from a byte. */
  public void learn(int value) {
    for (int shift = 7; shift >= 0; shift--) {
      probability();
      update((value >> shift) & 1);
    }
  }

  /** Writes all that was learned; call between bytes. */
  public void write(DataOutput out) throws IOException {
    contexts.write(out);
    match.write(out);
    histories.writeProbabilities(out);
    for (Mixer mixer : mixers) {
      mixer.write(out);
    }
    last.write(out);
    refinement.write(out);
    histories.writeTable(out);
  }

  /** Reads what {@link #write} wrote, for a table of the same size. */
  public static BytePredictor read(int slotBits, DataInput in) throws IOException {
    var predictor = new BytePredictor(slotBits);
    predictor.contexts.read(in);
    predictor.match.read(in);
    predictor.histories.readProbabilities(in);
    for (Mixer mixer : predictor.mixers) {
      mixer.read(in);
    }
    predictor.last.read(in);
    predictor.refinement.read(in);
    predictor.histories.readTable(in);
    return predictor;
  }
}
