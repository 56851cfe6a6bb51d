package io.ringflow.infer;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Reorder;
import io.ringflow.model.Architecture;
import io.ringflow.network.LogLinearMade;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.network.TorusMade;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The model that a target gets where the user names none: groups of positions one after the other,
 * by a perceptron with direct tables for those that share a factor, or nearly.
 *
 * <p>Of a graph with small tables, such as most Bayesian networks, the positions come one by one in
 * the reverse of the order in which they would be summed out. What a position then depends on is
 * the few others of its table, and nothing else: a table of free logits is a model that can be
 * exact, and learns in a tenth of the time.
 *
 * <p>Of a graph that is the same everywhere, such as a lattice on a torus, positions of a group
 * share what they learn.
 *
 * <p>Of a graph with too few passes for its positions, such as a large lattice, neighbours are
 * packed in blocks, which are sampled as one symbol each.
 */
final class InferenceNetwork {
  /** The most others that a position has a table for, the nearest first. */
  private static final int MAX_NEARBY = 12;

  /** How many known blocks a block sees directly, at least, where there are as many. */
  private static final int MIN_KNOWN = 12;

  /** The most entries of a table that is learned freely: each must be met often enough. */
  private static final long MAX_TABLE = 1024;

  /** The most values of a block: larger ones take longer to learn than they save. */
  private static final int MAX_PACKED = 16;

  /** How many of the known positions those of a torus see, the nearest: most decide nothing. */
  private static final int MAX_SEEN = 24;

  /** Hidden units that the positions of a group share. */
  private static final int SHARED_UNITS = 48;

  private static final int UNITS_A_GROUP = 16;
  private static final int UNITS_A_GROUP_OF_BLOCKS = 64;
  private static final int MIN_UNITS = 256;
  private static final int MAX_UNITS = 4096;

  private InferenceNetwork() {}

  /** Of a target of which nothing is known but its rows. */
  static Architecture of(Space space, int passes) {
    Groups groups = Groups.growing(space.size(), passes);
    return Architecture.of(space, new GroupBase(groups, new Made(units(groups), 1)));
  }

  /** How many passes suit a graph: one for each position, unless these can share their weights. */
  static int passes(FactorGraph graph) {
    return ExactInference.largestTable(graph) <= MAX_TABLE
        ? graph.space().size()
        : Translations.of(graph)
            .map(torus -> new TorusOrder(torus, graph.neighbours().get(0)).goodPasses())
            .orElse(graph.space().size());
  }

  /** How many passes suit a target that is the same everywhere on a torus. */
  static int passes(Torus torus) {
    return new TorusOrder(torus).goodPasses();
  }

  /** Of a target of which nothing is known but its rows, and that it is the same everywhere. */
  static Architecture of(Space space, Torus torus, int passes) {
    TorusOrder order = new TorusOrder(torus);
    Groups groups =
        order
            .groups(passes)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a torus of sides "
                            + torus.sides()
                            + " takes at least "
                            + order.fewestPasses()
                            + " passes, but passes is "
                            + passes));
    return Architecture.of(
        space, new GroupBase(groups, TorusMade.of(torus, groups, SHARED_UNITS, MAX_SEEN)));
  }

  /** Of a graph. */
  static Architecture of(FactorGraph graph, int passes) {
    if (passes == graph.space().size() && ExactInference.largestTable(graph) <= MAX_TABLE) {
      return tables(graph);
    }
    List<List<Integer>> neighbours = graph.neighbours();
    Optional<Architecture> shared =
        Translations.of(graph).flatMap(torus -> shared(graph, torus, passes));
    if (shared.isPresent()) {
      return shared.get();
    }
    GraphBlocks blocks = blocks(graph, passes);
    if (blocks.size() > 1) {
      return packed(graph.space(), blocks, passes);
    }
    Groups groups = new GraphOrder(neighbours).groups(passes);
    List<List<List<Integer>>> direct = new ArrayList<>();
    for (int position = 0; position < graph.space().size(); position++) {
      Set<List<Integer>> parents = new LinkedHashSet<>();
      nearby(position, neighbours).forEach(other -> parents.add(List.of(other)));
      parents.addAll(pairs(position, graph));
      direct.add(List.copyOf(parents));
    }
    return Architecture.of(
        graph.space(), new GroupBase(groups, new Made(units(groups), 1, direct)));
  }

  /**
   * Of a graph that translations leave as it is: positions of a group share their weights. A group
   * that knows all its neighbours sees these alone, since nothing else then matters; and where
   * factors are of two positions at most, each of them has its own share in the logits.
   */
  private static Optional<Architecture> shared(FactorGraph graph, Torus torus, int passes) {
    List<Integer> neighbours = graph.neighbours().get(0);
    boolean inPairs = graph.factors().stream().allMatch(factor -> factor.positions().size() <= 2);
    return new TorusOrder(torus, neighbours)
        .groups(passes)
        .map(
            groups -> {
              List<Integer> units = new ArrayList<>();
              List<List<Integer>> seen = new ArrayList<>();
              for (List<Integer> known : TorusMade.known(torus, groups)) {
                boolean knowsAll = known.containsAll(neighbours);
                units.add(knowsAll && inPairs ? 0 : SHARED_UNITS);
                seen.add(
                    knowsAll ? neighbours : known.subList(0, Math.min(MAX_SEEN, known.size())));
              }
              return Architecture.of(
                  graph.space(), new GroupBase(groups, new TorusMade(torus, units, seen)));
            });
  }

  /**
   * Blocks so large that the passes suffice for one block each, but for the last, which takes those
   * that are no neighbours: then nothing is lost between the positions of a pass. Single positions
   * where there are passes enough for these, or where no blocks are found.
   */
  private static GraphBlocks blocks(FactorGraph graph, int passes) {
    List<List<Integer>> neighbours = graph.neighbours();
    GraphBlocks blocks = GraphBlocks.singles(neighbours);
    Space space = graph.space();
    while (space.isUniform()
        && new GraphOrder(blocks.neighbours()).before() >= passes
        && Math.pow(space.maxCardinality(), 2 * blocks.size()) <= MAX_PACKED) {
      Optional<GraphBlocks> larger = blocks.paired(neighbours);
      if (larger.isEmpty() || larger.get().blocks().size() < passes) {
        break;
      }
      blocks = larger.get();
    }
    return blocks;
  }

  private static Architecture packed(Space space, GraphBlocks blocks, int passes) {
    Groups groups = new GraphOrder(blocks.neighbours()).groups(passes);
    int size = blocks.size();
    List<Integer> digits = Collections.nCopies(size, space.maxCardinality());
    LogLinearMade network =
        new LogLinearMade(
            units(groups, UNITS_A_GROUP_OF_BLOCKS), digits, size, nearestKnown(blocks, groups));
    Order inBlocks = new Order(blocks.blocks().stream().flatMap(List::stream).toList());
    return new Architecture(
        space,
        Space.NONE,
        new GroupBase(groups, network),
        List.of(new Pack(size), new Reorder(inBlocks.inverse())));
  }

  /**
   * The nearest of the blocks that come before each, at least so many where there are; of blocks
   * whose neighbours all come before them these alone, since nothing else then matters.
   *
   * <p>Blocks far apart come first, so that the nearest that are known are often not the nearest
   * there are.
   */
  private static List<List<Integer>> nearestKnown(GraphBlocks blocks, Groups groups) {
    List<List<Integer>> neighbours = blocks.neighbours();
    int[] groupOf = new int[neighbours.size()];
    for (int group = 0; group < groups.count(); group++) {
      for (int block : groups.groups().get(group)) {
        groupOf[block] = group;
      }
    }
    return IntStream.range(0, groupOf.length)
        .mapToObj(
            block -> {
              List<Integer> own = neighbours.get(block);
              IntPredicate isKnown = other -> groupOf[other] < groupOf[block];
              return own.stream().allMatch(isKnown::test)
                  ? own
                  : nearest(block, neighbours, isKnown);
            })
        .toList();
  }

  /** Whole rings around a block, until they hold enough that are known. */
  private static List<Integer> nearest(
      int block, List<List<Integer>> neighbours, IntPredicate isKnown) {
    Set<Integer> found = new LinkedHashSet<>(List.of(block));
    List<Integer> ring = List.of(block);
    List<Integer> known = new ArrayList<>();
    while (!ring.isEmpty() && known.size() < MIN_KNOWN) {
      ring = ring.stream().flatMap(one -> neighbours.get(one).stream()).filter(found::add).toList();
      ring.stream().filter(isKnown::test).forEach(known::add);
    }
    return List.copyOf(known);
  }

  /** How to train a model. */
  static InferenceOptions options(Architecture architecture) {
    if (architecture.base() instanceof AutoregressiveBase base
        && base.network() instanceof LookupTable) {
      return InferenceOptions.FOR_TABLES;
    }
    return architecture.base() instanceof GroupBase base && base.network() instanceof LogLinearMade
        ? InferenceOptions.FOR_BLOCKS
        : InferenceOptions.DEFAULT;
  }

  private static Architecture tables(FactorGraph graph) {
    List<Integer> order = new ArrayList<>();
    List<List<Integer>> parents =
        new ArrayList<>(Collections.nCopies(graph.space().size(), List.of()));
    for (Elimination.Step step : Elimination.of(graph).steps()) {
      order.add(0, step.position());
      parents.set(step.position(), step.others().stream().sorted().toList());
    }
    return Architecture.of(
        graph.space(), new AutoregressiveBase(new Order(order), LookupTable.of(parents)));
  }

  private static int units(Groups groups) {
    return units(groups, UNITS_A_GROUP);
  }

  private static int units(Groups groups, int each) {
    return Math.max(MIN_UNITS, Math.min(MAX_UNITS, each * groups.count()));
  }

  /** The neighbours of a position, then theirs, as many as there may be. */
  private static List<Integer> nearby(int position, List<List<Integer>> neighbours) {
    Set<Integer> found = new LinkedHashSet<>(List.of(position));
    List<Integer> ring = List.of(position);
    while (!ring.isEmpty() && found.size() <= MAX_NEARBY) {
      List<Integer> next = new ArrayList<>();
      for (int one : ring) {
        for (int other : neighbours.get(one)) {
          if (found.size() <= MAX_NEARBY && found.add(other)) {
            next.add(other);
          }
        }
      }
      ring = next;
    }
    return found.stream().skip(1).toList();
  }

  /** The pairs of others in factors of three and more. */
  private static List<List<Integer>> pairs(int position, FactorGraph graph) {
    List<List<Integer>> pairs = new ArrayList<>();
    for (Factor factor : graph.factors()) {
      List<Integer> others =
          factor.positions().stream().filter(other -> other != position).sorted().toList();
      if (others.size() < factor.positions().size()) {
        for (int i = 0; i < others.size(); i++) {
          for (int j = i + 1; j < others.size(); j++) {
            pairs.add(List.of(others.get(i), others.get(j)));
          }
        }
      }
    }
    return pairs;
  }
}
