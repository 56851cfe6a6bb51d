package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.testing.Zoo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A network on its spaces, by groups, in a precision, with some logits for each position. */
record CausalCase(
    Network network, Zoo.Setting setting, Groups groups, Precision precision, int width) {
  static final int WIDTH = 5;
  private static final Zoo.Setting LONG = new Zoo.Setting(Space.uniform(40, 6), Space.of(7, 2));

  /** Columns of one, a few and many symbols. */
  private static final Zoo.Setting LONG_AND_MIXED =
      new Zoo.Setting(
          new Space(IntStream.range(0, 30).mapToObj(d -> 1 + (d * 7 + 2) % 11).toList()),
          Space.of(1, 3));

  CausalCase(Network network, Zoo.Setting setting, Groups groups, Precision precision) {
    this(network, setting, groups, precision, WIDTH);
  }

  CausalConditioner conditioner() {
    return network.causal(setting.space(), groups, setting.condition(), width);
  }

  /** The space in the order in which the network reads it. */
  Space inOrder() {
    return setting.space().select(groups.order().positions());
  }

  static Stream<CausalCase> cases() {
    List<CausalCase> found = new ArrayList<>();
    for (Zoo.Setting setting : Zoo.settings()) {
      for (Groups groups : someGroups(setting)) {
        grouping()
            .forEach(
                network -> {
                  found.add(new CausalCase(network, setting, groups, Precision.FLOAT32));
                  found.add(new CausalCase(network, setting, groups, Precision.FLOAT64));
                });
      }
    }
    return Stream.concat(
        found.stream(),
        Zoo.settings().stream()
            .filter(setting -> setting.space().isUniform())
            .flatMap(
                setting ->
                    Stream.of(
                            patched(setting, List.of(3, 2)),
                            logLinear(setting),
                            onRing(setting),
                            withNgrams(setting))
                        .flatMap(some -> some)));
  }

  /** A network whose positions share their weights. */
  private static Stream<CausalCase> onRing(Zoo.Setting setting) {
    Torus ring = Torus.of(setting.size());
    return someGroups(setting).stream()
        .flatMap(
            groups ->
                Stream.of(Precision.FLOAT32, Precision.FLOAT64)
                    .map(
                        bits ->
                            new CausalCase(
                                TorusMade.of(ring, groups, 6, setting.size()),
                                setting,
                                groups,
                                bits,
                                setting.space().maxCardinality())));
  }

  /** Networks beside n-grams, of which none were counted: what they see is theirs alone. */
  private static Stream<CausalCase> withNgrams(Zoo.Setting setting) {
    Network network = new NgramMixture(new Made(60, 1), 2, 9);
    int symbols = setting.space().maxCardinality();
    return someGroups(setting).stream()
        .map(groups -> new CausalCase(network, setting, groups, Precision.FLOAT64, symbols));
  }

  /** A network that predicts symbols by their digits: a logit for each. */
  private static Stream<CausalCase> logLinear(Zoo.Setting setting) {
    int symbols = setting.space().maxCardinality();
    List<Integer> digits = symbols == 4 ? List.of(2, 2) : List.of(symbols);
    Network network = new LogLinearMade(7, digits, digits.size());
    return someGroups(setting).stream()
        .flatMap(
            groups ->
                Stream.of(Precision.FLOAT32, Precision.FLOAT64)
                    .map(bits -> new CausalCase(network, setting, groups, bits, symbols)));
  }

  /** Groups of patches of some sizes, each both ways. */
  private static Stream<CausalCase> patched(Zoo.Setting setting, List<Integer> sizes) {
    return sizes.stream()
        .filter(patch -> setting.size() % patch == 0)
        .flatMap(
            patch -> {
              int tokens = setting.size() / patch;
              Groups groups = Groups.growing(tokens, (tokens + 1) / 2, 1).inPatches(patch);
              int gram = Math.min(2, patch);
              Transformer half = new Transformer(8, 1, 2, 12); // both as deep as the others
              Network network = new PatchTransformer(half, patch, 7, gram, half.withNgrams(11));
              return Stream.of(Precision.FLOAT32, Precision.FLOAT64)
                  .map(bits -> new CausalCase(network, setting, groups, bits));
            });
  }

  /** The networks that take groups of several positions. */
  private static Stream<Network> grouping() {
    return Zoo.networks().stream().filter(network -> !(network instanceof Lstm));
  }

  /** All ways to group three positions that differ; else the named ones and a few cuts. */
  private static List<Groups> someGroups(Zoo.Setting setting) {
    int size = setting.size();
    if (size == 3 && !setting.space().isUniform()) {
      return Arrays.stream(Space.uniform(3, 3).enumerate())
          .filter(CausalCase::leavesNoneOut)
          .map(groupOf -> Groups.of(3, position -> groupOf[position]))
          .toList();
    }
    return List.of(
        Groups.blocks(size, 2),
        Groups.midpoints(size),
        Groups.growing(size, (size + 1) / 2),
        Groups.growing(size, size / 2 + 1, 1, 0),
        Groups.cut(Order.reversed(size), 1, size - 1),
        Groups.cut(Order.spread(size), size - 1, 1),
        Groups.cut(Order.spread(size), 1, size - 2, 1));
  }

  /** The same groups in float64, for networks with enough units to see everything they may. */
  static Stream<CausalCase> farSighted() {
    List<Network> networks =
        List.of(
            new LookupTable(),
            new Made(60, 2),
            new Made(3, 1, Zoo.EVERYBODY),
            new Transformer(8, 2, 2, 12));
    return Zoo.settings().stream()
        .flatMap(
            setting ->
                someGroups(setting).stream()
                    .flatMap(
                        groups ->
                            networks.stream()
                                .map(
                                    network ->
                                        new CausalCase(
                                            network, setting, groups, Precision.FLOAT64))));
  }

  /** Whether no number up to the largest is left out. */
  private static boolean leavesNoneOut(int[] groupOf) {
    int largest = Arrays.stream(groupOf).max().orElseThrow();
    return Arrays.stream(groupOf).distinct().count() == largest + 1;
  }

  static Stream<CausalCase> conditional() {
    return cases().filter(test -> test.setting.condition().size() > 0);
  }

  static Stream<CausalCase> decoded() {
    Groups spread = Groups.cut(Order.spread(40), 1, 2, 5, 32);
    List<Groups> groups =
        List.of(Groups.growing(40, 6), Groups.midpoints(40), Groups.blocks(40, 7), spread);
    Stream<CausalCase> more =
        grouping()
            .filter(network -> !network.equals(new LookupTable()))
            .flatMap(
                network ->
                    groups.stream()
                        .flatMap(
                            some ->
                                Stream.of(Precision.FLOAT32, Precision.FLOAT64)
                                    .map(bits -> new CausalCase(network, LONG, some, bits))));
    return Stream.of(cases(), more, patched(LONG, List.of(1, 2, 4, 8)), oneByOne())
        .flatMap(all -> all);
  }

  /** Every network one position at a time, on longer spaces too, over which errors add up. */
  private static Stream<CausalCase> oneByOne() {
    List<CausalityTest.Case> all = new ArrayList<>(CausalityTest.cases().toList());
    for (Network network : Zoo.networks()) {
      if (!network.equals(new LookupTable())) {
        for (Precision precision : Precision.values()) {
          all.add(new CausalityTest.Case(network, LONG, precision));
          all.add(new CausalityTest.Case(network, LONG_AND_MIXED, precision));
        }
      }
    }
    return all.stream()
        .filter(one -> one.precision() != Precision.BFLOAT16) // has no bound on its errors
        .flatMap(
            one ->
                one.widths().stream()
                    .map(
                        width ->
                            new CausalCase(
                                one.network(),
                                one.setting(),
                                Groups.singles(Order.natural(one.setting().size())),
                                one.precision(),
                                width)));
  }

  static Stream<CausalCase> attentive() {
    Stream<CausalCase> grouped =
        farSighted()
            .filter(test -> test.groups.count() > 1)
            .filter(test -> test.inOrder().cardinality(0) > 1);
    return Stream.concat(grouped, oneByOne());
  }
}
