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

  /**
   * All permutations of the symbols, where a graph has two or three everywhere and all leave every
   * factor as it is; else {@link #NONE}. More symbols have too many permutations to gain by.
   */
  static Symmetry ofSymbols(FactorGraph graph) {
    int symbols = graph.space().size() == 0 ? 0 : graph.space().maxCardinality();
    boolean found =
        (symbols == 2 || symbols == 3)
            && graph.space().isUniform()
            && graph.factors().stream().allMatch(factor -> factor.isSymmetric(symbols));
    return found ? ofSymbols(symbols) : NONE;
  }

  /**
   * All translations of a torus along its rows and columns: those of a lattice model whose
   * couplings and fields are the same everywhere.
   *
   * <p>Cost: every density is a sum over all of them, so that a step of training and a sample take
   * {@code lattice.sites()} times as many evaluations of the network, with the flip of all spins
   * twice that: 32 on 4 x 4, 128 on 8 x 8. On larger lattices the time is better spent on more
   * steps.
   *
   * @throws IllegalArgumentException if the lattice is not periodic
   */
  static Symmetry translations(Lattice lattice) {
    if (!lattice.periodic()) {
      throw new IllegalArgumentException(
          "only a periodic lattice has translations, but this one of %d x %d sites has edges"
              .formatted(lattice.rows(), lattice.columns()));
    }
    List<Element> elements = new ArrayList<>();
    for (int shift = 0; shift < lattice.sites(); shift++) {
      int[] from = new int[lattice.sites()];
      for (int site = 0; site < from.length; site++) {
        int y = (site / lattice.columns() + shift / lattice.columns()) % lattice.rows();
        int x = (site % lattice.columns() + shift % lattice.columns()) % lattice.columns();
        from[site] = y * lattice.columns() + x;
      }
      elements.add(row -> IntStream.of(from).map(site -> row[site]).toArray());
    }
    return of(elements);
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
