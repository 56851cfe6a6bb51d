package io.ringflow.paper.experiment;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.oracle.PottsLattice;
import io.ringflow.train.TrainingOptions;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A model of a lattice: an autoregressive base alone, or below a layer that divides out the
 * symmetry of the states; with the paper's network or with one that can know the lattice.
 *
 * <p>The energy stays the same when a constant is added to all sites (mod K). The layer has a free
 * location for every state of the first site, which all other sites share, and learns to subtract
 * that state. The base visits the sites in the same order: the first one is then uniform and says
 * nothing of the others, of whose distribution a K-th is left to learn. Had the layer subtracted
 * the last site, the base would have to guess from its first site on what it only comes to at the
 * end: on 4 x 4 sites that cost more than the symmetry gained.
 */
enum PottsModel {
  /** "A single layer LSTM with 32 hidden units." */
  BASE("autoregressive base", false, true),
  FLOW("autoregressive flow", true, true),
  WIDE_BASE("autoregressive base, MADE of 64 units", false, false),
  WIDE_FLOW("autoregressive flow, MADE of 64 units", true, false);

  private static final double BASE_RATE = 2e-2;
  private static final double LAYER_RATE = 5e-2;

  /** Over which the layer learns; then it stands still. */
  private static final double LAYER_SHARE = 0.1;

  /** As in {@link io.ringflow.paper.harness.Result}. */
  final String label;

  final boolean flow;

  /** Whether its network is the one that the paper names. */
  final boolean ofThePaper;

  PottsModel(String label, boolean flow, boolean ofThePaper) {
    this.label = label;
    this.flow = flow;
    this.ofThePaper = ofThePaper;
  }

  Architecture on(PottsLattice lattice) {
    Order order = Order.natural(lattice.sites());
    Architecture base =
        Architecture.of(lattice.space(), new AutoregressiveBase(order, network(lattice)));
    LookupTable ofTheFirst =
        LookupTable.of(Collections.nCopies(lattice.sites(), List.of(0))).sharingRows();
    return flow ? base.with(new Autoregressive(order, ofTheFirst, new Shift())) : base;
  }

  private Network network(PottsLattice lattice) {
    return ofThePaper ? new Lstm(16, 32, 1) : new Made(64, 1, earlierNeighbours(lattice));
  }

  /** Of every site, its neighbours each by itself; those that come later are not seen. */
  private static List<List<List<Integer>>> earlierNeighbours(PottsLattice lattice) {
    return IntStream.range(0, lattice.sites())
        .mapToObj(
            site ->
                lattice.neighbours().get(site).stream()
                    .distinct()
                    .filter(neighbour -> neighbour < site)
                    .sorted()
                    .map(List::of)
                    .toList())
        .toList();
  }

  /** Names the picture of its samples. */
  String picture() {
    return (flow ? "flow" : "base") + (ofThePaper ? "" : "-made");
  }

  /** Lattices in a step. */
  int batch() {
    return ofThePaper ? 256 : 512;
  }

  /** The same steps for base and flow: the layer learns in the first of them, beside its base. */
  TrainingOptions options(Effort effort) {
    int steps =
        switch (effort) {
          case QUICK -> 20;
          case DEFAULT -> ofThePaper ? 6000 : 1000;
          case FULL -> ofThePaper ? 10_000 : 4000;
        };
    TrainingOptions.Builder options =
        TrainingOptions.builder(steps)
            .learningRate(LAYER_RATE)
            .baseLearningRate(BASE_RATE)
            .warmupSteps(steps / 40);
    if (flow) {
      options.objective(Objective.LAYERWISE_CROSS_ENTROPY).layerSchedule(0, LAYER_SHARE);
    }
    return options.build();
  }
}
