package io.ringflow.infer;

import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Models of spins on the sites of a graph: Ising, Potts, Sherrington-Kirkpatrick.
 *
 * <p>The log-weight of a row is minus its energy times beta, the inverse temperature. A site is a
 * position. In Ising models symbol 0 is the spin -1 and symbol 1 the spin +1.
 */
public final class SpinModels {
  private SpinModels() {}

  /**
   * The Ising model on a square lattice: {@code log w = beta * (coupling * sum of neighbours'
   * products + field * sum of spins)}.
   */
  public static FactorGraph ising(Lattice lattice, double beta, double coupling, double field) {
    List<Edge> edges = lattice.edges();
    return ising(edges, beta, filled(edges.size(), coupling), filled(lattice.sites(), field));
  }

  /**
   * The Ising model on any graph: {@code log w = beta * (sum over edges of coupling * product of
   * the two spins + sum over sites of field * spin)}.
   *
   * @param edges of the graph; one that is listed twice counts twice
   * @param beta the inverse temperature
   * @param couplings of the edges, in their order
   * @param fields of the sites, one for each, zero where there is none
   */
  public static FactorGraph ising(
      List<Edge> edges, double beta, double[] couplings, double[] fields) {
    double[][] bySymbol = new double[fields.length][];
    Arrays.setAll(bySymbol, site -> new double[] {-fields[site], fields[site]});
    return graph(edges, 2, beta, couplings, -1, bySymbol);
  }

  /** The Potts model on a square lattice: {@code log w = beta * number of equal neighbours}. */
  public static FactorGraph potts(Lattice lattice, int states, double beta) {
    Checks.atLeast("states", states, 1);
    return potts(lattice, states, beta, new double[states]);
  }

  /**
   * The Potts model on a square lattice with a field: {@code log w = beta * (number of equal
   * neighbours + sum over sites of fields[state])}.
   */
  public static FactorGraph potts(Lattice lattice, int states, double beta, double[] fields) {
    List<Edge> edges = lattice.edges();
    double[][] everywhere = Collections.nCopies(lattice.sites(), fields).toArray(double[][]::new);
    return potts(edges, states, beta, filled(edges.size(), 1), everywhere);
  }

  /**
   * The Potts model on any graph: {@code log w = beta * (sum of the couplings of edges whose sites
   * are equal + sum over sites of fields[site][state])}.
   *
   * @param edges of the graph; one that is listed twice counts twice
   * @param states K, the number of symbols of each site
   * @param beta the inverse temperature
   * @param couplings of the edges, in their order
   * @param fields {@code [site][state]}, one for each site and state
   */
  public static FactorGraph potts(
      List<Edge> edges, int states, double beta, double[] couplings, double[][] fields) {
    return graph(edges, states, beta, couplings, 0, fields);
  }

  /**
   * An instance of the Sherrington-Kirkpatrick model: every two spins are coupled, by independent
   * normal numbers of variance {@code 1 / sites}.
   *
   * <p>The couplings are those of {@code torch.manual_seed(seed)} and {@code randn(sites, sites) /
   * sqrt(sites)}, whose upper triangle counts: to about 1e-6 the instances that others publish.
   *
   * @param sites at least 4: smaller matrices follow another rule in libtorch
   */
  public static FactorGraph sherringtonKirkpatrick(int sites, double beta, long seed) {
    Checks.inRange("sites", sites, 4, 10_000);
    float[] normals = TorchNormals.sample(sites * sites, seed);
    double[][] couplings = new double[sites][sites];
    for (int i = 0; i < sites; i++) {
      for (int j = i + 1; j < sites; j++) {
        couplings[i][j] = normals[i * sites + j] / (float) Math.sqrt(sites);
        couplings[j][i] = couplings[i][j];
      }
    }
    return sherringtonKirkpatrick(couplings, beta);
  }

  /**
   * The model with the couplings given: {@code log w = beta * sum over i < j of couplings[i][j] *
   * product of the spins}.
   *
   * @param couplings a symmetric matrix, whose diagonal does not count
   */
  public static FactorGraph sherringtonKirkpatrick(double[][] couplings, double beta) {
    List<Edge> edges = new ArrayList<>();
    List<Double> strengths = new ArrayList<>();
    for (int i = 0; i < couplings.length; i++) {
      if (couplings[i].length != couplings.length) {
        throw new IllegalArgumentException(
            "couplings must be a square matrix, but row %d of %d has %d values"
                .formatted(i, couplings.length, couplings[i].length));
      }
      for (int j = 0; j < i; j++) {
        if (couplings[i][j] != couplings[j][i]) {
          throw new IllegalArgumentException(
              "couplings must be symmetric, but [%d][%d] is %s and [%d][%d] is %s"
                  .formatted(i, j, couplings[i][j], j, i, couplings[j][i]));
        }
        edges.add(new Edge(j, i));
        strengths.add(couplings[j][i]);
      }
    }
    return ising(
        edges,
        beta,
        strengths.stream().mapToDouble(Double::doubleValue).toArray(),
        new double[couplings.length]);
  }

  private static double[] filled(int count, double value) {
    double[] values = new double[count];
    Arrays.fill(values, value);
    return values;
  }

  /** An edge adds its coupling if its sites are equal, and that times {@code unequal} if not. */
  private static FactorGraph graph(
      List<Edge> edges,
      int states,
      double beta,
      double[] couplings,
      double unequal,
      double[][] fields) {
    checkFinite("beta", beta);
    if (couplings.length != edges.size()) {
      throw new IllegalArgumentException(
          "each edge needs a coupling, but there are %d edges and %d couplings"
              .formatted(edges.size(), couplings.length));
    }
    Space space = Space.uniform(fields.length, states);
    List<Factor> factors = new ArrayList<>();
    for (int e = 0; e < couplings.length; e++) {
      checkFinite("the coupling of edge " + e, couplings[e]);
      double[] values = filled(states * states, beta * couplings[e] * unequal);
      for (int state = 0; state < states; state++) {
        values[state * states + state] = beta * couplings[e];
      }
      factors.add(new Factor(List.of(edges.get(e).first(), edges.get(e).second()), values));
    }
    for (int site = 0; site < fields.length; site++) {
      if (fields[site].length != states) {
        throw new IllegalArgumentException(
            "each state needs a field, but site %d has %d fields for %d states"
                .formatted(site, fields[site].length, states));
      }
      for (double field : fields[site]) {
        checkFinite("the field of site " + site, field);
      }
      if (Arrays.stream(fields[site]).anyMatch(field -> field != 0)) {
        factors.add(
            new Factor(
                List.of(site), Arrays.stream(fields[site]).map(field -> beta * field).toArray()));
      }
    }
    return new FactorGraph(space, factors);
  }

  private static void checkFinite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " must be a number, but is " + value);
    }
  }
}
