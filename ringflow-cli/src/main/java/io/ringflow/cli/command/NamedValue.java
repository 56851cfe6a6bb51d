package io.ringflow.cli.command;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What stands on both sides of an equals sign, such as {@code city=Rome}.
 *
 * @param name before it
 * @param value behind it
 */
record NamedValue(String name, String value) {
  /**
   * Every way to read a text, the shortest name first: names may have equals signs of their own.
   */
  static List<NamedValue> readings(String text) {
    return IntStream.range(0, text.length())
        .filter(at -> text.charAt(at) == '=')
        .mapToObj(at -> new NamedValue(text.substring(0, at), text.substring(at + 1)))
        .toList();
  }
}
