package io.ringflow.text;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.store.Utf8File;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Turns a file into ids, in one pass that never holds more of the file than a piece.
 *
 * <p>A known vocabulary is strict. An unknown one is found on the way: characters get ids as they
 * appear, and the ids are put in order at the end.
 */
public final class TextReader {
  private static final int END_OF_FILE_NEWLINE = -2;

  private final Path file;
  private final Vocabulary vocabulary; // null if it is to be found
  private final String remedy;
  private final IdTable ids;
  private final SymbolArray symbols = new SymbolArray();
  private int[] found = new int[128];
  private int foundCount;
  private long line = 1;
  private long column = 1;

  private TextReader(Path file, Vocabulary vocabulary, String remedy) {
    this.file = file;
    this.vocabulary = vocabulary;
    this.remedy = remedy;
    this.ids = vocabulary == null ? new IdTable() : vocabulary.table();
  }

  /** Reads any text; its vocabulary is the code points that occur, ascending. */
  public static Text read(Path file) throws IOException {
    var reader = new TextReader(file, null, "");
    reader.encode();
    return new Text(reader.orderFound(), reader.symbols);
  }

  /**
   * Reads a text of known symbols.
   *
   * @param remedy follows the complaint about a foreign symbol
   */
  public static Text read(Path file, Vocabulary vocabulary, String remedy) throws IOException {
    var reader = new TextReader(file, vocabulary, remedy);
    reader.encode();
    return new Text(vocabulary, reader.symbols);
  }

  private void encode() throws IOException {
    try (Utf8File in = Utf8File.open(file)) {
      for (CharBuffer piece = in.next(); piece.hasRemaining(); piece = in.next()) {
        encode(piece, in);
      }
    }
    if (symbols.length() == 0) {
      throw new DataFormatException(file, "is empty");
    }
  }

  private void encode(CharBuffer piece, Utf8File in) throws IOException {
    char[] chars = piece.array();
    int end = piece.limit();
    for (int i = piece.position(); i < end; i++) {
      int codePoint = chars[i];
      if (Character.isSurrogate(chars[i])) {
        codePoint = Character.toCodePoint(chars[i], chars[++i]);
      }
      int id = ids.id(codePoint);
      if (id < 0) {
        boolean last = i == end - 1 && in.atEnd();
        id = vocabulary == null ? find(codePoint) : forgive(codePoint, last);
        if (id == END_OF_FILE_NEWLINE) {
          return;
        }
      }
      symbols.add(id);
      column++;
      if (codePoint == '\n') {
        line++;
        column = 1;
      }
    }
  }

  private int find(int codePoint) throws DataFormatException {
    if (foundCount == Vocabulary.MAX_SIZE) {
      throw new DataFormatException(
          file, "has more than " + Vocabulary.MAX_SIZE + " different characters");
    }
    if (foundCount == found.length) {
      found = Arrays.copyOf(found, 2 * foundCount);
    }
    found[foundCount] = codePoint;
    ids.put(codePoint, foundCount);
    return foundCount++;
  }

  /** Editors end a file with a newline, which then is no part of a text that knows none. */
  private int forgive(int codePoint, boolean last) throws DataFormatException {
    if (codePoint == '\n' && last) {
      return END_OF_FILE_NEWLINE;
    }
    throw new DataFormatException(
        file,
        String.format(
            "line %d, column %d: %s is not among the vocabulary's %d symbols%s",
            line, column, Vocabulary.name(codePoint), vocabulary.size(), remedy));
  }

  private Vocabulary orderFound() {
    int[] ascending = Arrays.copyOf(found, foundCount);
    Arrays.sort(ascending);
    Vocabulary ordered = Vocabulary.of(ascending, List.of());
    char[] byOldId = new char[foundCount];
    for (int id = 0; id < foundCount; id++) {
      byOldId[id] = (char) ordered.id(found[id]);
    }
    symbols.replace(byOldId);
    return ordered;
  }
}
