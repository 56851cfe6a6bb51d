package io.ringflow.network;

/** Checks the sizes in a network's description. */
final class Sizes {
  private Sizes() {}

  static void positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
    }
  }
}
