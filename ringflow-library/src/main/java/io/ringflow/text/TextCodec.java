package io.ringflow.text;

import io.ringflow.model.Codec;
import java.util.Objects;

/**
 * How a text becomes symbols.
 *
 * @param unit what a symbol is
 * @param vocabulary the characters; {@link Vocabulary#BYTES} for bytes
 */
public record TextCodec(Unit unit, Vocabulary vocabulary) implements Codec {
  /** What a symbol of a text is. */
  public enum Unit {
    /** A Unicode code point. */
    CHARACTERS,
    /** A byte. */
    BYTES
  }

  /** Checks that unit and vocabulary agree. */
  public TextCodec {
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(vocabulary, "vocabulary");
    if (unit == Unit.BYTES && !vocabulary.equals(Vocabulary.BYTES)) {
      throw new IllegalArgumentException("a text of bytes has the 256 bytes as its vocabulary");
    }
    if (!vocabulary.specials().isEmpty()) {
      throw new IllegalArgumentException(
          "a text of characters has no specials, but this one has " + vocabulary.specials());
    }
  }

  /** The codec of a text. */
  public static TextCodec of(Text text) {
    boolean bytes = text.vocabulary().equals(Vocabulary.BYTES);
    return new TextCodec(bytes ? Unit.BYTES : Unit.CHARACTERS, text.vocabulary());
  }
}
