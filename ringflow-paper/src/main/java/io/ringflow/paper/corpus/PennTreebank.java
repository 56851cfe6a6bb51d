package io.ringflow.paper.corpus;

import io.ringflow.core.DataFormatException;
import io.ringflow.text.Text;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Penn Treebank by characters, as Mikolov prepared it (section 4.4 of the paper).
 *
 * <p>A file has one sentence a line, its characters apart by single spaces, with {@code _} for a
 * space. Rare words are spelled {@code < u n k >}, which are five characters like any other. The
 * vocabulary is the 49 characters of the training sentences, ascending, then {@link #END} and
 * {@link #PADDING}: K = 51.
 *
 * <p>A sentence becomes a row of {@value #LENGTH} symbols: its characters, the end, and padding.
 * One that does not fit with its end is left out, so the longest have {@value #LENGTH} - 1
 * characters. The paper leaves out those of more than 288 tokens; here the end counts as one, for a
 * row without it would not say where the sentence ends. (In the training file 335 of 42,068 are
 * left out, and it would be 328 without the end.)
 *
 * @param vocabulary the characters of the training sentences, the end and padding
 * @param train to learn from
 * @param validation to choose by
 * @param test to report
 */
public record PennTreebank(
    Vocabulary vocabulary, Sentences train, Sentences validation, Sentences test) {
  /** Symbols in a row. */
  public static final int LENGTH = 288;

  /** The special behind a sentence's last character. */
  public static final String END = "end";

  /** The special that fills a row behind the end. */
  public static final String PADDING = "padding";

  /** What the files have for a space. */
  private static final char SPACE = '_';

  /**
   * Sentences of equal length.
   *
   * @param rows {@link #LENGTH} symbols each
   * @param characters in all rows, each sentence's end counted as one, padding not
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Sentences(int[][] rows, long characters) {}

  /**
   * Reads {@code ptb.char.train.txt}, {@code ptb.char.valid.txt} and {@code ptb.char.test.txt}.
   *
   * @param folder where they are, such as {@code data} of Mikolov's {@code simple-examples.tgz}
   * @throws DataFormatException if one is missing, empty or not of this form, or if a character
   *     occurs that the training sentences do not have
   * @throws IOException if the disk refuses
   */
  public static PennTreebank read(Path folder) throws IOException {
    List<Text> files = new ArrayList<>();
    List<Path> paths = new ArrayList<>();
    for (String part : List.of("train", "valid", "test")) {
      Path file = folder.resolve("ptb.char." + part + ".txt");
      if (!Files.exists(file)) {
        throw new DataFormatException(
            file, "no such file; it is in the folder data of Mikolov's simple-examples.tgz");
      }
      paths.add(file);
      files.add(Text.read(file));
    }
    int[] characters =
        files
            .get(0)
            .vocabulary()
            .characters()
            .codePoints()
            .filter(c -> c != ' ' && c != '\n')
            .toArray();
    Vocabulary vocabulary = Vocabulary.of(characters, List.of(END, PADDING));
    Sentences[] parts = new Sentences[paths.size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Reader(paths.get(i), files.get(i), vocabulary).sentences();
    }
    return new PennTreebank(vocabulary, parts[0], parts[1], parts[2]);
  }

  /** A row as people read it: spaces as such, and nothing from the first end on. */
  public String text(int[] row) {
    int end = 0;
    while (end < row.length && row[end] != vocabulary.id(END)) {
      end++;
    }
    return vocabulary.text(Arrays.copyOf(row, end)).replace(SPACE, ' ');
  }

  /** Goes through one file, symbol by symbol. */
  private static final class Reader {
    private final Path file;
    private final Text text;
    private final Vocabulary vocabulary;
    private final List<int[]> rows = new ArrayList<>();
    private final int[] sentence = new int[LENGTH];
    private long characters;
    private int length; // of the sentence at hand, more than fits included
    private long line = 1;
    private long column;

    Reader(Path file, Text text, Vocabulary vocabulary) {
      this.file = file;
      this.text = text;
      this.vocabulary = vocabulary;
    }

    Sentences sentences() throws DataFormatException {
      int spaces = 0;
      for (long i = 0; i < text.length(); i++) {
        int codePoint = text.vocabulary().codePoint(text.id(i));
        column++;
        if (codePoint == '\n') {
          endSentence();
          spaces = 0;
        } else if (codePoint == ' ') {
          spaces++;
        } else {
          if (length > 0 && spaces != 1) {
            throw wrong(
                codePoint,
                "must stand one space from the character before it, but stands " + spaces);
          }
          add(codePoint);
          spaces = 0;
        }
      }
      endSentence();
      if (rows.isEmpty()) {
        throw new DataFormatException(
            file, "has no sentence of at most " + (LENGTH - 1) + " characters");
      }
      return new Sentences(rows.toArray(int[][]::new), characters);
    }

    private void add(int codePoint) throws DataFormatException {
      if (Character.isWhitespace(codePoint) || Character.isISOControl(codePoint)) {
        throw wrong(codePoint, "is not part of a sentence; lines end in a newline alone");
      }
      int id = vocabulary.id(codePoint);
      if (id < 0) {
        throw wrong(codePoint, "does not occur in the training sentences");
      }
      if (length < LENGTH) {
        sentence[length] = id;
      }
      length++;
    }

    /** A line without a character is no sentence; the published files end in one. */
    private void endSentence() {
      if (length > 0 && length < LENGTH) {
        sentence[length] = vocabulary.id(END);
        Arrays.fill(sentence, length + 1, LENGTH, vocabulary.id(PADDING));
        rows.add(sentence.clone());
        characters += length + 1;
      }
      length = 0;
      line++;
      column = 0;
    }

    private DataFormatException wrong(int codePoint, String why) {
      return new DataFormatException(
          file,
          String.format(
              "line %d, column %d: %s %s", line, column, Vocabulary.name(codePoint), why));
    }
  }
}
