package io.ringflow.text;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The symbols of a text and their ids 0 … K - 1.
 *
 * <p>A symbol is a Unicode code point, or a <i>special</i>: a named one that no character stands
 * for, such as {@code end} or {@code padding}. Characters come first, specials after them, each in
 * the given order. Vocabularies are equal if they give the same ids to the same symbols. Immutable.
 */
public final class Vocabulary {
  /** The maximum number of symbols, whose ids fit into two bytes. */
  public static final int MAX_SIZE = 1 << Character.SIZE;

  /** The 27 symbols of text8: the space is 0, {@code a} is 1, …, {@code z} is 26. */
  public static final Vocabulary TEXT8 = of(" abcdefghijklmnopqrstuvwxyz");

  /** The 256 bytes, each as the character with its value as code point. */
  public static final Vocabulary BYTES = of(IntStream.range(0, 256).toArray(), List.of());

  private final int[] codePoints;
  private final List<String> specials;
  private final IdTable ids = new IdTable();

  private Vocabulary(int[] codePoints, List<String> specials) {
    this.codePoints = codePoints;
    this.specials = specials;
    if (size() < 1 || size() > MAX_SIZE) {
      throw new IllegalArgumentException(
          "a vocabulary has 1 to " + MAX_SIZE + " symbols, but this one has " + size());
    }
    for (int id = 0; id < codePoints.length; id++) {
      int codePoint = codePoints[id];
      if (!Character.isValidCodePoint(codePoint)
          || Character.getType(codePoint) == Character.SURROGATE) {
        throw new IllegalArgumentException(
            String.format("symbol %d, 0x%X, is not a character", id, codePoint));
      }
      if (ids.id(codePoint) != IdTable.ABSENT) {
        throw new IllegalArgumentException(
            "symbol " + id + ", " + name(codePoint) + ", is symbol " + ids.id(codePoint) + " too");
      }
      ids.put(codePoint, id);
    }
    if (new HashSet<>(specials).size() < specials.size()) {
      throw new IllegalArgumentException("specials must differ, but are " + specials);
    }
  }

  /**
   * The symbols with the ids 0, 1, …
   *
   * @param characters each once
   * @param specials names of symbols without a character, each once
   */
  public static Vocabulary of(String characters, String... specials) {
    return of(characters, List.of(specials));
  }

  /**
   * The symbols with the ids 0, 1, …
   *
   * @param codePoints each once
   * @param specials names of symbols without a character, each once
   */
  public static Vocabulary of(int[] codePoints, List<String> specials) {
    return new Vocabulary(codePoints.clone(), List.copyOf(specials));
  }

  @JsonCreator
  static Vocabulary of(
      @JsonProperty("characters") String characters,
      @JsonProperty("specials") List<String> specials) {
    return of(characters.codePoints().toArray(), specials);
  }

  /** All characters, in the order of their ids. */
  @JsonProperty("characters")
  public String characters() {
    return new String(codePoints, 0, codePoints.length);
  }

  /** The names of the symbols without a character, in the order of their ids. */
  @JsonProperty("specials")
  public List<String> specials() {
    return specials;
  }

  /** The code point of every symbol, in the order of their ids; -1 for a special. */
  public int[] codePoints() {
    int[] all = Arrays.copyOf(codePoints, size());
    Arrays.fill(all, codePoints.length, all.length, -1);
    return all;
  }

  /** The number of symbols, K. */
  public int size() {
    return codePoints.length + specials.size();
  }

  /**
   * The id of a character, or -1 if there is none. Costs two array reads.
   *
   * @param codePoint a Unicode code point
   */
  public int id(int codePoint) {
    return ids.id(codePoint);
  }

  /** The characters' ids, for a loop over many; not to be changed. */
  IdTable table() {
    return ids;
  }

  /** The id of a special, or -1 if there is none of that name. */
  public int id(String special) {
    int index = specials.indexOf(special);
    return index < 0 ? IdTable.ABSENT : codePoints.length + index;
  }

  /** The character of an id, or -1 for a special. */
  public int codePoint(int id) {
    Objects.checkIndex(id, size());
    return id < codePoints.length ? codePoints[id] : -1;
  }

  /**
   * The ids of all symbols that stand between words: specials, and characters that are neither
   * letters nor digits; of bytes, those of ASCII that are not. None where there are no words
   * between them.
   */
  public List<Integer> separators() {
    boolean bytes = equals(BYTES);
    List<Integer> separators =
        IntStream.range(0, size())
            .filter(id -> id >= codePoints.length || isSeparator(codePoints[id], bytes))
            .boxed()
            .toList();
    return separators.size() < size() ? separators : List.of();
  }

  private static boolean isSeparator(int codePoint, boolean bytes) {
    return !(bytes && codePoint >= 128) && !Character.isLetterOrDigit(codePoint);
  }

  /**
   * The ids of a text's characters.
   *
   * @throws IllegalArgumentException if one is not in the vocabulary
   */
  public int[] ids(String text) {
    return text.codePoints()
        .map(
            codePoint -> {
              int id = id(codePoint);
              if (id < 0) {
                throw new IllegalArgumentException(
                    name(codePoint) + " is not among the vocabulary's " + size() + " symbols");
              }
              return id;
            })
        .toArray();
  }

  /** The text of ids, without the specials among them, which have no character. */
  public String text(int[] ids) {
    var text = new StringBuilder(ids.length);
    for (int id : ids) {
      if (codePoint(id) >= 0) {
        text.appendCodePoint(codePoint(id));
      }
    }
    return text.toString();
  }

  /** A character for messages, such as {@code 'é' U+00E9}; the number alone if it is invisible. */
  public static String name(int codePoint) {
    String number = String.format("U+%04X", codePoint);
    return switch (codePoint) {
      case '\n' -> "'\\n' " + number;
      case '\r' -> "'\\r' " + number;
      case '\t' -> "'\\t' " + number;
      default ->
          switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                Character.FORMAT,
                Character.SURROGATE,
                Character.PRIVATE_USE,
                Character.UNASSIGNED,
                Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR ->
                number;
            default -> "'" + Character.toString(codePoint) + "' " + number;
          };
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Vocabulary that
        && Arrays.equals(codePoints, that.codePoints)
        && specials.equals(that.specials);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(codePoints) + specials.hashCode();
  }

  /** Such as {@code 27 symbols}. */
  @Override
  public String toString() {
    return size() + " symbols";
  }
}
