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
 * <p>Histories forget. Contexts that are frequent, the last three to five bytes and the word, have
 * {@linkplain DirectProbabilities probabilities} too.
 *
 * <p>The opinions are added as log-odds, times weights. Log-odds because there a certain opinion
 * outweighs many vague ones, and because the weights' gradient is then just input times error. A
 * {@link Mixer} learns the weights as it goes, fast at first, and has many sets of them. Three
 * mixers choose their set by different things: by the bits of the byte so far, with how long the
 * word is, and with the byte before; by how many lengths of context have been seen before, and how
 * long the present match is. Two last mixers weigh the three, by the byte before and by how long
 * the word is. Then two {@link Refinement}s, by one byte before and by two, correct what is
 * systematically too bold or too timid, and the mean of all is the result.
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
  private static final int MATCH = CONTEXTS + 1; // behind the bits of the byte alone
  private static final int FIRST_DIRECT = MATCH + 1;
  private static final int INPUTS = FIRST_DIRECT + DirectProbabilities.COUNT + 1;
  private static final int BIAS = 256;
  private static final int MIN_DIRECT_BITS = 18;
  private static final int MIXERS = 3;
  private static final int WORD_LENGTHS = 16;
  private static final int NODES = ContextHistories.NODES;
  private static final int PAIRS = NODES * NODES;

  private static final int START = 10_000; // of all weights, of 2^16
  private static final int RATE = 2;
  private static final int MIN_ERROR = 256;

  /** How much faster weights are learned at first; half of it is left after so many bytes. */
  private static final int FIRST_RATE = 14;

  private static final int HALF_LIFE = 1 << 16;

  /** From here on there is nothing left of it. */
  private static final int MAX_SEEN = FIRST_RATE * HALF_LIFE;

  private final int slotBits;
  private final ContextHistories histories;
  private final DirectProbabilities direct;
  private final ByteContexts contexts;
  private final MatchModel match;
  private final Mixer[]
      mixers; // by node and length of the word; and the byte before; by what is known
  private final Mixer lastByByte;
  private final Mixer lastByWord;
  private final Refinement byPair;
  private final Refinement byTwo;
  private int seen; // bytes, up to a limit

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
    direct = new DirectProbabilities(Math.max(MIN_DIRECT_BITS, slotBits - 1));
    contexts = new ByteContexts();
    match = new MatchModel(slotBits + 1, Math.max(MIN_SLOT_BITS, slotBits - 4));
    int known = (ByteContexts.ORDERS + 1) * MatchModel.LENGTH_CLASSES * Byte.SIZE;
    mixers = new Mixer[] {mixer(WORD_LENGTHS * NODES), mixer(PAIRS), mixer(known)};
    lastByByte = lastMixer(NODES);
    lastByWord = lastMixer(WORD_LENGTHS);
    byPair = new Refinement(PAIRS);
    byTwo = new Refinement(PAIRS);
    inputs[INPUTS - 1] = BIAS;
    chooseRate();
  }

  private static Mixer mixer(int contexts) {
    return new Mixer(INPUTS, contexts, START, RATE, MIN_ERROR);
  }

  private static Mixer lastMixer(int contexts) {
    return new Mixer(MIXERS + 1, contexts, (1 << 16) / MIXERS, 2, 0);
  }

  private BytePredictor(BytePredictor other, ReusedTables tables) {
    slotBits = other.slotBits;
    histories = other.histories.copy(tables);
    direct = other.direct.copy(tables);
    contexts = other.contexts.copy();
    match = other.match.copy(tables);
    mixers = Arrays.stream(other.mixers).map(Mixer::copy).toArray(Mixer[]::new);
    lastByByte = other.lastByByte.copy();
    lastByWord = other.lastByWord.copy();
    byPair = other.byPair.copy();
    byTwo = other.byTwo.copy();
    seen = other.seen;
    inputs[INPUTS - 1] = BIAS;
  }

  private void chooseRate() {
    int rate = RATE + FIRST_RATE * HALF_LIFE / (HALF_LIFE + seen);
    for (Mixer mixer : mixers) {
      mixer.setRate(rate);
    }
  }

  /** A predictor of its own that has learned the same; call between bytes. */
  public BytePredictor copy() {
    return copy(ReusedTables.NONE);
  }

  /** The same, in memory that the copy before need not have any more. */
  public BytePredictor copy(ReusedTables tables) {
    return new BytePredictor(this, tables);
  }

  /** How much memory a predictor takes, about. */
  public static long bytes(int slotBits) {
    return ((16L + 2 + 2) << slotBits) + (14L << 20); // slots, window, direct; weights and curves
  }

  /** Logarithm of the table's slots. */
  public int slotBits() {
    return slotBits;
  }

  /** The probability that the next bit is one, of 2^16: 1 to 65535. */
  public int probability() {
    if (histories.isBetweenBytes()) {
      histories.begin(contexts, match);
      direct.begin(contexts);
    }
    int known = Integer.bitCount(histories.logOdds(inputs) & ByteContexts.OF_ORDERS);
    int node = histories.node();
    int shift = histories.shift();
    inputs[MATCH] = match.logOdds(shift);
    direct.logOdds(inputs, FIRST_DIRECT);
    int recent = contexts.recent();
    int pair = ((recent & 0xFF) << 8) | node;
    int wordLength = Math.min(WORD_LENGTHS - 1, contexts.wordLength());
    sets[0] = (wordLength << 8) | node;
    sets[1] = pair;
    sets[2] = (known * MatchModel.LENGTH_CLASSES + match.lengthClass()) * Byte.SIZE + shift;
    Mixer.mixThree(inputs, mixers, sets, mixed);
    int logOdds = (lastByByte.mix(mixed, pair >> 8) + lastByWord.mix(mixed, wordLength)) >> 1;
    int two = ((((recent & 0xFFFF) * 0x9E3779B1) >>> 8) + node * 0x85EBCA6B) >>> 16;
    int refined = byPair.refine(logOdds, pair) + byTwo.refine(logOdds, two);
    return (2 * Logistic.probability(logOdds) + refined + 2) >> 2;
  }

  /** Learns from the bit that came after {@link #probability}. */
  public void update(int bit) {
    lastByByte.update(mixed, bit);
    lastByWord.update(mixed, bit);
    for (Mixer mixer : mixers) {
      mixer.update(inputs, bit);
    }
    byPair.update(bit);
    byTwo.update(bit);
    direct.update(bit);
    match.update(histories.shift(), bit);
    int value = histories.update(bit);
    if (value >= 0) {
      match.append(value);
      contexts.append(value);
      if (seen < MAX_SEEN) {
        seen++;
        chooseRate();
      }
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
    out.writeInt(seen);
    contexts.write(out);
    match.write(out);
    histories.writeProbabilities(out);
    for (Mixer mixer : mixers) {
      mixer.write(out);
    }
    lastByByte.write(out);
    lastByWord.write(out);
    byPair.write(out);
    byTwo.write(out);
    direct.write(out);
    histories.writeTable(out);
  }

  /** Reads what {@link #write} wrote, for a table of the same size. */
  public static BytePredictor read(int slotBits, DataInput in) throws IOException {
    var predictor = new BytePredictor(slotBits);
    predictor.seen = Math.max(0, Math.min(MAX_SEEN, in.readInt()));
    predictor.chooseRate();
    predictor.contexts.read(in);
    predictor.match.read(in);
    predictor.histories.readProbabilities(in);
    for (Mixer mixer : predictor.mixers) {
      mixer.read(in);
    }
    predictor.lastByByte.read(in);
    predictor.lastByWord.read(in);
    predictor.byPair.read(in);
    predictor.byTwo.read(in);
    predictor.direct.read(in);
    predictor.histories.readTable(in);
    return predictor;
  }
}
