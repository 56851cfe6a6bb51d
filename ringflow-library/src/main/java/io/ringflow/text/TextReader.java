package io.ringflow.text;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.store.Utf8File;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Reads files as ids, one after the other, in one pass that holds only a piece of a file at a time.
 *
 * <p>A character outside a given vocabulary is an error. Without one, characters get ids in the
 * order of their first occurrence, which are sorted at the end.
 */
final class TextReader {
  private static final int END_OF_FILE_NEWLINE = -2;

  private Path file = Path.of(""); // the one that is being read
  private final Vocabulary vocabulary; // null to collect it
  private final String advice;
  private final IdTable ids;
  private final SymbolArray symbols = new SymbolArray();
  private int[] found = new int[128];
  private int foundCount;
  private long line = 1;
  private long column = 1;

  private TextReader(Vocabulary vocabulary, String advice) {
    this.vocabulary = vocabulary;
    this.advice = advice;
    this.ids = vocabulary == null ? new IdTable() : vocabulary.table();
  }

  static Text read(List<Path> files) throws IOException {
    var reader = new TextReader(null, "");
    reader.encode(files);
    return new Text(reader.sortIds(), reader.symbols);
  }

  static Text read(Path file, Vocabulary vocabulary, String advice) throws IOException {
    var reader = new TextReader(vocabulary, advice);
    reader.encode(List.of(file));
    return new Text(vocabulary, reader.symbols);
  }

  private void encode(List<Path> files) throws IOException {
    for (Path next : files) {
      file = next;
      line = 1;
      column = 1;
      try (Utf8File in = Utf8File.open(file)) {
        for (CharBuffer piece = in.next(); piece.hasRemaining(); piece = in.next()) {
          encode(piece, in);
        }
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
        id = vocabulary == null ? collect(codePoint) : ignore(codePoint, last);
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

  private int collect(int codePoint) throws DataFormatException {
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

  /** Editors end a file with a newline, which is ignored if the vocabulary has none. */
  private int ignore(int codePoint, boolean last) throws DataFormatException {
    if (codePoint == '\n' && last) {
      return END_OF_FILE_NEWLINE;
    }
    throw new DataFormatException(
        file,
        String.format(
            "line %d, column %d: %s is not among the vocabulary's %d symbols%s",
            line, column, Vocabulary.name(codePoint), vocabulary.size(), advice));
  }

  private Vocabulary sortIds() {
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
