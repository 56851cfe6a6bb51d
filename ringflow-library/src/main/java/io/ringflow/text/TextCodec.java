package io.ringflow.text;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.model.Codec;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * How a text becomes symbols: the content of {@code codec.json} in a text model's folder.
 *
 * @param unit what a symbol is
 * @param vocabulary the characters; {@link Vocabulary#BYTES} for bytes
 * @param counts how often each symbol occurs in the training text
 */
@JsonTypeName("text")
public record TextCodec(Unit unit, Vocabulary vocabulary, List<Long> counts) implements Codec {
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
    counts = List.copyOf(counts);
    if (counts.size() != vocabulary.size() || counts.stream().anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException(
          "counts must be "
              + vocabulary.size()
              + " numbers from 0, one for each symbol, but are "
              + counts.size());
    }
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
    return new TextCodec(
        bytes ? Unit.BYTES : Unit.CHARACTERS,
        text.vocabulary(),
        Arrays.stream(text.counts()).boxed().toList());
  }
}
