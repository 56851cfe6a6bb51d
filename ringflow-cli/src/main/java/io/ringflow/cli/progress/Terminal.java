package io.ringflow.cli.progress;

import java.nio.charset.Charset;

/** What this process is attached to. */
public final class Terminal {
  private Terminal() {}

  /**
   * Returns whether somebody watches the error stream.
   *
   * <p>The launcher knows and says so in {@code ringflow.terminal}, as of the other streams in
   * {@code ringflow.terminal.in} and {@code .out}; without it, what Java knows must do.
   */
  static boolean watched() {
    return is("ringflow.terminal");
  }

  @SuppressWarnings("SystemConsoleNull") // from JDK 22 on only the launcher can tell
  private static boolean is(String property) {
    String told = System.getProperty(property);
    return told == null ? System.console() != null : Boolean.parseBoolean(told);
  }

  /** Returns whether standard input is what somebody types. */
  public static boolean typesInput() {
    return is("ringflow.terminal.in");
  }

  /** Returns whether somebody reads standard output as it comes. */
  public static boolean showsOutput() {
    return is("ringflow.terminal.out");
  }

  /**
   * Returns how many characters fit in a line: what the launcher says in {@code ringflow.columns},
   * or 80.
   */
  static int columns() {
    int columns = Integer.getInteger("ringflow.columns", 80);
    // Some terminals report 0 for want of an answer.
    return columns >= 20 ? columns : 80;
  }

  /**
   * Returns how the terminal reads bytes; the default charset has been UTF-8 regardless since JDK
   * 18.
   */
  public static Charset charset() {
    String name =
        System.getProperty("stdout.encoding", System.getProperty("native.encoding", "UTF-8"));
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }
}
