package io.ringflow.text;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.PartialRows;
import io.ringflow.internal.fit.ConditionalSampler;
import io.ringflow.model.Architecture;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An exact model of a text: of its characters, or of its bytes.
 *
 * <p>A text is cut into pieces of {@link #length} symbols, each modelled by itself; the last,
 * shorter piece has a distribution of its own, so that the probabilities of all texts of a length
 * sum to one. Characters that training did not know have no probability; scores leave them out and
 * say how many there were, and compression writes them as they are.
 *
 * <p>Safe from several threads at once; closing waits for calls in progress.
 */
public final class TextModel implements FittedModel {
  private static final int[][] NONE = {};

  private final FlowModel flow;
  private final TextCodec codec;
  private final ByteText bytes;

  /**
   * A model of a flow over the codec's symbols, which it closes.
   *
   * @throws IllegalArgumentException if flow and codec do not fit
   */
  public TextModel(FlowModel flow, TextCodec codec) {
    Space space = flow.architecture().space();
    if (!space.isUniform() || space.cardinality(0) != codec.vocabulary().size()) {
      throw new IllegalArgumentException(
          "the text has " + codec.vocabulary() + ", but the model is of " + space);
    }
    this.flow = flow;
    this.codec = codec;
    this.bytes =
        ByteText.of(
            codec.unit() == Unit.BYTES, codec.vocabulary().codePoints(), codec.vocabulary()::id);
  }

  /**
   * Trains a model of a text.
   *
   * @throws IllegalArgumentException if the text is too short
   * @throws IOException if a checkpoint can't be read or written
   * @throws java.util.concurrent.CancellationException if the thread is interrupted; a checkpoint
   *     is there where there was to be one
   */
  public static TextModel train(Text text, FitOptions options) throws IOException {
    return TextRecipe.train(text, options);
  }

  @Override
  public FlowModel flow() {
    return flow;
  }

  @Override
  public TextCodec codec() {
    return codec;
  }

  /** Symbols in a piece of the model that a text would get: what a training's loss is a mean of. */
  public static int length(Text text, FitOptions options) {
    return TextRecipe.length(TextRecipe.known(text), options);
  }

  /** Symbols in a piece. */
  public int length() {
    return flow.architecture().space().size();
  }

  /**
   * How likely a text is.
   *
   * @param symbols it has, of the model's vocabulary
   * @param unknownBytes of it that are no such symbols, and left out
   * @param bits its information: the negative logarithm to base 2 of the probability that its
   *     symbols have among all texts of as many symbols
   */
  public record Score(long symbols, long unknownBytes, double bits) {
    /** Bits per symbol; NaN if there are none. */
    public double bitsPerSymbol() {
      return bits / symbols;
    }
  }

  /** Scores a text. */
  public Score score(String text) {
    return score(text.getBytes(StandardCharsets.UTF_8), ProgressListener.IGNORED);
  }

  /**
   * Scores the bytes of a text.
   *
   * @param progress in symbols
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public Score score(byte[] text, ProgressListener progress) {
    char[] symbols = bytes.parts(text).symbols();
    int whole = symbols.length / length();
    int[][] rows = new int[whole][length()];
    for (int i = 0; i < whole * length(); i++) {
      rows[i / length()][i % length()] = symbols[i];
    }
    double nats = 0;
    ProgressListener inSymbols = (done, total) -> progress.done(done * length(), symbols.length);
    for (double row : flow.logProb(rows, NONE, Precision.FLOAT64, inSymbols)) {
      nats += row;
    }
    if (whole * length() < symbols.length) {
      int[] last = new int[symbols.length - whole * length()];
      Arrays.setAll(last, i -> symbols[whole * length() + i]);
      nats += partialRows().logProb(last, new Conditionals(EngineAccess.of(flow)));
      progress.done(symbols.length, symbols.length);
    }
    long unknownBytes = bytes.count(text).unknownBytes();
    double bits = (0 - nats) / Math.log(2); // of no symbols 0, not -0
    return new Score(symbols.length, unknownBytes, bits);
  }

  private PartialRows partialRows() {
    Architecture architecture = flow.architecture();
    return new PartialRows(
        architecture.movesSymbols() ? null : architecture.positions(), codec.counts());
  }

  /** Samples pieces of text. The same seed gives the same pieces. */
  public List<String> sample(int count, long seed) {
    return sample(count, "", seed).pieces();
  }

  /**
   * Pieces sampled from a model.
   *
   * @param pieces of text
   * @param exact whether each is an independent sample; otherwise they were picked by weight
   * @param effective how many independent samples they are worth
   */
  public record Sample(List<String> pieces, boolean exact, double effective) {}

  /**
   * Samples pieces that begin with a given text: exactly where symbols are sampled from left to
   * right, otherwise by importance resampling or, where layers move symbols, by rejection.
   *
   * @throws IllegalArgumentException if the beginning is longer than a piece, or has unknown
   *     symbols
   * @throws IllegalStateException if too few pieces begin so
   */
  public Sample sample(int count, String beginning, long seed) {
    return sampled(count, beginning, seed, SamplingOptions.DEFAULTS, ProgressListener.IGNORED);
  }

  /**
   * Samples pieces that begin with a given text, in a {@linkplain FlowModel#sample(int, long,
   * Precision) chosen precision}, at a {@linkplain SamplingOptions chosen temperature} and for long
   * work.
   *
   * @param beginning of each; empty for any
   * @param progress in pieces
   * @throws IllegalArgumentException if the beginning is longer than a piece, or has unknown
   *     symbols; or if the device can't compute in that precision
   * @throws IllegalStateException if too few pieces begin so
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public Sample sample(
      int count, String beginning, long seed, SamplingOptions options, ProgressListener progress) {
    return sampled(count, beginning, seed, options, progress.untilInterrupted());
  }

  private Sample sampled(
      int count, String beginning, long seed, SamplingOptions options, ProgressListener progress) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    boolean ofBytes = codec.unit() == Unit.BYTES;
    String spelled =
        ofBytes
            ? new String(beginning.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
            : beginning;
    int[] known = codec.vocabulary().ids(spelled);
    if (known.length > length()) {
      throw new IllegalArgumentException(
          "the beginning has " + known.length + " symbols, but a piece only " + length());
    }
    Map<Integer, Integer> given = new TreeMap<>();
    for (int i = 0; i < known.length; i++) {
      given.put(i, known[i]);
    }
    ConditionalSampler.Sampled sampled =
        new ConditionalSampler(flow).sample(count, given, seed, options, progress);
    return new Sample(
        Arrays.stream(sampled.rows()).map(row -> text(row, ofBytes)).toList(),
        sampled.exact(),
        sampled.effective());
  }

  private String text(int[] row, boolean ofBytes) {
    String characters = codec.vocabulary().text(row);
    return ofBytes
        ? new String(characters.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
        : characters;
  }
}
