package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.mixing.BitCoder;
import io.ringflow.internal.mixing.FlagCoding;
import io.ringflow.internal.mixing.TextPredictor;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Bytes coded by a network's probabilities of symbols and by what was counted, mixed.
 *
 * <p>A text is cut into streams that are coded by turns, symbol after symbol, so that the network
 * computes all of them in one batch. All streams learn from each other: they share one {@link
 * TextPredictor}, and each has its own contexts, which reach back over the rows of the network. A
 * byte that is of no symbol is coded by the counts; the network does not hear of it.
 *
 * <pre>
 *   streams, 0 for one without the network
 *   code, part after part; in each, row after row of the network, turn after turn:
 *     before every 16 turns the offset of the log-odds
 *     for each stream: the bytes up to the end of the next symbol
 * </pre>
 *
 * <p>The network's log-odds of bits are guarded ({@link OddsGuard}); all else is of integers.
 */
public final class MixedBlocks {
  /** Turns that share an offset. */
  private static final int RUN = 16;

  /** The most streams that a text is cut into. */
  public static final int MAX_STREAMS = 4096;

  private static final int MAX_PART = 1 << 22;
  private static final int PIECE = 1 << 14;

  /** Shorter streams would begin too often. */
  private static final int MIN_STREAM_BYTES = 1024;

  private final Conditionals conditionals;
  private final byte[][] spellings;
  private final int maxStreams;
  private final int turns;

  /**
   * Codes with a model by the counts alone: streams cost more than a small network gained.
   *
   * @param spellings the bytes of each symbol; none for one that nothing stands for
   */
  public MixedBlocks(Conditionals conditionals, byte[][] spellings) {
    this(conditionals, spellings, 0);
  }

  /**
   * Codes with a model.
   *
   * @param spellings the bytes of each symbol; none for one that nothing stands for
   * @param maxStreams that the network computes in one batch; 0 to write without it
   */
  public MixedBlocks(Conditionals conditionals, byte[][] spellings, int maxStreams) {
    this.conditionals = conditionals;
    this.spellings = spellings;
    this.maxStreams = maxStreams;
    this.turns = conditionals.turns().size();
  }

  /** Whether a model's symbols come from left to right, one by one. */
  public static boolean fits(Conditionals conditionals) {
    int[] starts = conditionals.groupStarts();
    boolean fits = starts.length == conditionals.turns().size() + 1;
    for (int turn = 0; fits && turn < starts.length - 1; turn++) {
      fits = conditionals.position(turn) == turn;
    }
    return fits;
  }

  private int streams(int length) {
    return Math.min(maxStreams, Math.max(1, length / MIN_STREAM_BYTES));
  }

  /** One of several texts that are coded by turns. */
  private static final class Stream {
    private final TextPredictor.Place place;
    private final int start;
    private final int end;
    private int at;

    Stream(TextPredictor.Place place, int start, int end) {
      this.place = place;
      this.start = start;
      this.end = end;
      this.at = start;
    }
  }

  private static Stream[] streams(int length, int count, TextPredictor predictor) {
    Stream[] streams = new Stream[Math.min(Math.max(1, count), length)];
    for (int i = 0; i < streams.length; i++) {
      int start = (int) ((long) length * i / streams.length);
      int end = (int) ((long) length * (i + 1) / streams.length);
      streams[i] = new Stream(predictor.behind(start), start, end);
    }
    return streams;
  }

  private static int partLength(int left, TextPredictor predictor) {
    return Math.min(left, Math.min(MAX_PART, predictor.maxTogether()));
  }

  /**
   * Writes bytes, and learns from them.
   *
   * @param progress in bytes; ends the work by an exception
   * @return false if that can't be done safely, which hardly ever happens; what is written is then
   *     useless
   */
  public boolean write(
      byte[] bytes, TextPredictor predictor, ByteWriter out, ProgressListener progress) {
    int count = streams(bytes.length);
    out.number(count);
    var coder = BitCoder.writing();
    var coding = new PartCoding(coder, predictor);
    for (int from = 0; from < bytes.length; ) {
      int length = partLength(bytes.length - from, predictor);
      byte[] part = Arrays.copyOfRange(bytes, from, from + length);
      Stream[] streams = streams(length, count, predictor);
      ProgressListener own = part(progress, from, bytes.length);
      if (count == 0) {
        coding.withoutNetwork(part, streams[0], own);
      } else if (!write(part, streams, coding, own)) {
        return false;
      }
      predictor.moveTo(streams[streams.length - 1].place); // the next part follows the last stream
      from += length;
    }
    progress.done(bytes.length, bytes.length);
    out.bytes(coder.finish());
    return true;
  }

  private static ProgressListener part(ProgressListener progress, int from, int length) {
    return (done, total) -> progress.done(from + done, length);
  }

  private boolean write(
      byte[] part, Stream[] streams, PartCoding coding, ProgressListener progress) {
    var parser = new SpellingOdds(spellings);
    while (isOpen(streams)) {
      progress.done(done(streams), part.length);
      int[][] rows = new int[streams.length][turns];
      int[][] ends = new int[streams.length][turns + 1]; // behind the bytes of each turn
      double[][] odds = new double[streams.length][];
      for (int s = 0; s < streams.length; s++) {
        parse(part, streams[s], rows[s], ends[s], parser);
        odds[s] = new double[(ends[s][turns] - ends[s][0]) * Byte.SIZE];
      }
      var walk = new SpellingOdds(spellings);
      conditionals.visit(
          rows,
          (row, turn, symbol, logProbs, from) -> {
            if (ends[row][turn] < ends[row][turn + 1]) {
              walk.take(logProbs, from);
              follow(part, ends[row], turn, walk, odds[row]);
            }
          });
      for (int turn = 0; turn < turns; turn += RUN) {
        int end = Math.min(turns, turn + RUN);
        int offset = safeOffset(ends, odds, turn, end);
        if (offset < 0) {
          return false;
        }
        coding.offset(offset);
        for (int t = turn; t < end; t++) {
          for (int s = 0; s < streams.length; s++) {
            coding.write(part, streams[s], ends[s], t, odds[s]);
          }
        }
      }
    }
    return true;
  }

  private static boolean isOpen(Stream[] streams) {
    return Arrays.stream(streams).anyMatch(stream -> stream.at < stream.end);
  }

  private static int done(Stream[] streams) {
    return Arrays.stream(streams).mapToInt(stream -> stream.at - stream.start).sum();
  }

  /** Finds the symbols of a stream's next row. */
  private static void parse(
      byte[] part, Stream stream, int[] row, int[] ends, SpellingOdds parser) {
    int at = stream.at;
    ends[0] = at;
    for (int turn = 0; turn < row.length; turn++) {
      parser.restart();
      int symbol = SpellingOdds.OPEN;
      while (symbol < 0 && at < stream.end) {
        symbol = parser.ofByte(part[at++] & 0xFF);
      }
      row[turn] = Math.max(0, symbol);
      ends[turn + 1] = at;
    }
  }

  private static void follow(byte[] part, int[] ends, int turn, SpellingOdds walk, double[] odds) {
    int next = (ends[turn] - ends[0]) * Byte.SIZE;
    for (int at = ends[turn]; at < ends[turn + 1]; at++) {
      for (int shift = 7; shift >= 0; shift--) {
        odds[next++] = walk.next();
        walk.bit((part[at] >> shift) & 1);
      }
      walk.endByte();
    }
  }

  private static int safeOffset(int[][] ends, double[][] odds, int turn, int end) {
    for (int offset = 0; offset < OddsGuard.OFFSETS; offset++) {
      boolean safe = true;
      for (int s = 0; s < odds.length && safe; s++) {
        int first = (ends[s][turn] - ends[s][0]) * Byte.SIZE;
        int last = (ends[s][end] - ends[s][0]) * Byte.SIZE;
        for (int i = first; i < last && safe; i++) {
          safe = OddsGuard.isSafe(odds[s][i], offset);
        }
      }
      if (safe) {
        return offset;
      }
    }
    return -1;
  }

  /** Codes bits: the same calls on both sides. */
  private static final class PartCoding {
    private final BitCoder coder;
    private final TextPredictor predictor;
    private final FlagCoding offsets = new FlagCoding(OddsGuard.OFFSETS);
    private int offset;

    PartCoding(BitCoder coder, TextPredictor predictor) {
      this.coder = coder;
      this.predictor = predictor;
    }

    void offset(int wanted) {
      offset = offsets.number(coder, wanted, OddsGuard.OFFSET_BITS, 0);
    }

    private int code(int bit, double odds) {
      int probability = predictor.probability(OddsGuard.rounded(odds, offset));
      int coded = coder.code(bit, probability);
      predictor.update(coded);
      return coded;
    }

    /** Writes or reads a part that is one stream; a reader fills it. */
    void withoutNetwork(byte[] part, Stream stream, ProgressListener progress) {
      predictor.moveTo(stream.place);
      for (int at = stream.start; at < stream.end; at++) {
        if (at % PIECE == 0) {
          progress.done(at, part.length);
        }
        int value = 0;
        for (int shift = 7; shift >= 0; shift--) {
          value = (value << 1) | code((part[at] >> shift) & 1, 0);
        }
        part[at] = (byte) value;
      }
    }

    void write(byte[] part, Stream stream, int[] ends, int turn, double[] odds) {
      int next = (ends[turn] - ends[0]) * Byte.SIZE;
      if (ends[turn] < ends[turn + 1]) {
        predictor.moveTo(stream.place);
      }
      for (int at = ends[turn]; at < ends[turn + 1]; at++) {
        for (int shift = 7; shift >= 0; shift--) {
          code((part[at] >> shift) & 1, odds[next++]);
        }
      }
      stream.at = ends[turn + 1];
    }

    int read(byte[] part, Stream stream, SpellingOdds walk) {
      predictor.moveTo(stream.place);
      int symbol = SpellingOdds.OPEN;
      while (symbol < 0 && stream.at < stream.end) {
        int value = 0;
        for (int i = 0; i < Byte.SIZE; i++) {
          int bit = code(0, walk.next());
          walk.bit(bit);
          value = (value << 1) | bit;
        }
        part[stream.at++] = (byte) value;
        symbol = walk.endByte();
      }
      return Math.max(0, symbol);
    }
  }

  /**
   * Reads bytes, and learns from them.
   *
   * @param length how many there are, as the container claims
   * @param predictor in the same state as when they were written
   * @param progress in bytes; ends the work by an exception
   */
  public byte[] read(ByteReader in, int length, TextPredictor predictor, ProgressListener progress)
      throws CompressedFormatException {
    int count = in.number("the number of streams", MAX_STREAMS);
    var coder = BitCoder.reading(in.bytes("the code", in.remaining()));
    var coding = new PartCoding(coder, predictor);
    var out = new ByteArrayOutputStream(); // grows with what is really there
    try {
      while (out.size() < length) {
        byte[] part = new byte[partLength(length - out.size(), predictor)];
        Stream[] streams = streams(part.length, count, predictor);
        ProgressListener own = part(progress, out.size(), length);
        if (count == 0) {
          coding.withoutNetwork(part, streams[0], own);
        } else {
          read(part, streams, coding, own);
        }
        predictor.moveTo(streams[streams.length - 1].place);
        out.writeBytes(part);
      }
    } catch (UncheckedIOException e) {
      throw BlocksAtOnce.damage(e);
    }
    coder.finish();
    progress.done(length, length);
    return out.toByteArray();
  }

  private void read(byte[] part, Stream[] streams, PartCoding coding, ProgressListener progress) {
    var walk = new SpellingOdds(spellings);
    while (isOpen(streams)) {
      progress.done(done(streams), part.length);
      conditionals.choose(
          streams.length,
          (row, turn, logProbs, from) -> {
            if (row == 0 && turn % RUN == 0) {
              Interruption.check();
              coding.offset(0);
            }
            if (streams[row].at == streams[row].end) {
              return 0;
            }
            walk.take(logProbs, from);
            return coding.read(part, streams[row], walk);
          });
    }
  }
}
