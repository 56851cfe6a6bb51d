package io.ringflow.paper.oracle;

import io.ringflow.core.Space;
import java.util.Arrays;

/**
 * What measuring every site of a Greenberger-Horne-Zeilinger state {@code (|0…0> + |1…1>) / sqrt 2}
 * gives, one of four outcomes a site: a distribution whose sites all depend on each other, known
 * exactly.
 *
 * <p>Outcomes 0, 1 and 2 find the site in {@code |0>}, {@code |1>} and {@code |+>}, each tried in a
 * third of the cases; outcome 3 is whatever else happens (the "Pauli-4" measurement of Carrasquilla
 * et al. 2019). With the diagonal elements and the real off-diagonal one of each operator,
 *
 * <pre>
 *   p(a) = (prod &lt;0|M|0&gt; + prod &lt;1|M|1&gt;) / 2 + prod &lt;0|M|1&gt;
 * </pre>
 *
 * <p>so that a row's probability follows from how often each outcome occurs in it. Outcomes 0 and 1
 * never occur together.
 */
public final class GhzState {
  public static final int OUTCOMES = 4;
  private static final double[] ZERO = {1.0 / 3, 0, 1.0 / 6, 1.0 / 2}; // <0|M|0>
  private static final double[] ONE = {0, 1.0 / 3, 1.0 / 6, 1.0 / 2}; // <1|M|1>
  private static final double[] BETWEEN = {0, 0, 1.0 / 6, -1.0 / 6}; // <0|M|1>

  private final int sites;

  /**
   * A state.
   *
   * @param sites at least 2
   */
  public GhzState(int sites) {
    if (sites < 2) {
      throw new IllegalArgumentException("sites must be at least 2, but is " + sites);
    }
    this.sites = sites;
  }

  public Space space() {
    return Space.uniform(sites, OUTCOMES);
  }

  /** The log-probability of each row, in nats; minus infinity where it can't occur. */
  public double[] logProb(int[][] rows) {
    space().check("row", rows);
    return Arrays.stream(rows).mapToDouble(row -> Math.log(probability(counts(row)))).toArray();
  }

  private static int[] counts(int[] row) {
    int[] counts = new int[OUTCOMES];
    for (int outcome : row) {
      counts[outcome]++;
    }
    return counts;
  }

  /** Of any one row in which the outcomes occur so often. */
  private static double probability(int[] counts) {
    double zero = 0.5;
    double one = 0.5;
    double between = 1;
    for (int outcome = 0; outcome < OUTCOMES; outcome++) {
      zero *= Math.pow(ZERO[outcome], counts[outcome]);
      one *= Math.pow(ONE[outcome], counts[outcome]);
      between *= Math.pow(BETWEEN[outcome], counts[outcome]);
    }
    return zero + one + between;
  }

  /** The entropy of a row, in nats: rows of the same counts are equally likely. */
  public double entropy() {
    var sum = new CompensatedSum();
    for (int n0 = 0; n0 <= sites; n0++) {
      for (int n1 = 0; n0 + n1 <= sites; n1++) {
        for (int n2 = 0; n0 + n1 + n2 <= sites; n2++) {
          int[] counts = {n0, n1, n2, sites - n0 - n1 - n2};
          sum.add(rows(counts) * Entropy.term(probability(counts)));
        }
      }
    }
    return sum.value();
  }

  /** How many rows have these counts. */
  private static double rows(int[] counts) {
    double rows = 1;
    int all = 0;
    for (int count : counts) {
      for (int i = 1; i <= count; i++) {
        rows = rows * ++all / i;
      }
    }
    return rows;
  }

  /** What the best factorised model pays for a row: a third or a half of each site's outcomes. */
  public double factorised() {
    double[] site = new double[OUTCOMES];
    Arrays.setAll(site, outcome -> (ZERO[outcome] + ONE[outcome]) / 2);
    return sites * Entropy.of(site);
  }
}
