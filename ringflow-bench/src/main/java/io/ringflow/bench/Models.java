package io.ringflow.bench;

import io.ringflow.core.Space;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** What the benchmarks share: the size of a small text model, its networks, and random rows. */
final class Models {
  /** 64 letters of 27. */
  static final Space TEXT = Space.uniform(64, 27);

  private Models() {}

  /** A network of modest size, by the name of its kind. */
  static Network network(String name) {
    return switch (name) {
      case "table" -> new LookupTable(2);
      case "made" -> new Made(256, 1);
      case "lstm" -> new Lstm(64, 64, 1);
      case "transformer" -> new Transformer(64, 2, 4, 128);
      default -> throw new IllegalArgumentException("no such network: " + name);
    };
  }

  /** The same rows whenever asked. */
  static int[][] rows(Space space, int count) {
    var random = new SplittableRandom(1);
    int[][] rows = new int[count][space.size()];
    for (int[] row : rows) {
      Arrays.setAll(row, d -> random.nextInt(space.cardinality(d)));
    }
    return rows;
  }
}
