package io.ringflow.bench;

import io.ringflow.core.Device;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A part of what {@link SpeedTable} prints, between marks of its own: a part can be measured alone,
 * kept in a file, and put into the page later.
 */
enum SpeedPart {
  /** The machine, and its matrix products. */
  PEAK,
  /** Training steps of a large batch. */
  TRAINING,
  /** Training steps of 8 and 16 rows. */
  SMALL_BATCHES,
  /** Texts by the number of passes. */
  SAMPLING,
  /** Bytes to fewer bytes and back, rows to base symbols and back. */
  CODING;

  /** The name in options and marks. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What a device is measured for where nothing else is asked. */
  static Set<SpeedPart> usual(Device device) {
    return device == Device.CUDA
        ? EnumSet.allOf(SpeedPart.class)
        : EnumSet.of(PEAK, TRAINING, SAMPLING, CODING);
  }

  /**
   * The parts of a list such as {@code training,coding}.
   *
   * @throws IllegalArgumentException if there is no such part
   */
  static Set<SpeedPart> parse(String list) {
    Set<SpeedPart> parts = EnumSet.noneOf(SpeedPart.class);
    for (String name : list.split(",", -1)) {
      parts.add(
          Arrays.stream(values())
              .filter(part -> part.label().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "--only: no such part: '" + name + "'; there are " + labels())));
    }
    return parts;
  }

  private static String labels() {
    return Arrays.stream(values()).map(SpeedPart::label).collect(Collectors.joining(", "));
  }

  /** The place in a page for this part of a device. */
  MarkedSection section(Path page, Device device) {
    return new MarkedSection(page, mark(device, "begin"), mark(device, "end"));
  }

  /** A text between the marks of this part. */
  String marked(Device device, String text) {
    return mark(device, "begin") + "\n" + text.strip() + "\n" + mark(device, "end") + "\n";
  }

  private String mark(Device device, String edge) {
    return "<!-- speed-" + device + "-" + label() + ":" + edge + " -->";
  }

  /**
   * The sections of a page that a saved output has, with their texts.
   *
   * @throws IllegalArgumentException if it has none, or the end of one is missing
   */
  static Map<MarkedSection, String> sections(String output, Path page) {
    Map<MarkedSection, String> found = new TreeMap<>((a, b) -> a.begin().compareTo(b.begin()));
    List<String> unended = new ArrayList<>();
    for (Device device : Device.values()) {
      for (SpeedPart part : values()) {
        MarkedSection section = part.section(page, device);
        int begin = output.indexOf(section.begin());
        if (begin >= 0) {
          int end = output.indexOf(section.end(), begin);
          if (end < 0) {
            unended.add(section.begin());
          } else {
            found.put(section, output.substring(begin + section.begin().length(), end));
          }
        }
      }
    }
    if (!unended.isEmpty()) {
      throw new IllegalArgumentException("ends before the end of " + unended);
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "has no line such as '" + TRAINING.mark(Device.CUDA, "begin") + "'");
    }
    return found;
  }
}
