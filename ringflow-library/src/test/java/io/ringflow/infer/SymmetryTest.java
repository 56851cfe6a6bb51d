package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SymmetryTest {
  @Test
  void symbolsArePermutedInAllWays() {
    Symmetry three = Symmetry.ofSymbols(3);
    Set<List<Integer>> images = new HashSet<>();
    for (int element = 0; element < three.size(); element++) {
      images.add(Arrays.stream(three.image(element, new int[] {0, 1, 2, 0})).boxed().toList());
    }
    assertThat(three.size()).isEqualTo(6);
    assertThat(images).hasSize(6).allMatch(image -> image.get(0).equals(image.get(3)));
    assertThat(three.image(0, new int[] {2, 1})).containsExactly(2, 1);
    assertThatThrownBy(() -> Symmetry.ofSymbols(7)).hasMessage("symbols must be in 2..6, but is 7");
  }

  @Test
  void permutationsOfSymbolsAreFoundInGraphs() {
    Lattice lattice = Lattice.torus(3);
    assertThat(Symmetry.ofSymbols(SpinModels.ising(lattice, 1, 1, 0)).size()).isEqualTo(2);
    assertThat(Symmetry.ofSymbols(SpinModels.ising(lattice, 1, 1, 0.1)).size()).isEqualTo(1);
    assertThat(Symmetry.ofSymbols(SpinModels.potts(lattice, 3, 1)).size()).isEqualTo(6);
    double[] fields = {0, 0.1, 0.1};
    assertThat(Symmetry.ofSymbols(SpinModels.potts(lattice, 3, 1, fields)).size()).isEqualTo(1);
    assertThat(Symmetry.ofSymbols(SpinModels.potts(lattice, 4, 1)).size()).isEqualTo(1);
    assertThat(Symmetry.ofSymbols(new FactorGraph(Space.of(2, 3), List.of())).size()).isEqualTo(1);
    // A parity of four is the same when all flip, one of three is not.
    for (int size : new int[] {3, 4}) {
      double[] parity = new double[1 << size];
      Arrays.setAll(parity, i -> Integer.bitCount(i) % 2);
      Factor factor = new Factor(IntStream.range(0, size).boxed().toList(), parity);
      Symmetry found = Symmetry.ofSymbols(new FactorGraph(Space.uniform(size, 2), List.of(factor)));
      assertThat(found.size()).isEqualTo(size == 4 ? 2 : 1);
    }
  }

  /** What is found changes no weight, by enumeration. */
  @Test
  void whatIsFoundLeavesWeightsAsTheyAre() {
    FactorGraph potts = SpinModels.potts(new Lattice(2, 3, true), 3, 0.7);
    Symmetry found = Symmetry.ofSymbols(potts);
    int[][] rows = potts.space().enumerate();
    double[] weights = potts.logWeights(rows);
    for (int element = 0; element < found.size(); element++) {
      int chosen = element;
      int[][] images =
          Arrays.stream(rows).map(row -> found.image(chosen, row)).toArray(int[][]::new);
      assertThat(potts.logWeights(images)).containsExactly(weights, within(1e-12));
    }
  }

  @Test
  void groupsMultiply() {
    Symmetry turn =
        Symmetry.of(
            List.of(
                row -> row,
                row -> new int[] {row[1], row[2], row[3], row[0]},
                row -> new int[] {row[2], row[3], row[0], row[1]},
                row -> new int[] {row[3], row[0], row[1], row[2]}));
    Symmetry both = turn.and(Symmetry.ofSymbols(2));
    assertThat(both.size()).isEqualTo(8);
    assertThat(both.image(0, new int[] {0, 1, 1, 1})).containsExactly(0, 1, 1, 1);
    assertThat(both.image(3, new int[] {0, 1, 1, 1})).containsExactly(0, 0, 0, 1);
  }

  /** Of all rows of small tori: a group, that changes no weight and makes exact mixtures. */
  @Test
  void translationsOfATorusAreAnExactSymmetry() {
    for (Lattice lattice : List.of(Lattice.torus(2), Lattice.torus(3), new Lattice(2, 3, true))) {
      FactorGraph ising = SpinModels.ising(lattice, 0.44, 1, 0.3);
      Symmetry moves = Symmetry.translations(lattice);
      int[][] all = ising.space().enumerate();
      double[] weights = ising.logWeights(all);
      int[] numbered = IntStream.range(0, lattice.sites()).toArray();
      Set<List<Integer>> permutations = new HashSet<>();
      for (int element = 0; element < moves.size(); element++) {
        int chosen = element;
        permutations.add(Arrays.stream(moves.image(element, numbered)).boxed().toList());
        int[][] images =
            Arrays.stream(all).map(row -> moves.image(chosen, row)).toArray(int[][]::new);
        assertThat(ising.logWeights(images)).containsExactly(weights, within(1e-12));
      }
      assertThat(permutations).hasSize(lattice.sites());
      assertThat(moves.image(0, numbered)).isEqualTo(numbered);
      Architecture architecture =
          Architecture.of(
              ising.space(),
              new AutoregressiveBase(Order.natural(lattice.sites()), new Made(16, 1)));
      try (InferredModel model =
          new InferredModel(FlowModel.create(architecture, 1), ising, moves)) {
        double[] logProbs = model.logProb(all);
        assertThat(Arrays.stream(logProbs).map(Math::exp).sum()).isCloseTo(1, within(1e-12));
        int[][] moved =
            Arrays.stream(all).map(row -> moves.image(moves.size() - 1, row)).toArray(int[][]::new);
        assertThat(model.logProb(moved)).containsExactly(logProbs, within(1e-12));
      }
    }
    assertThatThrownBy(() -> Symmetry.translations(new Lattice(2, 3, false)))
        .hasMessage(
            "only a periodic lattice has translations, but this one of 2 x 3 sites has edges");
  }

  /** The mixture is normalised, invariant, and what its own samples say it is. */
  @Test
  void symmetricModelsAreExact() {
    Space space = Space.uniform(4, 3);
    Architecture architecture =
        Architecture.of(space, new AutoregressiveBase(Order.natural(4), new Made(16, 1)));
    Symmetry symmetry = Symmetry.ofSymbols(3);
    try (InferredModel model =
        new InferredModel(
            FlowModel.create(architecture, 1), rows -> new double[rows.length], symmetry)) {
      int[][] all = space.enumerate();
      double[] logProbs = model.logProb(all);
      assertThat(Arrays.stream(logProbs).map(Math::exp).sum()).isCloseTo(1, within(1e-12));
      for (int element = 0; element < symmetry.size(); element++) {
        int chosen = element;
        int[][] images =
            Arrays.stream(all).map(row -> symmetry.image(chosen, row)).toArray(int[][]::new);
        double[] same = model.logProb(images);
        for (int i = 0; i < all.length; i++) {
          assertThat(same[i]).isCloseTo(logProbs[i], within(1e-12));
        }
      }
      int count = 40_000;
      double chi = 0;
      int[] seen = new int[all.length];
      for (int[] row : model.sample(count, 5)) {
        seen[((row[0] * 3 + row[1]) * 3 + row[2]) * 3 + row[3]]++;
      }
      for (int i = 0; i < all.length; i++) {
        double expected = count * Math.exp(logProbs[i]);
        chi += (seen[i] - expected) * (seen[i] - expected) / expected;
      }
      assertThat(chi).isLessThan(80 + 5 * Math.sqrt(160));
    }
  }
}
