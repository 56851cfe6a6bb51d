package io.ringflow.infer;

import io.ringflow.core.Groups;
import io.ringflow.core.Torus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which positions of a torus to sample together, so that all of a group see the same of what is
 * known: every group consists of one position and its translations by a sublattice, and so does
 * everything before it.
 *
 * <p>First comes a single position. What is known is then doubled again and again, or tripled, each
 * time by the positions that lie farthest from it, in the order of renormalisation from coarse to
 * fine. Such a level is one group, or where there are passes enough several: its positions, split
 * again in the same way, then know what lies between them.
 */
final class TorusOrder {
  private final Torus torus;
  private final List<List<Integer>> lattices =
      new ArrayList<>(); // coarse to fine, each in the next
  private final boolean lastIsFree;

  /** Of a torus of which it is not known what positions depend on. */
  TorusOrder(Torus torus) {
    this(torus, Optional.empty());
  }

  /**
   * Of a graph on a torus. Positions of a last group that are no neighbours know nothing of each
   * other: that group stays whole.
   *
   * @param neighbours of position 0
   */
  TorusOrder(Torus torus, List<Integer> neighbours) {
    this(torus, Optional.of(neighbours));
  }

  private TorusOrder(Torus torus, Optional<List<Integer>> neighbours) {
    this.torus = torus;
    List<Integer> lattice = IntStream.range(0, torus.size()).boxed().toList();
    lattices.add(lattice);
    while (lattice.size() > 1) {
      lattice = sparsest(lattice).get(0);
      lattices.add(0, lattice);
    }
    Set<Integer> last = Set.copyOf(lattices.get(Math.max(0, lattices.size() - 2)));
    this.lastIsFree = neighbours.isPresent() && neighbours.get().stream().noneMatch(last::contains);
  }

  /** The fewest passes for which there are groups. */
  int fewestPasses() {
    return new Division().count();
  }

  /** The passes from which on more gain little: every level is split twice. */
  int goodPasses() {
    Division division = new Division();
    division.splitFinest(torus.size());
    for (int groups = 1; groups <= 2; groups++) {
      division.splitEach(groups, torus.size());
    }
    return division.count();
  }

  /**
   * Groups in passes; in one less or two where a level of three parts can't be split to fit.
   *
   * @return empty where there are too few passes
   */
  Optional<Groups> groups(int passes) {
    Division division = new Division();
    if (division.count() > passes) {
      return Optional.empty();
    }
    division.splitFinest(passes);
    for (int groups = 1; groups < torus.size(); groups++) {
      division.splitEach(groups, passes);
    }
    division.splitFree(passes);
    return Optional.of(division.groups());
  }

  /**
   * A lattice of a level, translated.
   *
   * @param lattice which of the lattices
   */
  private record Coset(List<Integer> positions, int lattice) {}

  /** A coset as cosets of the next coarser lattice. */
  private List<Coset> parts(Coset coset) {
    int from = coset.positions().get(0);
    return cosets(lattices.get(coset.lattice()), lattices.get(coset.lattice() - 1)).stream()
        .map(
            part ->
                new Coset(
                    part.stream().map(offset -> torus.at(from, offset)).toList(),
                    coset.lattice() - 1))
        .toList();
  }

  /** The cosets of a lattice within a finer one, itself first. */
  private List<List<Integer>> cosets(List<Integer> finer, List<Integer> lattice) {
    List<List<Integer>> cosets = new ArrayList<>();
    boolean[] taken = new boolean[torus.size()];
    for (int from : finer) {
      if (!taken[from]) {
        List<Integer> coset = lattice.stream().map(offset -> torus.at(from, offset)).toList();
        coset.forEach(position -> taken[position] = true);
        cosets.add(coset);
      }
    }
    return cosets;
  }

  /**
   * The levels, each as few groups as can be at first: what every lattice adds to the one before.
   */
  private final class Division {
    private final List<List<Coset>> levels = new ArrayList<>();
    private final List<Coset> free = new ArrayList<>(); // a last group that loses nothing

    Division() {
      levels.add(new ArrayList<>(List.of(new Coset(lattices.get(0), 0))));
      for (int i = 1; i < lattices.size(); i++) {
        List<Coset> parts = parts(new Coset(lattices.get(i), i));
        levels.add(new ArrayList<>(parts.subList(1, parts.size())));
      }
      List<Coset> last = levels.get(levels.size() - 1);
      if (lastIsFree) {
        free.add(last.remove(last.size() - 1));
        levels.removeIf(List::isEmpty);
      }
    }

    int count() {
      return free.size() + levels.stream().mapToInt(List::size).sum();
    }

    Groups groups() {
      return new Groups(
          Stream.concat(levels.stream().flatMap(List::stream), free.stream())
              .map(Coset::positions)
              .toList());
    }

    /** Splits the largest level, which else would lose more than all others together. */
    void splitFinest(int passes) {
      splitFirst(levels.get(levels.size() - 1), passes - count());
    }

    /**
     * Splits every level of so many groups or less, from coarse to fine and as long as there are
     * passes.
     */
    void splitEach(int groups, int passes) {
      for (List<Coset> level : levels) {
        if (level.size() <= groups) {
          splitFirst(level, passes - count());
        }
      }
    }

    /** Spends passes that nothing else takes. */
    void splitFree(int passes) {
      while (splitFirst(free, passes - count())) {}
    }
  }

  /** Splits the first group that can be, into at most so many more; whether it did. */
  private boolean splitFirst(List<Coset> level, int more) {
    for (int j = 0; j < level.size(); j++) {
      Coset coset = level.get(j);
      if (coset.lattice() > 0) {
        List<Coset> parts = parts(coset);
        if (parts.size() - 1 > more) {
          return false;
        }
        level.remove(j);
        level.addAll(j, parts);
        return true;
      }
    }
    return false;
  }

  /**
   * The cosets of that lattice within another, one of the smallest index above 1, whose positions
   * lie farthest from each other; itself first.
   *
   * <p>Such a lattice is where a character of the torus is 1 whose values on the finer lattice are
   * roots of unity of that index.
   */
  private List<List<Integer>> sparsest(List<Integer> lattice) {
    int index = smallestFactor(lattice.size());
    List<Integer> sparsest =
        IntStream.range(1, torus.size())
            .mapToObj(character -> kernel(lattice, character, index))
            .flatMap(Optional::stream)
            .max(Comparator.comparingLong(this::squaredDistance))
            .orElseThrow();
    return cosets(lattice, sparsest);
  }

  private static int smallestFactor(int number) {
    return IntStream.rangeClosed(2, number)
        .filter(factor -> number % factor == 0)
        .findFirst()
        .orElseThrow();
  }

  /** Where a character is 1, if that is one of so many cosets of a lattice; else empty. */
  private Optional<List<Integer>> kernel(List<Integer> lattice, int character, int index) {
    int[] frequencies = torus.coordinates(character);
    long turn = torus.sides().stream().mapToLong(side -> side).reduce(1, TorusOrder::leastMultiple);
    List<Integer> kernel = new ArrayList<>();
    for (int position : lattice) {
      int[] coordinates = torus.coordinates(position);
      long angle = 0; // of turn parts
      for (int i = 0; i < coordinates.length; i++) {
        int side = torus.sides().get(i);
        angle += turn / side * ((long) frequencies[i] * coordinates[i] % side);
      }
      if (angle * index % turn != 0) {
        return Optional.empty();
      }
      if (angle % turn == 0) {
        kernel.add(position);
      }
    }
    return kernel.size() == lattice.size() ? Optional.empty() : Optional.of(kernel);
  }

  private static long leastMultiple(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return a / x * b;
  }

  /** How far the nearest two positions of a lattice lie from each other. */
  private long squaredDistance(List<Integer> lattice) {
    return lattice.stream()
        .filter(offset -> offset != 0)
        .mapToLong(torus::squaredLength)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
