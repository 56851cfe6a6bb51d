package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.Architecture;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Causal networks: what each group of positions sees, all at once and step by step. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class CausalConditionerTest {
  private static final int WIDTH = 5;
  private static final Zoo.Setting LONG = new Zoo.Setting(Space.uniform(40, 6), Space.of(7, 2));

  /** Columns of one, a few and many symbols. */
  private static final Zoo.Setting LONG_AND_MIXED =
      new Zoo.Setting(
          new Space(IntStream.range(0, 30).mapToObj(d -> 1 + (d * 7 + 2) % 11).toList()),
          Space.of(1, 3));

  /** A network on its spaces, by groups, in a precision, with some logits for each position. */
  record Case(Network network, Zoo.Setting setting, Groups groups, Precision precision, int width) {
    Case(Network network, Zoo.Setting setting, Groups groups, Precision precision) {
      this(network, setting, groups, precision, WIDTH);
    }

    CausalConditioner conditioner() {
      return network.causal(setting.space(), groups, setting.condition(), width);
    }
  }

  static Stream<Case> cases() {
    List<Case> found = new ArrayList<>();
    for (Zoo.Setting setting : Zoo.settings()) {
      for (Groups groups : someGroups(setting)) {
        grouping()
            .forEach(
                network -> {
                  found.add(new Case(network, setting, groups, Precision.FLOAT32));
                  found.add(new Case(network, setting, groups, Precision.FLOAT64));
                });
      }
    }
    return Stream.concat(
        found.stream(),
        Zoo.settings().stream()
            .filter(setting -> setting.space().isUniform())
            .flatMap(
                setting ->
                    Stream.of(patched(setting, List.of(3, 2)), logLinear(setting), onRing(setting))
                        .flatMap(some -> some)));
  }

  /** A network whose positions share their weights. */
  private static Stream<Case> onRing(Zoo.Setting setting) {
    Torus ring = Torus.of(setting.size());
    return someGroups(setting).stream()
        .flatMap(
            groups ->
                Stream.of(Precision.FLOAT32, Precision.FLOAT64)
                    .map(
                        bits ->
                            new Case(
                                TorusMade.of(ring, groups, 6, setting.size()),
                                setting,
                                groups,
                                bits,
                                setting.space().maxCardinality())));
  }

  /** A network that predicts symbols by their digits: a logit for each. */
  private static Stream<Case> logLinear(Zoo.Setting setting) {
    int symbols = setting.space().maxCardinality();
    List<Integer> digits = symbols == 4 ? List.of(2, 2) : List.of(symbols);
    Network network = new LogLinearMade(7, digits, digits.size());
    return someGroups(setting).stream()
        .flatMap(
            groups ->
                Stream.of(Precision.FLOAT32, Precision.FLOAT64)
                    .map(bits -> new Case(network, setting, groups, bits, symbols)));
  }

  /** Groups of patches of some sizes, each both ways. */
  private static Stream<Case> patched(Zoo.Setting setting, List<Integer> sizes) {
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
                  .map(bits -> new Case(network, setting, groups, bits));
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
          .filter(CausalConditionerTest::leavesNoneOut)
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
  static Stream<Case> farSighted() {
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
                                        new Case(network, setting, groups, Precision.FLOAT64))));
  }

  /** Whether no number up to the largest is left out. */
  private static boolean leavesNoneOut(int[] groupOf) {
    int largest = Arrays.stream(groupOf).max().orElseThrow();
    return Arrays.stream(groupOf).distinct().count() == largest + 1;
  }

  /** What a test does with a network and its weights. */
  interface Use {
    void of(CausalConditioner conditioner, Weights weights);
  }

  static void withWeights(Case test, Use use) {
    CausalConditioner conditioner = test.conditioner();
    try (Weights start = Zoo.wild(conditioner);
        Weights weights = start.copyIn(test.precision);
        Scope scope = Scope.inference()) {
      use.of(conditioner, weights);
    }
  }

  /** Logits of rows in the groups' order, {@code [B, D, width]}. */
  static Tensor logits(
      CausalConditioner conditioner, int[][] rows, int[][] condition, Case test, Weights weights) {
    EvaluationContext context =
        new EvaluationContext(weights, Zoo.condition(test.setting.condition(), condition));
    Symbols symbols = Symbols.of(Tensors.ids(rows, test.setting.size(), Device.CPU));
    return conditioner.logits(symbols, context);
  }

  /** The condition of zeros for some rows. */
  static int[][] zeros(int[][] rows, Case test) {
    return new int[rows.length][test.setting.condition().size()];
  }

  /** The space in the order in which the network reads it. */
  private static Space inOrder(Case test) {
    return test.setting.space().select(test.groups.order().positions());
  }

  /** Which outputs change, bit for bit, on any row, when the symbols at a place do. */
  private static boolean[] readers(
      CausalConditioner conditioner, int place, Case test, Weights weights) {
    Space space = inOrder(test);
    int[][] rows = space.enumerate();
    int[][] condition = zeros(rows, test);
    try (Scope scope = Scope.inference()) {
      Tensor before = logits(conditioner, rows, condition, test, weights);
      Tensor after =
          logits(
              conditioner,
              CausalityTest.withNextSymbol(rows, place, space),
              condition,
              test,
              weights);
      boolean[] changed = new boolean[space.size()];
      for (int output = 0; output < changed.length; output++) {
        changed[output] = !after.select(1, output).equal(before.select(1, output));
      }
      return changed;
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aGroupIgnoresItselfAndLaterOnes(Case test) {
    int[] group = test.groups.inOrder();
    withWeights(
        test,
        (conditioner, weights) -> {
          for (int place = 0; place < group.length; place++) {
            boolean[] changed = readers(conditioner, place, test, weights);
            for (int output = 0; output < group.length; output++) {
              if (group[output] <= group[place]) {
                assertThat(changed[output]).as("output %d of symbol %d", output, place).isFalse();
              }
            }
          }
        });
  }

  /** A network that saw nothing would pass the test above. */
  @ParameterizedTest
  @MethodSource("farSighted")
  void aGroupSeesAllBeforeIt(Case test) {
    int[] group = test.groups.inOrder();
    withWeights(
        test,
        (conditioner, weights) -> {
          for (int place = 0; place < group.length; place++) {
            boolean several = inOrder(test).cardinality(place) > 1;
            boolean[] changed = readers(conditioner, place, test, weights);
            for (int output = 0; output < group.length; output++) {
              assertThat(changed[output])
                  .as("output %d of symbol %d", output, place)
                  .isEqualTo(several && group[output] > group[place]);
            }
          }
        });
  }

  static Stream<Case> conditional() {
    return cases().filter(test -> test.setting.condition().size() > 0);
  }

  @ParameterizedTest
  @MethodSource("conditional")
  void everyGroupSeesTheCondition(Case test) {
    int[][] rows = inOrder(test).enumerate();
    Space condition = test.setting.condition();
    withWeights(
        test,
        (conditioner, weights) -> {
          int[][] plain = zeros(rows, test);
          Tensor before = logits(conditioner, rows, plain, test, weights);
          for (int place = 0; place < condition.size(); place++) {
            int[][] other = CausalityTest.withNextSymbol(plain, place, condition);
            Tensor after = logits(conditioner, rows, other, test, weights);
            for (int output = 0; output < test.setting.size(); output++) {
              assertThat(after.select(1, output).equal(before.select(1, output)))
                  .as("output %d ignores condition %d", output, place)
                  .isFalse();
            }
          }
        });
  }

  static Stream<Case> decoded() {
    Groups spread = Groups.cut(Order.spread(40), 1, 2, 5, 32);
    List<Groups> groups =
        List.of(Groups.growing(40, 6), Groups.midpoints(40), Groups.blocks(40, 7), spread);
    Stream<Case> more =
        grouping()
            .filter(network -> !network.equals(new LookupTable()))
            .flatMap(
                network ->
                    groups.stream()
                        .flatMap(
                            some ->
                                Stream.of(Precision.FLOAT32, Precision.FLOAT64)
                                    .map(bits -> new Case(network, LONG, some, bits))));
    return Stream.of(cases(), more, patched(LONG, List.of(1, 2, 4, 8)), oneByOne())
        .flatMap(all -> all);
  }

  /** Every network one position at a time, on longer spaces too, over which errors add up. */
  private static Stream<Case> oneByOne() {
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
                            new Case(
                                one.network(),
                                one.setting(),
                                Groups.singles(Order.natural(one.setting().size())),
                                one.precision(),
                                width)));
  }

  @ParameterizedTest
  @MethodSource("decoded")
  void stepByStepEqualsAllAtOnce(Case test) {
    double tolerance = test.precision == Precision.FLOAT64 ? 1e-10 : 2e-4;
    assertThat(largestDifference(test, false)).isLessThan(tolerance);
  }

  static Stream<Case> attentive() {
    Stream<Case> grouped =
        farSighted()
            .filter(test -> test.groups.count() > 1)
            .filter(test -> inOrder(test).cardinality(0) > 1);
    return Stream.concat(grouped, oneByOne());
  }

  /** A decoder that is told another first symbol returns other logits: the test above can fail. */
  @ParameterizedTest
  @MethodSource("attentive")
  void aWrongSymbolChangesTheLogits(Case test) {
    assertThat(largestDifference(test, true)).isGreaterThan(1e-2);
  }

  private static double largestDifference(Case test, boolean wrong) {
    Space space = inOrder(test);
    int[][] rows = eightRows(space);
    int[][] condition = eightRows(test.setting.condition());
    int[] starts = test.groups.starts();
    double[] largest = {0};
    withWeights(
        test,
        (conditioner, weights) -> {
          Tensor atOnce = logits(conditioner, rows, condition, test, weights);
          EvaluationContext context =
              new EvaluationContext(weights, Zoo.condition(test.setting.condition(), condition));
          int[][] told = wrong ? CausalityTest.withNextSymbol(rows, 0, space) : rows;
          Tensor ids = Tensors.ids(told, space.size(), Device.CPU);
          IncrementalDecoder decoder = conditioner.decoder(rows.length, context);
          for (int group = 0; group < test.groups.count(); group++) {
            try (Scope step = Scope.inference()) {
              int from = starts[group];
              int count = starts[group + 1] - from;
              Tensor logits = decoder.logits();
              assertThat(logits.shape()).containsExactly(rows.length, count, test.width);
              Tensor difference = logits.sub(atOnce.narrow(1, from, count)).abs().max();
              largest[0] = Math.max(largest[0], Tensors.scalar(difference));
              decoder.append(ids.narrow(1, from, count));
            }
          }
        });
    return largest[0];
  }

  /** Eight rows that differ. */
  private static int[][] eightRows(Space space) {
    int[][] rows = new int[8][space.size()];
    for (int i = 0; i < rows.length; i++) {
      for (int d = 0; d < space.size(); d++) {
        rows[i][d] = (i * 5 + d * d * 3 + i * d) % space.cardinality(d);
      }
    }
    return rows;
  }

  @Test
  void aRecurrentNetworkTakesOnePositionAtATime() {
    Space space = Space.uniform(4, 3);
    Network network = new Lstm(4, 5, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.causal(space, Groups.blocks(4, 2), Space.NONE, WIDTH))
        .withMessage(
            "an LSTM goes from one position to the next, and can't take groups of several: use a"
                + " Transformer or Made");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Architecture.of(space, new GroupBase(Groups.growing(4, 3), network)))
        .withMessageStartingWith("an LSTM goes from one position to the next");
    Groups singles = Groups.singles(Order.reversed(4));
    assertThat(Architecture.of(space, new GroupBase(singles, network)).space()).isEqualTo(space);
  }
}
