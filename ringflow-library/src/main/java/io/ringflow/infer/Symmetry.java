package io.ringflow.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A finite group of bijections of rows that leave a target's weights as they are.
 *
 * <p>A model that is made symmetric is the mixture of its images with equal shares: {@code q(x) =
 * 1/n sum over g of q_0(g x)}, whose density is exact. So it need not learn what is known: one that
 * has found all spins up has found all spins down.
 */
public interface Symmetry {
  /** The group of the identity alone. */
  Symmetry NONE = of(List.of(row -> row));

  /** How many elements the group has. */
  int size();

  /**
   * What an element makes of a row.
   *
   * @param element from 0; 0 is the identity
   * @param row not to be changed
   */
  int[] image(int element, int[] row);

  /** One bijection of rows. */
  @FunctionalInterface
  interface Element {
    /** What it makes of a row, which it must not change. */
    int[] of(int[] row);
  }

  /**
   * The group of these elements.
   *
   * @param elements the identity first; with any two their composition, which is not checked
   */
  static Symmetry of(List<Element> elements) {
    List<Element> all = List.copyOf(elements);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a symmetry needs the identity");
    }
    return new Symmetry() {
      @Override
      public int size() {
        return all.size();
      }

      @Override
      public int[] image(int element, int[] row) {
        return all.get(element).of(row);
      }
    };
  }

  /**
   * All permutations of the symbols, the same at every position: of two symbols the flip of all
   * spins, of q those of a Potts model without fields.
   *
   * @param symbols at every position, 2 to 6
   */
  static Symmetry ofSymbols(int symbols) {
    if (symbols < 2 || symbols > 6) {
      throw new IllegalArgumentException("symbols must be in 2..6, but is " + symbols);
    }
    List<int[]> permutations = new ArrayList<>();
    permute(IntStream.range(0, symbols).toArray(), 0, permutations);
    return of(
        permutations.stream()
            .<Element>map(
                permutation ->
                    row -> IntStream.of(row).map(symbol -> permutation[symbol]).toArray())
            .toList());
  }

  private static void permute(int[] permutation, int from, List<int[]> all) {
    if (from == permutation.length) {
      all.add(permutation.clone());
      return;
    }
    for (int i = from; i < permutation.length; i++) {
      swap(permutation, from, i);
      permute(permutation, from + 1, all);
      swap(permutation, from, i);
    }
  }

  private static void swap(int[] values, int i, int j) {
    int value = values[i];
    values[i] = values[j];
    values[j] = value;
  }

  /**
   * This group and another, whose elements commute: first one of the other's, then one of these.
   */
  default Symmetry and(Symmetry other) {
    List<Element> products = new ArrayList<>();
    for (int one = 0; one < size(); one++) {
      for (int two = 0; two < other.size(); two++) {
        int first = two;
        int then = one;
        products.add(row -> image(then, other.image(first, row)));
      }
    }
    return of(products);
  }
}
