package io.ringflow.model;

import io.ringflow.core.Space;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which positions of the data each position of the base depends on, found by trying (figure 1 of
 * the paper).
 *
 * <p>In every row, every symbol in turn is replaced by every other one; a data position is a source
 * of a base position if that changes the symbol there. So a source that is found is one, and a
 * source that is not found may still be one on other rows.
 *
 * <p>Cost: for each row, {@link FlowModel#encode} of as many rows as there are replacements, the
 * sum of K<sub>d</sub> - 1.
 *
 * @param sources for each base position, the data positions that influence it, ascending
 */
public record ReceptiveField(List<List<Integer>> sources) {
  /** Copies the lists. */
  public ReceptiveField {
    sources = sources.stream().map(List::copyOf).toList();
  }

  /**
   * What a model shows on some rows.
   *
   * @param rows data; a few are enough for most models
   */
  public static ReceptiveField of(FlowModel model, int[][] rows) {
    return of(model, rows, new int[0][]);
  }

  /** What a conditional model shows on some rows, given a row for each. */
  public static ReceptiveField of(FlowModel model, int[][] rows, int[][] condition) {
    Space space = model.architecture().space();
    int[][] encoded = model.encode(rows, condition);
    int baseSize = model.architecture().baseSpace().size();
    BitSet[] found = Stream.generate(BitSet::new).limit(baseSize).toArray(BitSet[]::new);
    for (int i = 0; i < rows.length; i++) {
      for (int position = 0; position < space.size(); position++) {
        int[][] variants = variants(rows[i], position, space.cardinality(position));
        int[][] same = new int[condition.length == 0 ? 0 : variants.length][];
        if (condition.length > 0) {
          Arrays.fill(same, condition[i]);
        }
        for (int[] variant : model.encode(variants, same)) {
          for (int base = 0; base < variant.length; base++) {
            if (variant[base] != encoded[i][base]) {
              found[base].set(position);
            }
          }
        }
      }
    }
    return new ReceptiveField(
        Arrays.stream(found).map(sources -> sources.stream().boxed().toList()).toList());
  }

  /** The row with every other symbol at a position. */
  private static int[][] variants(int[] row, int position, int cardinality) {
    return IntStream.range(0, cardinality)
        .filter(symbol -> symbol != row[position])
        .mapToObj(
            symbol -> {
              int[] variant = row.clone();
              variant[position] = symbol;
              return variant;
            })
        .toArray(int[][]::new);
  }
}
