package io.ringflow.cli.report;

import java.util.regex.Pattern;

/** Writes a word of a command line so that a shell reads it as one. */
public final class ShellWord {
  /** Needs no quotes. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./=:@%+,-]+");

  private ShellWord() {}

  /** Returns the word, in quotes where it needs them. */
  public static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
