package io.ringflow.internal.fit;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which columns of the data a position of the base stands for: layers put columns in another order
 * and pack them together, and a base speaks of what came of it.
 *
 * <p>Found out by sending rows through those layers; the others leave every symbol in its place.
 */
public final class Places {
  private final Space space;
  private final Space baseSpace;
  private final boolean symbolsMove;
  private final List<List<Integer>> columns = new ArrayList<>(); // of each base position
  private final int[][][] meaning; // [base position][symbol][column, as in columns]

  public Places(Architecture architecture) {
    List<Layer> fixed =
        flattened(architecture.layers()).filter(layer -> !movesSymbols(layer)).toList();
    this.symbolsMove = flattened(architecture.layers()).anyMatch(Places::movesSymbols);
    this.space = architecture.space();
    Architecture plain = new Architecture(space, Space.NONE, new FactorizedBase(), fixed);
    try (FlowModel model = FlowModel.create(plain, 1)) {
      this.baseSpace = model.layers().baseSpace();
      int[][] changed = new int[space.size() + 1][space.size()];
      for (int d = 0; d < space.size(); d++) {
        changed[d][d] = space.cardinality(d) - 1;
      }
      int[][] baseRows = model.encode(changed);
      for (int p = 0; p < baseSpace.size(); p++) {
        List<Integer> own = new ArrayList<>();
        for (int d = 0; d < space.size(); d++) {
          if (baseRows[d][p] != baseRows[space.size()][p]) {
            own.add(d);
          }
        }
        columns.add(List.copyOf(own));
      }
      this.meaning = meaning(model);
    }
  }

  /** All layers, those of chains one by one. */
  private static Stream<Layer> flattened(List<Layer> layers) {
    return layers.stream()
        .flatMap(
            layer -> layer instanceof Chain chain ? flattened(chain.layers()) : Stream.of(layer));
  }

  private static boolean movesSymbols(Layer layer) {
    return layer instanceof Bipartite || layer instanceof Autoregressive;
  }

  private int[][][] meaning(FlowModel model) {
    int[][][] result = new int[baseSpace.size()][][];
    for (int p = 0; p < result.length; p++) {
      int[][] baseRows = new int[baseSpace.cardinality(p)][baseSpace.size()];
      for (int k = 0; k < baseRows.length; k++) {
        baseRows[k][p] = k;
      }
      int[] own = columns.get(p).stream().mapToInt(Integer::intValue).toArray();
      result[p] =
          Arrays.stream(model.decode(baseRows))
              .map(row -> Arrays.stream(own).map(d -> row[d]).toArray())
              .toArray(int[][]::new);
    }
    return result;
  }

  /** Whether layers change symbols too, and not only their places. */
  boolean symbolsMove() {
    return symbolsMove;
  }

  /** The columns that a base position stands for; none where all of them are constant. */
  public List<Integer> columns(int basePosition) {
    return columns.get(basePosition);
  }

  /**
   * Which symbols of each base position agree with chosen symbols of columns; null where all do.
   *
   * @param given the symbols of some columns
   */
  boolean[][] allowed(Map<Integer, Integer> given) {
    boolean[][] allowed = new boolean[baseSpace.size()][];
    for (int p = 0; p < allowed.length; p++) {
      List<Integer> own = columns.get(p);
      if (own.stream().anyMatch(given::containsKey)) {
        allowed[p] = new boolean[baseSpace.cardinality(p)];
        for (int k = 0; k < allowed[p].length; k++) {
          allowed[p][k] = agrees(own, meaning[p][k], given);
        }
      }
    }
    return allowed;
  }

  /** How many symbols a base position may have, by {@link #allowed}. */
  int choices(int basePosition, boolean[][] allowed) {
    boolean[] possible = allowed[basePosition];
    int symbols = baseSpace.cardinality(basePosition);
    return possible == null
        ? symbols
        : (int) IntStream.range(0, symbols).filter(k -> possible[k]).count();
  }

  private static boolean agrees(List<Integer> own, int[] symbols, Map<Integer, Integer> given) {
    for (int i = 0; i < symbols.length; i++) {
      Integer wanted = given.get(own.get(i));
      if (wanted != null && wanted != symbols[i]) {
        return false;
      }
    }
    return true;
  }
}
