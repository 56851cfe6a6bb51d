package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TranslationsTest {
  private static final double[] DIRECTED = {0, 1, 2, 3};

  @Test
  void periodicLatticesAreFound() {
    assertThat(Translations.of(SpinModels.ising(Lattice.torus(4), 0.44, 1, 0.3)))
        .contains(Torus.of(4, 4));
    assertThat(Translations.of(SpinModels.potts(new Lattice(3, 5, true), 3, 1)))
        .contains(Torus.of(3, 5));
    assertThat(Translations.of(SpinModels.ising(new Lattice(1, 9, true), 1, 1, 0)))
        .contains(Torus.of(9));
    assertThat(Translations.of(SpinModels.ising(cube(), 1, filled(24), new double[12])))
        .contains(Torus.of(2, 3, 2));
  }

  /** The edges of a torus of 2 x 3 x 2 sites, of which those along sides of two are listed once. */
  private static List<Edge> cube() {
    Torus torus = Torus.of(2, 3, 2);
    List<Edge> edges = new ArrayList<>();
    for (int site = 0; site < 12; site++) {
      for (int step : new int[] {1, 2, 6}) {
        int to = torus.at(site, step);
        if (step == 2 || site < to) {
          edges.add(new Edge(site, to));
        }
      }
    }
    return edges;
  }

  private static double[] filled(int count) {
    double[] values = new double[count];
    Arrays.fill(values, 0.5);
    return values;
  }

  @Test
  void whatDiffersFromPlaceToPlaceIsNone() {
    assertThat(Translations.of(SpinModels.ising(new Lattice(4, 4, false), 0.44, 1, 0))).isEmpty();
    assertThat(Translations.of(SpinModels.sherringtonKirkpatrick(8, 1, 1))).isEmpty();
    List<Edge> edges = Lattice.torus(4).edges();
    double[] couplings = filled(edges.size());
    double[] fields = new double[16];
    assertThat(Translations.of(SpinModels.ising(edges, 1, couplings, fields))).isPresent();
    fields[5] = 0.1;
    assertThat(Translations.of(SpinModels.ising(edges, 1, couplings, fields))).isEmpty();
    fields[5] = 0;
    couplings[7] = 0.6;
    assertThat(Translations.of(SpinModels.ising(edges, 1, couplings, fields))).isEmpty();
  }

  @Test
  void symbolsMustBeAsManyEverywhere() {
    assertThat(Translations.of(new FactorGraph(Space.of(2, 3), List.of()))).isEmpty();
    assertThat(Translations.of(new FactorGraph(Space.of(2), List.of()))).isEmpty();
  }

  /** The order in which a factor names its positions does not matter, what it says of them does. */
  @Test
  void factorsAreComparedAsFunctions() {
    Space ring = Space.uniform(3, 2);
    double[] turned = {0, 2, 1, 3}; // the same, of both positions the other way around
    Factor first = new Factor(List.of(0, 1), DIRECTED);
    Factor second = new Factor(List.of(1, 2), DIRECTED);
    assertThat(
            Translations.of(
                new FactorGraph(ring, List.of(first, second, new Factor(List.of(0, 2), turned)))))
        .contains(Torus.of(3));
    assertThat(
            Translations.of(
                new FactorGraph(ring, List.of(first, second, new Factor(List.of(0, 2), DIRECTED)))))
        .isEmpty();
  }
}
