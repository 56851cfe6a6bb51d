package io.ringflow.infer;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.store.Utf8File;
import java.io.Closeable;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Splits a text file into words and signs, one at a time, so that a file of any size takes little
 * memory; every token knows its line and column.
 */
final class Tokens implements Closeable {
  /** What a token is. */
  enum Kind {
    WORD,
    QUOTED,
    SIGN,
    END
  }

  /** A piece of the file; the text of a quoted one is without its quotes. */
  record Token(Kind kind, String text, long line, long column) {
    boolean isSign(String sign) {
      return kind == Kind.SIGN && text.equals(sign);
    }

    boolean isWord(String word) {
      return kind == Kind.WORD && text.equals(word);
    }

    boolean isName() {
      return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    /** As messages call it. */
    @Override
    public String toString() {
      return kind == Kind.END ? "the end of the file" : Quotes.quoted(text);
    }
  }

  private static final int MAX_LENGTH = 1000; // of a word: longer ones are no names or numbers
  private static final int FIRST_CAPACITY = 1024;
  private static final int END = -1;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?");

  private final Path file;
  private final Utf8File in;
  private final String signs;
  private CharBuffer piece = CharBuffer.allocate(0);
  private int current;
  private int following;
  private long line = 1;
  private long column = 1;
  private Token ahead; // null if none was looked at

  /**
   * Opens a file.
   *
   * @param signs characters that are tokens of their own; if there are any, texts in double quotes
   *     and comments are known too, and otherwise only white space separates words
   */
  Tokens(Path file, String signs) throws IOException {
    this.file = file;
    this.signs = signs;
    this.in = Utf8File.open(file);
    try {
      current = read();
      following = read();
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private int read() throws IOException {
    if (!piece.hasRemaining()) {
      piece = in.next();
    }
    return piece.hasRemaining() ? piece.get() : END;
  }

  private void advance() throws IOException {
    if (current == '\n' || (current == '\r' && following != '\n')) {
      line++;
      column = 1;
    } else if (current != '\r' && !Character.isLowSurrogate((char) current)) {
      column++;
    }
    current = following;
    following = following == END ? END : read();
  }

  /** The next token, which stays the next. */
  Token peek() throws IOException {
    if (ahead == null) {
      ahead = scan();
    }
    return ahead;
  }

  /** The next token; {@link Kind#END} again and again at the end. */
  Token next() throws IOException {
    Token token = peek();
    ahead = null;
    return token;
  }

  private Token scan() throws IOException {
    skipSpaceAndComments();
    long startLine = line;
    long startColumn = column;
    if (current == END) {
      return new Token(Kind.END, "", startLine, startColumn);
    }
    if (isSign()) {
      String sign = String.valueOf((char) current);
      advance();
      return new Token(Kind.SIGN, sign, startLine, startColumn);
    }
    Kind kind = isQuote() ? Kind.QUOTED : Kind.WORD;
    String text = kind == Kind.QUOTED ? quoted() : word();
    return new Token(kind, text, startLine, startColumn);
  }

  private String word() throws IOException {
    var text = new StringBuilder();
    while (current != END && !isSpace() && !isSign() && !isQuote() && !isComment()) {
      append(text);
    }
    return text.toString();
  }

  private String quoted() throws IOException {
    Token start = new Token(Kind.SIGN, "", line, column);
    var text = new StringBuilder();
    advance();
    while (!isQuote()) {
      if (current == END || current == '\n' || current == '\r') {
        throw error(start, "the quote is not closed in its line");
      }
      append(text);
    }
    advance();
    return text.toString();
  }

  private void append(StringBuilder text) throws IOException {
    if (text.length() == MAX_LENGTH) {
      throw error("a word of more than " + MAX_LENGTH + " characters");
    }
    requireText();
    text.append((char) current);
    advance();
  }

  /** Control characters and Unicode's own line ends would spoil names and messages. */
  private void requireText() throws DataFormatException {
    boolean lineEnd = current == '\u2028' || current == '\u2029';
    if (lineEnd || (Character.isISOControl(current) && !isSpace())) {
      throw error(String.format("character U+%04X; a binary file?", current));
    }
  }

  private void skipSpaceAndComments() throws IOException {
    while (isSpace() || isComment()) {
      if (isSpace()) {
        advance();
      } else if (following == '/') {
        while (current != END && current != '\n' && current != '\r') {
          advance();
        }
      } else {
        skipLongComment();
      }
    }
  }

  private void skipLongComment() throws IOException {
    Token start = new Token(Kind.SIGN, "/*", line, column);
    advance();
    advance();
    while (current != '*' || following != '/') {
      if (current == END) {
        throw error(start, "the comment is not closed");
      }
      advance();
    }
    advance();
    advance();
  }

  /**
   * Skips any text up to a sign outside quotes, and the sign; none may have been looked at.
   *
   * @param what is skipped, for the message if the file ends before
   */
  void skipPast(char sign, String what) throws IOException {
    Token start = new Token(Kind.SIGN, "", line, column);
    boolean inQuotes = false;
    while (inQuotes || current != sign) {
      if (current == END) {
        throw error(start, what + " is not closed by '" + sign + "'");
      }
      requireText();
      inQuotes ^= isQuote();
      advance();
    }
    advance();
  }

  private boolean isSpace() {
    return current == ' '
        || current == '\t'
        || current == '\n'
        || current == '\r'
        || current == '\f';
  }

  private boolean isSign() {
    return signs.indexOf(current) >= 0;
  }

  private boolean isQuote() {
    return current == '"' && !signs.isEmpty();
  }

  private boolean isComment() {
    return current == '/' && (following == '/' || following == '*') && !signs.isEmpty();
  }

  /** Takes a sign, or refuses what is there. */
  void expectSign(String sign) throws IOException {
    Token token = next();
    if (!token.isSign(sign)) {
      throw error(token, "expected '" + sign + "', but found " + token);
    }
  }

  /** Takes a word or a quoted text that is not blank. */
  Token name(String what) throws IOException {
    Token token = next();
    if (!token.isName() || token.text().isBlank()) {
      throw error(token, "expected " + what + ", but found " + token);
    }
    return token;
  }

  /** Takes an integer of a closed range. */
  int integer(String what, int min, int max) throws IOException {
    Token token = next();
    if (token.kind() != Kind.WORD || !token.text().matches("-?[0-9]+")) {
      throw error(token, "expected " + what + ", but found " + token);
    }
    boolean tooLong = token.text().length() > 10; // beyond any range here, zeros aside
    long value = tooLong ? Long.MAX_VALUE : Long.parseLong(token.text());
    if (value < min || value > max) {
      throw error(
          token, String.format("%s must be in %d..%d, but is %s", what, min, max, token.text()));
    }
    return (int) value;
  }

  /**
   * Takes numbers that are not negative, with or without commas between them.
   *
   * @param what the numbers are, such as {@code the values of factor 3}
   */
  double[] nonNegatives(int count, String what) throws IOException {
    // Grows with what is read: a short file can promise a large table.
    double[] values = new double[Math.min(count, FIRST_CAPACITY)];
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        skipComma();
      }
      if (i == values.length) {
        values = Arrays.copyOf(values, (int) Math.min(count, 2L * i));
      }
      Token token = next();
      if (token.kind() != Kind.WORD || !NUMBER.matcher(token.text()).matches()) {
        throw error(
            token,
            String.format(
                "expected number %d of the %d of %s, but found %s", i + 1, count, what, token));
      }
      values[i] = Double.parseDouble(token.text());
      if (values[i] < 0 || values[i] == Double.POSITIVE_INFINITY) {
        throw error(
            token,
            String.format("%s must be finite and at least 0, but one is %s", what, token.text()));
      }
    }
    return values;
  }

  /** Takes a comma if there is one: they may stand between the items of a list. */
  void skipComma() throws IOException {
    if (peek().isSign(",")) {
      next();
    }
  }

  /** What is wrong at a token. */
  DataFormatException error(Token at, String reason) {
    return new DataFormatException(
        file, String.format("line %d, column %d: %s", at.line(), at.column(), reason));
  }

  private DataFormatException error(String reason) {
    return error(new Token(Kind.SIGN, "", line, column), reason);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
