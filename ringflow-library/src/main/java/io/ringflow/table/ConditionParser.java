package io.ringflow.table;

import static io.ringflow.table.ConditionTokens.mistake;

import io.ringflow.table.ConditionTokens.Kind;
import io.ringflow.table.ConditionTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads conditions by recursive descent.
 *
 * <pre>
 *   conjunction = term { AND term }
 *   term        = NOT term | ( conjunction ) | column comparison
 *   comparison  = ( = | != | &lt;&gt; | &lt; | &lt;= | &gt; | &gt;= ) value
 *               | [ NOT ] IN ( value { , value } )
 *               | [ NOT ] BETWEEN value AND value
 *               | IS [ NOT ] ( NULL | MISSING )
 * </pre>
 *
 * <p>What is behind NOT must be one comparison, in parentheses or not: the opposite of a
 * conjunction is no conjunction.
 */
final class ConditionParser {
  /** Characters of a condition: a list of values may be long, but not endless. */
  private static final int MAX_LENGTH = 1_000_000;

  private static final int MAX_DEPTH = 100;
  private static final Set<String> KEYWORDS =
      Set.of("AND", "OR", "NOT", "IN", "BETWEEN", "IS", "NULL", "MISSING");

  private final List<Token> tokens;
  private int next;
  private int depth;

  private ConditionParser(List<Token> tokens) {
    this.tokens = tokens;
  }

  static List<Term> parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a condition must have at most %d characters, but has %d"
              .formatted(MAX_LENGTH, text.length()));
    }
    var parser = new ConditionParser(ConditionTokens.of(text));
    List<Term> terms = parser.conjunction();
    if (parser.token().kind() != Kind.END) {
      throw parser.expected("AND or the end");
    }
    return terms;
  }

  private Token token() {
    return tokens.get(next);
  }

  private IllegalArgumentException expected(String what) {
    Token found = token();
    String remark =
        found.isWord("OR")
            ? "; OR is not known: ask for both, and subtract what they share"
            : found.isSign("!") ? "; NOT is the word" : "";
    return mistake(found.at(), "expected " + what + ", but found " + found + remark);
  }

  private boolean takeWord(String keyword) {
    boolean there = token().isWord(keyword);
    next += there ? 1 : 0;
    return there;
  }

  private boolean takeSign(String sign) {
    boolean there = token().isSign(sign);
    next += there ? 1 : 0;
    return there;
  }

  private List<Term> conjunction() {
    List<Term> terms = new ArrayList<>();
    do {
      terms.addAll(term());
    } while (takeWord("AND"));
    return terms;
  }

  private List<Term> term() {
    if (++depth > MAX_DEPTH) {
      throw mistake(token().at(), "at most " + MAX_DEPTH + " parentheses and NOTs may be nested");
    }
    try {
      int at = token().at();
      if (takeWord("NOT")) {
        List<Term> inside = term();
        if (inside.size() > 1) {
          throw mistake(at, "NOT of several conditions is not known: put it before one of them");
        }
        return List.of(inside.get(0).negate());
      }
      if (takeSign("(")) {
        List<Term> inside = conjunction();
        if (!takeSign(")")) {
          throw expected("AND or ')'");
        }
        return inside;
      }
      return List.of(comparison());
    } finally {
      depth--;
    }
  }

  private Term comparison() {
    int at = token().at();
    String column = name();
    if (takeWord("IS")) {
      boolean negated = takeWord("NOT");
      if (!takeWord("NULL") && !takeWord("MISSING")) {
        throw expected("NULL or MISSING");
      }
      return new Term.Missing(column, at, negated);
    }
    boolean negated = takeWord("NOT");
    if (takeWord("IN")) {
      return new Term.Among(column, at, negated, values());
    }
    if (takeWord("BETWEEN")) {
      boolean quoted = isQuoted();
      String min = value();
      if (!takeWord("AND")) {
        throw expected("AND and the upper bound");
      }
      quoted &= isQuoted();
      return new Term.Range(column, at, negated, min, value(), false, quoted);
    }
    if (negated || token().kind() != Kind.SIGN) {
      throw expected(negated ? "IN or BETWEEN" : "a comparison, such as =, IN or IS NULL");
    }
    String sign = token().text();
    if (!Set.of("=", "!=", "<>", "<", "<=", ">", ">=").contains(sign)) {
      throw expected("a comparison, such as =, IN or IS NULL");
    }
    next++;
    boolean quoted = isQuoted();
    String value = value();
    return switch (sign) {
      case "<" -> new Term.Range(column, at, false, null, value, true, quoted);
      case "<=" -> new Term.Range(column, at, false, null, value, false, quoted);
      case ">" -> new Term.Range(column, at, false, value, null, true, quoted);
      case ">=" -> new Term.Range(column, at, false, value, null, false, quoted);
      default -> new Term.Among(column, at, !sign.equals("="), List.of(value));
    };
  }

  private static boolean isKeyword(Token token) {
    return token.kind() == Kind.WORD && KEYWORDS.contains(token.text().toUpperCase(Locale.ROOT));
  }

  private String name() {
    Token found = token();
    if (found.kind() == Kind.DOUBLE_QUOTED || (found.kind() == Kind.WORD && !isKeyword(found))) {
      next++;
      return found.text();
    }
    throw expected(
        found.kind() == Kind.SINGLE_QUOTED
            ? "a column, in double quotes or none"
            : isKeyword(found)
                ? "a column (one of that name stands in double quotes)"
                : "a column");
  }

  private boolean isQuoted() {
    Kind kind = token().kind();
    return kind == Kind.DOUBLE_QUOTED || kind == Kind.SINGLE_QUOTED;
  }

  private String value() {
    Token found = token();
    if (isQuoted() || (found.kind() == Kind.WORD && !isKeyword(found))) {
      next++;
      return found.text();
    }
    throw expected(
        found.isWord("NULL") || found.isWord("MISSING")
            ? "a value (a missing one is asked for by IS NULL)"
            : isKeyword(found) ? "a value (such a text stands in single quotes)" : "a value");
  }

  private List<String> values() {
    if (!takeSign("(")) {
      throw expected("'(' and values");
    }
    List<String> values = new ArrayList<>();
    do {
      values.add(value());
    } while (takeSign(","));
    if (!takeSign(")")) {
      throw expected("',' or ')'");
    }
    return values;
  }
}
