package io.ringflow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of a text file between two lines that mark it: what a command may rewrite. */
record MarkedSection(Path file, String begin, String end) {
  /**
   * Checks that both marks are there, once each and in order.
   *
   * @throws IOException if not, or if the file can't be read
   */
  void check() throws IOException {
    parts();
  }

  /** Puts other lines between the marks. */
  void replace(String text) throws IOException {
    String[] parts = parts();
    Files.writeString(file, parts[0] + begin + "\n" + text.strip() + "\n" + end + parts[1]);
  }

  private String[] parts() throws IOException {
    if (!Files.exists(file)) {
      throw new IOException(file + " is missing");
    }
    String whole = Files.readString(file);
    int from = only(whole, begin);
    int to = only(whole, end);
    if (to < from) {
      throw new IOException(file + ": '" + end + "' comes before '" + begin + "'");
    }
    return new String[] {whole.substring(0, from), whole.substring(to + end.length())};
  }

  private int only(String whole, String mark) throws IOException {
    int at = whole.indexOf(mark);
    if (at < 0) {
      throw new IOException(file + " has no line '" + mark + "'");
    }
    if (whole.indexOf(mark, at + 1) >= 0) {
      throw new IOException(file + " has '" + mark + "' twice");
    }
    return at;
  }
}
