package io.ringflow.bench;

import java.nio.file.Path;
import java.time.Duration;

/** What a main was given, by its place; what is left out has a default. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Arguments(String... given) {
  /** Lets tensors have all memory too: JavaCPP would count them against the limit of the heap. */
  static Arguments of(String... given) {
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
    return new Arguments(given);
  }

  String text(int place, String otherwise) {
    return place < given.length ? given[place] : otherwise;
  }

  int integer(int place, int otherwise) {
    return place < given.length ? Integer.parseInt(given[place]) : otherwise;
  }

  long number(int place, long otherwise) {
    return place < given.length ? Long.parseLong(given[place]) : otherwise;
  }

  Duration minutes(int place, double otherwise) {
    double minutes = place < given.length ? Double.parseDouble(given[place]) : otherwise;
    return Duration.ofMillis(Math.round(60_000 * minutes));
  }

  /** A file or folder; null if it is left out. */
  Path path(int place) {
    return place < given.length ? Path.of(given[place]) : null;
  }
}
