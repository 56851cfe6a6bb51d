package io.ringflow.paper.corpus;

import io.ringflow.text.Text;
import io.ringflow.text.Vocabulary;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The different words of a text, by which the spelling of others is judged.
 *
 * <p>A word is what stands between two blanks: those that a text's or a row's ends may have cut do
 * not count. They are kept as strings: the 200,000 of 90 million characters of an encyclopedia take
 * 18 MB.
 */
public final class KnownWords {
  private static final char BLANK = ' ';

  private final Set<String> words;

  private KnownWords(Set<String> words) {
    this.words = words;
  }

  /** The words of a text; goes through it once. */
  public static KnownWords of(Text text) {
    Vocabulary vocabulary = text.vocabulary();
    Set<String> words = new HashSet<>();
    var word = new StringBuilder();
    boolean begun = false;
    for (long i = 0; i < text.length(); i++) {
      int codePoint = vocabulary.codePoint(text.id(i));
      if (codePoint != BLANK) {
        word.appendCodePoint(codePoint);
        continue;
      }
      if (begun && !word.isEmpty()) {
        words.add(word.toString());
      }
      word.setLength(0);
      begun = true;
    }
    return new KnownWords(words);
  }

  /** The words of lines. */
  public static KnownWords of(List<String> lines) {
    Set<String> words = new HashSet<>();
    lines.forEach(line -> forEachWord(line, words::add));
    return new KnownWords(words);
  }

  private static void forEachWord(String line, Consumer<String> reader) {
    int from = line.indexOf(BLANK);
    for (int to; from >= 0 && (to = line.indexOf(BLANK, from + 1)) >= 0; from = to) {
      if (to > from + 1) {
        reader.accept(line.substring(from + 1, to));
      }
    }
  }

  /** How many different words there are. */
  public int size() {
    return words.size();
  }

  /** Counts the words of lines, each as often as it occurs. */
  public Count count(List<String> lines) {
    long[] counts = new long[2];
    for (String line : lines) {
      forEachWord(
          line,
          word -> {
            counts[0]++;
            counts[1] += words.contains(word) ? 1 : 0;
          });
    }
    return new Count(counts[0], counts[1]);
  }

  /**
   * Words, and those of them that are known.
   *
   * @param words all, each as often as it occurs
   * @param known of them
   */
  public record Count(long words, long known) {
    /** The share of known words; NaN where there are no words. */
    public double share() {
      return (double) known / words;
    }
  }
}
