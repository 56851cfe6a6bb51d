package io.ringflow.table;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the bytes of a small file mean, told in the plainest way; nothing if they are no table. */
final class ReferenceCsv {
  private final String text;
  private final char separator;
  private int at;

  private ReferenceCsv(String text, char separator) {
    this.text = text;
    this.separator = separator;
  }

  static Optional<List<List<String>>> rows(byte[] bytes, char separator) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
    if (text.indexOf('\0') >= 0 || text.startsWith("PK\3\4")) {
      return Optional.empty();
    }
    List<List<String>> rows =
        new ReferenceCsv(text.startsWith("\uFEFF") ? text.substring(1) : text, separator).rows();
    boolean table = rows != null && rows.stream().map(List::size).distinct().count() == 1;
    return table ? Optional.of(rows) : Optional.empty();
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    while (at < text.length()) {
      if (atLineEnd()) {
        at++; // an empty line, or the second half of a line's end
        continue;
      }
      List<String> row = new ArrayList<>();
      do {
        String cell = cell();
        if (cell == null) {
          return null;
        }
        row.add(cell);
      } while (at < text.length() && text.charAt(at++) == separator);
      rows.add(row);
    }
    return rows;
  }

  /** Up to a separator or the end of a line; null if a quote is not closed just there. */
  private String cell() {
    int start = at;
    if (at == text.length() || text.charAt(at) != '"') {
      while (!atCellEnd()) {
        at++;
      }
      return text.substring(start, at);
    }
    var cell = new StringBuilder();
    for (at++; at < text.length(); at++) {
      if (text.charAt(at) != '"') {
        cell.append(text.charAt(at));
      } else if (text.startsWith("\"\"", at)) {
        cell.append(text.charAt(at++));
      } else {
        at++;
        return atCellEnd() ? cell.toString() : null;
      }
    }
    return null;
  }

  private boolean atLineEnd() {
    return text.charAt(at) == '\n' || text.charAt(at) == '\r';
  }

  private boolean atCellEnd() {
    return at == text.length() || text.charAt(at) == separator || atLineEnd();
  }
}
