package io.ringflow.table;

import io.ringflow.internal.checks.Quotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts the text of a condition into words, quoted texts and signs. */
final class ConditionTokens {
  /** What a token is. */
  enum Kind {
    /** A keyword, a bare name or a bare value: which of them, only the parser knows. */
    WORD,
    /** A text in double quotes, a name or a value. */
    DOUBLE_QUOTED,
    /** A text in single quotes, a value. */
    SINGLE_QUOTED,
    /** A comparison, a parenthesis or a comma. */
    SIGN,
    /** Behind the last character. */
    END
  }

  /**
   * A piece of a condition.
   *
   * @param text without quotes
   * @param at its first character, from 1
   */
  record Token(Kind kind, String text, int at) {
    boolean isWord(String keyword) {
      return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    boolean isSign(String sign) {
      return kind == Kind.SIGN && text.equals(sign);
    }

    /** As a message shows it. */
    @Override
    public String toString() {
      return switch (kind) {
        case WORD, SIGN, SINGLE_QUOTED -> Quotes.quoted(text);
        case DOUBLE_QUOTED -> "the name " + Quotes.quoted(text);
        case END -> "the end";
      };
    }
  }

  private static final String SIGNS = "()=,<>!";
  private static final List<String> LONG_SIGNS = List.of("<=", ">=", "<>", "!=");

  private final String text;
  private int at; // from 0

  private ConditionTokens(String text) {
    this.text = text;
  }

  /** All tokens, the last of kind {@link Kind#END}. */
  static List<Token> of(String text) {
    var reader = new ConditionTokens(text);
    List<Token> tokens = new ArrayList<>();
    do {
      tokens.add(reader.next());
    } while (tokens.get(tokens.size() - 1).kind() != Kind.END);
    return tokens;
  }

  /** A mistake in a condition, and where it is. */
  static IllegalArgumentException mistake(int at, String message) {
    return new IllegalArgumentException(
        String.format(Locale.ROOT, "condition, character %d: %s", at, message));
  }

  private Token next() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    int start = at;
    if (at == text.length()) {
      return new Token(Kind.END, "", start + 1);
    }
    char first = text.charAt(at);
    if (first == '\'' || first == '"') {
      Kind kind = first == '"' ? Kind.DOUBLE_QUOTED : Kind.SINGLE_QUOTED;
      return new Token(kind, quoted(first), start + 1);
    }
    if (SIGNS.indexOf(first) >= 0) {
      at += text.length() > at + 1 && LONG_SIGNS.contains(text.substring(at, at + 2)) ? 2 : 1;
      return new Token(Kind.SIGN, text.substring(start, at), start + 1);
    }
    while (at < text.length() && isPartOfWord(text.charAt(at))) {
      at++;
    }
    return new Token(Kind.WORD, text.substring(start, at), start + 1);
  }

  private static boolean isPartOfWord(char c) {
    return !Character.isWhitespace(c) && c != '\'' && c != '"' && SIGNS.indexOf(c) < 0;
  }

  /** Up to the closing quote; a doubled quote stands for one. */
  private String quoted(char quote) {
    int opening = at++;
    var inside = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != quote) {
        inside.append(c);
      } else if (at < text.length() && text.charAt(at) == quote) {
        inside.append(quote);
        at++;
      } else {
        return inside.toString();
      }
    }
    throw mistake(opening + 1, "the quote " + quote + " is not closed");
  }
}
