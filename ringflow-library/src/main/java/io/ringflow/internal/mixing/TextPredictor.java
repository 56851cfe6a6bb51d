package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Says how likely the next bit of a text is to be one, by an opinion from elsewhere (that of a
 * network) and by what was counted, and learns from it.
 *
 * <p>The same idea as {@link BytePredictor}, with time to be more thorough: eight contexts have
 * probabilities of their own beside the histories, which forget less; the opinion goes in as it is,
 * and as what came of such opinions before; eight mixers choose their weights by different things,
 * among them the opinion; two more weigh the eight, and two refinements correct the result.
 *
 * <p>Several texts may be read by turns ({@link Place}), byte by byte. They share all that is
 * learned; each has its own contexts.
 *
 * <p>Integers only: the same on every machine. Cost: about 7 microseconds a byte. Memory: {@link
 * #bytes}. For one thread.
 */
public final class TextPredictor {
  /** The smallest table, as a logarithm of its slots of 16 bytes. */
  public static final int MIN_SLOT_BITS = 16;

  /** The largest table: 1 GB. */
  public static final int MAX_SLOT_BITS = 26;

  private static final int CONTEXTS = ByteContexts.COUNT;
  private static final int DIRECT = ByteContexts.DIRECT;
  private static final int MATCH = CONTEXTS + 1; // behind the bits of the byte alone
  private static final int OPINION = MATCH + 1;
  private static final int FIRST_DIRECT = OPINION + 2;
  private static final int INPUTS = (FIRST_DIRECT + DIRECT + 1 + 3) / 4 * 4;
  private static final int BIAS = 256;
  private static final int NODES = ContextHistories.NODES;
  private static final int PAIRS = NODES * NODES;
  private static final int WORD_LENGTHS = 16;
  private static final int OPINIONS = 32;
  private static final int OPINION_SHIFT = 6;

  /** How many sets of weights each mixer has. */
  private static final int[] SETS = {
    NODES,
    PAIRS,
    (ByteContexts.ORDERS + 1) * MatchModel.LENGTH_CLASSES * Byte.SIZE,
    PAIRS,
    WORD_LENGTHS * NODES,
    PAIRS,
    OPINIONS * NODES,
    PAIRS
  };

  private static final int START = 10_000; // of all weights, of 2^16
  private static final int RATE = 2;
  private static final int MIN_ERROR = 128;

  private final int slotBits;
  private final int directBits;
  private final ContextHistories histories;
  private final MatchModel match;
  private final AdaptiveProbabilities direct;
  private final Mixer[] mixers;
  private final Mixer lastByByte;
  private final Mixer lastByWord;
  private final Refinement opinions;
  private final Refinement byPair;
  private final Refinement byTwo;
  private Place place;

  private final int[] directHashes = new int[DIRECT];
  private final int[] directSlots = new int[DIRECT];
  private final int[] inputs = new int[INPUTS];
  private final int[] sets = new int[SETS.length];
  private final int[] mixed = new int[SETS.length];

  /** Where one of several texts that are read by turns has got to. */
  public static final class Place {
    private final ByteContexts contexts;
    private MatchModel.Cursor cursor;

    private Place(ByteContexts contexts, MatchModel.Cursor cursor) {
      this.contexts = contexts;
      this.cursor = cursor;
    }
  }

  /**
   * A predictor that has seen nothing.
   *
   * @param slotBits logarithm of the table's slots, {@link #MIN_SLOT_BITS} to {@link
   *     #MAX_SLOT_BITS}
   */
  public TextPredictor(int slotBits) {
    if (slotBits < MIN_SLOT_BITS || slotBits > MAX_SLOT_BITS) {
      throw new IllegalArgumentException(
          "slotBits must be " + MIN_SLOT_BITS + " to " + MAX_SLOT_BITS + ", but is " + slotBits);
    }
    this.slotBits = slotBits;
    directBits = slotBits + 1;
    histories = new ContextHistories(slotBits);
    match = new MatchModel(slotBits + 1, slotBits - 4);
    direct = new AdaptiveProbabilities(1 << directBits);
    mixers =
        Arrays.stream(SETS)
            .mapToObj(count -> new Mixer(INPUTS, count, START, RATE, MIN_ERROR))
            .toArray(Mixer[]::new);
    lastByByte = new Mixer(SETS.length, NODES, (1 << 16) / SETS.length, 2, 0);
    lastByWord = new Mixer(SETS.length, WORD_LENGTHS * NODES, (1 << 16) / SETS.length, 2, 0);
    opinions = new Refinement(PAIRS);
    byPair = new Refinement(PAIRS);
    byTwo = new Refinement(PAIRS);
    place = new Place(new ByteContexts(), match.cursor());
    inputs[INPUTS - 1] = BIAS;
  }

  private TextPredictor(TextPredictor other) {
    slotBits = other.slotBits;
    directBits = other.directBits;
    histories = other.histories.copy(ReusedTables.NONE);
    match = other.match.copy(ReusedTables.NONE);
    direct = other.direct.copy();
    mixers = Arrays.stream(other.mixers).map(Mixer::copy).toArray(Mixer[]::new);
    lastByByte = other.lastByByte.copy();
    lastByWord = other.lastByWord.copy();
    opinions = other.opinions.copy();
    byPair = other.byPair.copy();
    byTwo = other.byTwo.copy();
    place = new Place(other.place.contexts.copy(), match.cursor());
    inputs[INPUTS - 1] = BIAS;
  }

  /** A predictor of its own that has learned the same; call between bytes. */
  public TextPredictor copy() {
    return new TextPredictor(this);
  }

  /** How much memory a predictor takes, about. */
  public static long bytes(int slotBits) {
    return (27L << slotBits) + (50L << 20);
  }

  /** A table that is large enough for a text, of which copies fit the memory too. */
  public static int slotBits(long textBytes) {
    int wanted = Long.SIZE - Long.numberOfLeadingZeros(textBytes) + 3;
    int suiting = TableSize.slotBits(textBytes, bits -> 2 * bytes(bits));
    return Math.max(MIN_SLOT_BITS, Math.min(suiting, wanted));
  }

  /** Logarithm of the table's slots. */
  public int slotBits() {
    return slotBits;
  }

  /** How many bytes texts that are read by turns may have together. */
  public int maxTogether() {
    return match.window() / 2;
  }

  /** A text that begins so many bytes behind the present place, with what is known there. */
  public Place behind(int bytes) {
    return new Place(
        place.contexts.copy(), bytes == 0 ? match.cursor() : match.cursor().behind(bytes));
  }

  /** Continues with another text; call between bytes. */
  public void moveTo(Place next) {
    if (next != place) {
      place.cursor = match.cursor();
      place = next;
      match.moveTo(next.cursor);
    }
  }

  /**
   * The probability that the next bit is one, of 2^16: 1 to 65535.
   *
   * @param opinion log-odds of a one in units of 1/256, within ±12; 0 where there is none
   */
  public int probability(int opinion) {
    if (histories.isBetweenBytes()) {
      histories.begin(place.contexts, match);
      place.contexts.hashDirect(directHashes);
    }
    int known = histories.logOdds(inputs);
    int seen = Integer.bitCount(known & ByteContexts.OF_ORDERS);
    int node = histories.node();
    for (int i = 0; i < DIRECT; i++) {
      int hash = (directHashes[i] + node * 0x9E3779B1) * 0x85EBCA6B;
      directSlots[i] = hash >>> (Integer.SIZE - directBits);
      inputs[FIRST_DIRECT + i] = Logistic.logOdds(direct.get(directSlots[i]));
    }
    int shift = histories.shift();
    int recent = place.contexts.recent();
    int pair = ((recent & 0xFF) << 8) | node;
    inputs[MATCH] = match.logOdds(shift);
    inputs[OPINION] = opinion;
    inputs[OPINION + 1] = Logistic.logOdds(opinions.refine(Logistic.clamp(opinion), pair));
    int wordAndNode = (Math.min(WORD_LENGTHS - 1, place.contexts.wordLength()) << 8) | node;
    int bounded = OPINIONS / 2 - 1;
    sets[0] = node;
    sets[1] = pair;
    sets[2] = (seen * MatchModel.LENGTH_CLASSES + match.lengthClass()) * Byte.SIZE + shift;
    sets[3] = (recent & 0xFF00) | node;
    sets[4] = wordAndNode;
    sets[5] = (match.expected() << 8) | node;
    sets[6] =
        ((Math.max(-bounded, Math.min(bounded, opinion >> OPINION_SHIFT)) + OPINIONS / 2) << 8)
            | node;
    sets[7] = (((known >> 2) & 0xFF) << 8) | node;
    for (int i = 0; i < mixers.length; i++) {
      mixed[i] = mixers[i].mix(inputs, sets[i]);
    }
    int logOdds = (lastByByte.mix(mixed, pair >> 8) + lastByWord.mix(mixed, wordAndNode)) >> 1;
    int two = ((((recent & 0xFFFF) * 0x9E3779B1) >>> 8) + node * 0x85EBCA6B) >>> 16;
    int refined = byPair.refine(logOdds, pair) + byTwo.refine(logOdds, two);
    int probability = (2 * Logistic.probability(logOdds) + refined + 2) >> 2;
    return Math.max(1, Math.min(Logistic.ONE - 1, probability));
  }

  /** Learns from the bit that came after {@link #probability}. */
  public void update(int bit) {
    lastByByte.update(mixed, bit);
    lastByWord.update(mixed, bit);
    for (Mixer mixer : mixers) {
      mixer.update(inputs, bit);
    }
    opinions.update(bit);
    byPair.update(bit);
    byTwo.update(bit);
    for (int slot : directSlots) {
      direct.update(slot, bit);
    }
    match.update(histories.shift(), bit);
    int value = histories.update(bit);
    if (value >= 0) {
      match.append(value);
      place.contexts.append(value);
    }
  }

  /** Learns from bytes without an opinion. */
  public void learn(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      for (int shift = 7; shift >= 0; shift--) {
        probability(0);
        update((bytes[i] >> shift) & 1);
      }
    }
  }

  /** Writes all that was learned; call between bytes. */
  public void write(DataOutput out) throws IOException {
    place.contexts.write(out);
    match.write(out);
    histories.writeProbabilities(out);
    for (Mixer mixer : mixers) {
      mixer.write(out);
    }
    lastByByte.write(out);
    lastByWord.write(out);
    opinions.write(out);
    byPair.write(out);
    byTwo.write(out);
    direct.writeCompact(out);
    histories.writeTable(out);
  }

  /** Reads what {@link #write} wrote, for a table of the same size. */
  static TextPredictor read(int slotBits, DataInput in) throws IOException {
    var predictor = new TextPredictor(slotBits);
    predictor.place.contexts.read(in);
    predictor.match.read(in);
    predictor.histories.readProbabilities(in);
    for (Mixer mixer : predictor.mixers) {
      mixer.read(in);
    }
    predictor.lastByByte.read(in);
    predictor.lastByWord.read(in);
    predictor.opinions.read(in);
    predictor.byPair.read(in);
    predictor.byTwo.read(in);
    predictor.direct.readCompact(in);
    predictor.histories.readTable(in);
    return predictor;
  }
}
