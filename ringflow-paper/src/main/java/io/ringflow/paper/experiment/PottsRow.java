package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.oracle.PottsLattice;
import java.util.List;

/**
 * One row of the paper's Table 2: a lattice, and what the paper's two models make of it.
 *
 * @param states of a site
 * @param side of the lattice
 * @param coupling the paper's J
 * @param base nats of its autoregressive base
 * @param flow nats of its autoregressive flow
 */
record PottsRow(int states, int side, double coupling, double base, double flow) {
  /** The table. */
  static final List<PottsRow> ALL =
      List.of(
          new PottsRow(3, 3, 0.1, 9.27, 9.124),
          new PottsRow(3, 3, 0.5, 3.79, 3.79),
          new PottsRow(3, 4, 0.1, 16.66, 11.23),
          new PottsRow(3, 4, 0.5, 6.30, 5.62),
          new PottsRow(4, 3, 0.1, 11.64, 10.45),
          new PottsRow(4, 3, 0.5, 5.87, 5.56),
          new PottsRow(5, 3, 0.1, 13.58, 10.25),
          new PottsRow(5, 3, 0.5, 7.94, 7.07));

  /** The rows to run: to see that everything works, some of either size will do. */
  static List<PottsRow> of(Effort effort) {
    return effort == Effort.QUICK ? List.of(ALL.get(0), ALL.get(1), ALL.get(3)) : ALL;
  }

  /** The paper's result of a model; null for a network that is not the paper's. */
  Double paper(PottsModel model) {
    if (!model.ofThePaper) {
      return null;
    }
    return model.flow ? flow : base;
  }

  String setting() {
    return states + " states, D=" + side * side + ", J=" + coupling;
  }

  /** Its lattice; takes a while. */
  PottsLattice solve() {
    return PottsLattice.paper(side, states, coupling);
  }
}
