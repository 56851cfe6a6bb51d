package io.ringflow.text;

import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.fit.ConditionalSampler;
import io.ringflow.internal.fit.Places;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
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
 * <p>A text is taken in pieces of {@link #length} symbols, each modelled by itself. Characters that
 * training did not know have no probability; scores leave them out and say how many there were, and
 * compression writes them as they are.
 *
 * <p>Safe from several threads at once; closing waits for calls in progress.
 */
public final class TextModel implements FittedModel {
  private final FlowModel flow;
  private final TextCodec codec;
  private final ByteText bytes;
  private final Compressor compressor;
  private final Places places;

  /** A flow over the codec's symbols, which is now this model's. */
  public TextModel(FlowModel flow, TextCodec codec) {
    Space space = flow.architecture().space();
    if (!space.isUniform() || space.cardinality(0) != codec.vocabulary().size()) {
      throw new IllegalArgumentException(
          "the text has " + codec.vocabulary() + ", but the model is of " + space);
    }
    this.flow = flow;
    this.codec = codec;
    this.bytes = codec.unit() == Unit.BYTES ? ByteText.ofBytes() : ByteText.of(codec.vocabulary());
    this.compressor = new Compressor(flow, bytes, flow.fingerprint());
    this.places = new Places(flow.architecture());
  }

  /** See {@link io.ringflow.RingFlow#train(Text, FitOptions)}. */
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

  /** What it learned; null if that is not known. */
  public Metrics metrics() {
    return Metrics.of(flow);
  }

  /** Symbols in a piece of the model that a text would get: what a training's loss is a mean of. */
  public static int length(Text text) {
    return TextRecipe.length(TextRecipe.known(text));
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
   * @param bits that its symbols take: the negative logarithm of their probability, to base 2
   */
  public record Score(long symbols, long unknownBytes, double bits) {
    /** Bits per symbol; NaN if there are none. */
    public double bitsPerSymbol() {
      return bits / symbols;
    }
  }

  /** Scores a text. */
  public Score score(String text) {
    return score(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Scores the bytes of a text. */
  public Score score(byte[] text) {
    ByteText.Count count = bytes.count(text);
    return new Score(count.symbols(), count.unknownBytes(), compressor.estimatedBits(text));
  }

  /** Draws pieces of text. The same seed draws the same pieces. */
  public List<String> sample(int count, long seed) {
    return sample(count, "", seed);
  }

  /**
   * Draws pieces that begin with a given text: exactly where symbols are drawn from left to right.
   * Otherwise as {@link io.ringflow.table.TableModel#sample(int, Map, long)} does.
   *
   * @throws IllegalArgumentException if the beginning is longer than a piece, or has unknown
   *     symbols
   */
  public List<String> sample(int count, String beginning, long seed) {
    return draw(count, beginning, seed).pieces();
  }

  /**
   * Pieces drawn from a model.
   *
   * @param pieces of text
   * @param exact whether each is an independent draw; else they were picked by weight
   * @param effective how many independent draws they are worth
   */
  public record Draw(List<String> pieces, boolean exact, double effective) {}

  /** As {@link #sample(int, String, long)}, and says how good the draw is. */
  public Draw draw(int count, String beginning, long seed) {
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
    ConditionalSampler.Drawn drawn = new ConditionalSampler(flow, places).draw(count, given, seed);
    return new Draw(
        Arrays.stream(drawn.rows()).map(row -> text(row, ofBytes)).toList(),
        drawn.exact(),
        drawn.effective());
  }

  private String text(int[] row, boolean ofBytes) {
    String characters = codec.vocabulary().text(row);
    return ofBytes
        ? new String(characters.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
        : characters;
  }

  /** Compresses any bytes; they need not be text. See {@link Compressor}. */
  public byte[] compress(byte[] data, ProgressListener progress) {
    return compressor.compress(data, progress);
  }

  /**
   * Decompresses what {@link #compress} made with this model.
   *
   * @throws CompressedFormatException if it is damaged, or was made by something else, a newer
   *     version, or with another model
   */
  public byte[] decompress(byte[] compressed, ProgressListener progress)
      throws CompressedFormatException {
    return compressor.decompress(compressed, progress);
  }
}
