package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.model.Architecture;
import io.ringflow.network.LookupTable;
import io.ringflow.network.TorusMade;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InferenceNetworkTest {
  /**
   * The distribution of a position given all before it must not change with any that its table does
   * not have: by enumeration, for random graphs.
   */
  @Test
  void tablesHaveAllThatPositionsDependOn() {
    int without = 0;
    for (int seed = 1; seed <= 20; seed++) {
      FactorGraph graph = RandomGraphs.of(5, 0, new SplittableRandom(seed));
      AutoregressiveBase base =
          (AutoregressiveBase) InferenceNetwork.of(graph, graph.space().size()).base();
      List<List<Integer>> parents = ((LookupTable) base.network()).neighbours();
      List<Integer> order = base.order().positions();
      for (int i = 0; i < order.size(); i++) {
        List<Integer> before = order.subList(0, i);
        List<Integer> own = parents.get(order.get(i));
        assertThat(before).containsAll(own);
        without += before.size() - own.size();
        assertThat(divergence(graph, order.get(i), before, own)).isLessThan(1e-9);
      }
    }
    assertThat(without).as("positions that tables could leave out").isPositive();
  }

  /** What a position knows of those before it beyond what its parents say: mutual information. */
  private static double divergence(
      FactorGraph graph, int position, List<Integer> before, List<Integer> parents) {
    return conditionalEntropy(graph, position, parents)
        - conditionalEntropy(graph, position, before);
  }

  private static double conditionalEntropy(FactorGraph graph, int position, List<Integer> given) {
    List<Integer> both = new ArrayList<>(given);
    both.add(position);
    return entropy(graph, both) - entropy(graph, given);
  }

  private static double entropy(FactorGraph graph, List<Integer> positions) {
    int[][] rows = graph.space().enumerate();
    double[] logs = graph.logWeights(rows);
    double logZ = LogSums.of(logs);
    var shares = new HashMap<List<Integer>, Double>();
    for (int i = 0; i < rows.length; i++) {
      int[] row = rows[i];
      shares.merge(
          positions.stream().map(p -> row[p]).toList(), Math.exp(logs[i] - logZ), Double::sum);
    }
    return shares.values().stream().mapToDouble(p -> -p * Math.log(p)).sum();
  }

  @Test
  void largeTablesAndFewPassesAreForPerceptrons() {
    Set<Class<?>> bases = new HashSet<>();
    FactorGraph dense = SpinModels.sherringtonKirkpatrick(11, 1, 1);
    FactorGraph chain =
        SpinModels.ising(
            List.of(new Edge(0, 1), new Edge(1, 2), new Edge(2, 3)),
            1,
            new double[] {1, 1, 1},
            new double[4]);
    for (Architecture one :
        List.of(
            InferenceNetwork.of(dense, 11),
            InferenceNetwork.of(chain, 3),
            InferenceNetwork.of(Space.uniform(4, 2), 4))) {
      bases.add(one.base().getClass());
    }
    assertThat(bases).containsExactly(GroupBase.class);
    assertThat(InferenceNetwork.of(chain, 4).base()).isInstanceOf(AutoregressiveBase.class);
  }

  /**
   * In few passes, each but the last takes one block, and the last those that are no neighbours.
   */
  @Test
  void disorderedLatticesOfFewPassesArePackedInBlocks() {
    List<Edge> edges = Lattice.torus(8).edges();
    double[] couplings = new SplittableRandom(1).doubles(edges.size(), 0.9, 1.1).toArray();
    FactorGraph lattice = SpinModels.ising(edges, 0.4, couplings, new double[64]);
    Architecture packed = InferenceNetwork.of(lattice, 9);
    GroupBase base = (GroupBase) packed.base();
    assertThat(packed.baseSpace()).isEqualTo(Space.uniform(16, 16));
    assertThat(base.groups().groups().stream().map(List::size))
        .containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 8);
    assertThat(InferenceNetwork.options(packed)).isEqualTo(InferenceOptions.FOR_BLOCKS);
    List<Integer> last = base.groups().groups().get(8);
    Set<Integer> sites = new HashSet<>();
    last.forEach(block -> sites.addAll(packed.positions().sources().get(block)));
    assertThat(sites).hasSize(32);
    for (int block : last) {
      List<Integer> own = packed.positions().sources().get(block);
      for (int site : own) {
        assertThat(lattice.neighbours().get(site))
            .noneMatch(other -> sites.contains(other) && !own.contains(other));
      }
    }
    assertThat(InferenceNetwork.of(lattice, 33).baseSpace()).isEqualTo(lattice.space());
  }

  @Test
  void latticesThatAreTheSameEverywhereShareWeights() {
    FactorGraph lattice = SpinModels.potts(Lattice.torus(8), 3, 1);
    assertThat(InferenceNetwork.passes(lattice)).isEqualTo(14);
    GroupBase base = (GroupBase) InferenceNetwork.of(lattice, 10).base();
    TorusMade network = (TorusMade) base.network();
    assertThat(network.torus()).isEqualTo(Torus.of(8, 8));
    assertThat(base.groups().count()).isEqualTo(10);
    // The last half of all sites sees its neighbours alone.
    assertThat(network.seen().get(9)).containsExactlyInAnyOrder(1, 7, 8, 56);
    assertThat(network.hidden().get(9)).as("each adds its own share").isZero();
    assertThat(network.seen().get(8)).hasSize(24);
    assertThat(network.hidden().get(8)).isPositive();
    // With fewer passes than a torus has levels, blocks.
    assertThat(((GroupBase) InferenceNetwork.of(lattice, 5).base()).network())
        .isNotInstanceOf(TorusMade.class);
    // A small one is of tables, unless in few passes.
    FactorGraph small = SpinModels.ising(Lattice.torus(3), 0.4, 1, 0);
    assertThat(InferenceNetwork.passes(small)).isEqualTo(9);
    assertThat(InferenceNetwork.of(small, 9).base()).isInstanceOf(AutoregressiveBase.class);
  }
}
