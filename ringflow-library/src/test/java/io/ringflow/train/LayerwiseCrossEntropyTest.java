package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Layers that learn to predict what they move, and then sort by it. */
@ExtendWith(LeakCheck.class)
final class LayerwiseCrossEntropyTest {
  private static final int K = 3;
  private static final Space SPACE = Space.uniform(2, K);
  private static final Layer SORTED = new Bipartite(Mask.even(2), new LookupTable(), new Permute());

  /** How often each pair occurs: the second symbol's likeliest depends on the first. */
  private static final int[][] COUNTS = {{5, 20, 11}, {24, 3, 7}, {2, 9, 19}};

  private static int[][] rows() {
    return Arrays.stream(SPACE.enumerate())
        .flatMap(row -> Collections.nCopies(COUNTS[row[0]][row[1]], row).stream())
        .toArray(int[][]::new);
  }

  /** Nats of a distribution by counts. */
  private static double entropy(int... counts) {
    double total = Arrays.stream(counts).sum();
    return -Arrays.stream(counts).mapToDouble(c -> c / total * Math.log(c / total)).sum();
  }

  private static int[] firstCounts() {
    return Arrays.stream(COUNTS).mapToInt(row -> Arrays.stream(row).sum()).toArray();
  }

  /** How often the second symbol is moved to each one, if each first symbol has a permutation. */
  private static int[] movedCounts(List<List<Integer>> permutations) {
    int[] counts = new int[K];
    for (int first = 0; first < K; first++) {
      for (int second = 0; second < K; second++) {
        counts[permutations.get(first).get(second)] += COUNTS[first][second];
      }
    }
    return counts;
  }

  /** Nats under a factorised base of a model that moves the likeliest to 0, the next to 1, ... */
  private static double sortedOptimum() {
    int[] counts = new int[K];
    for (int[] row : COUNTS) {
      int[] rising = Arrays.stream(row).sorted().toArray();
      for (int rank = 0; rank < K; rank++) {
        counts[rank] += rising[K - 1 - rank];
      }
    }
    return entropy(firstCounts()) + entropy(counts);
  }

  private static double jointEntropy() {
    return entropy(Arrays.stream(COUNTS).flatMapToInt(Arrays::stream).toArray());
  }

  /** Of all 216 ways to permute the second symbol by the first, none beats sorting. */
  @Test
  void noPermutationsBeatSorting() {
    List<List<Integer>> all =
        Arrays.stream(Space.uniform(K, K).enumerate())
            .map(row -> Arrays.stream(row).boxed().toList())
            .filter(row -> row.stream().distinct().count() == K)
            .toList();
    assertThat(all).hasSize(6);
    double least =
        Arrays.stream(Space.uniform(K, all.size()).enumerate())
            .map(choice -> Arrays.stream(choice).mapToObj(all::get).toList())
            .mapToDouble(chosen -> entropy(firstCounts()) + entropy(movedCounts(chosen)))
            .min()
            .orElseThrow();
    assertThat(sortedOptimum()).isCloseTo(least, within(1e-12));
    assertThat(jointEntropy()).isLessThan(least - 0.01);
  }

  /** A base, layers over it, and the least that any weights can make of the pairs. */
  record Case(String name, Base base, List<Layer> layers, double least) {
    Architecture architecture() {
      return new Architecture(SPACE, Space.NONE, base, layers);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    List<Layer> sorted = List.of(SORTED);
    Layer causal = new Autoregressive(Order.natural(2), new LookupTable(), new Permute());
    Order order = Order.reversed(2);
    double independent = sortedOptimum();
    double joint = jointEntropy();
    return Stream.of(
        new Case("factorised", new FactorizedBase(), sorted, independent),
        new Case("under a causal layer", new FactorizedBase(), List.of(causal), independent),
        new Case(
            "one group",
            new GroupBase(Groups.blocks(2, 1), new LookupTable()),
            sorted,
            independent),
        new Case(
            "two groups", new GroupBase(Groups.blocks(2, 2), new LookupTable()), sorted, joint),
        new Case("autoregressive", new AutoregressiveBase(order, new LookupTable()), sorted, joint),
        new Case("packed", new FactorizedBase(), List.of(new Pack(2), SORTED), joint));
  }

  private static TrainingOptions.Builder aligned(long steps) {
    return TrainingOptions.builder(steps)
        .objective(Objective.LAYERWISE_CROSS_ENTROPY)
        .learningRate(0.05)
        .warmupSteps(0);
  }

  private static double loss(FlowModel model, int[][] rows) {
    return -Arrays.stream(model.logProb(rows)).average().orElseThrow();
  }

  private static double[] weights(FlowModel model) {
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(Models.weights(model).values());
    }
  }

  private static Batches whole(int[][] rows) {
    return Batches.shuffled(rows, rows.length, 1);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void layersAndBaseFindTheOptimum(Case test) throws IOException {
    try (FlowModel model = FlowModel.create(test.architecture(), 3)) {
      double before = loss(model, rows());
      new Trainer(model, aligned(400).build()).train(whole(rows()));
      assertThat(before).isGreaterThan(test.least + 0.05);
      assertThat(loss(model, rows())).isBetween(test.least - 1e-9, test.least + 1e-3);
      double total = Arrays.stream(model.logProb(SPACE.enumerate())).map(Math::exp).sum();
      assertThat(total).isCloseTo(1, within(1e-12));
      assertThat(model.decode(model.encode(rows()))).isDeepEqualTo(rows());
    }
  }

  /** The base's own rate is zero here: what is found is the layers' work, and fitted at the end. */
  @Test
  void layersLearnToSortWhateverTheBaseSays() throws IOException {
    Architecture architecture = Architecture.of(SPACE, new FactorizedBase()).with(SORTED);
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      new Trainer(model, aligned(200).baseLearningRate(0).build()).train(whole(rows()));
      int[][] encoded = model.encode(SPACE.enumerate());
      for (int i = 0; i < encoded.length; i++) {
        int[] pair = SPACE.enumerate()[i];
        int[] counts = COUNTS[pair[0]];
        long likelier = Arrays.stream(counts).filter(count -> count > counts[pair[1]]).count();
        assertThat(encoded[i]).containsExactly(pair[0], Math.toIntExact(likelier));
      }
      int[][] many =
          Collections.nCopies(100, rows()).stream().flatMap(Arrays::stream).toArray(int[][]::new);
      WarmStart.fitBase(model, many);
      assertThat(loss(model, rows())).isBetween(sortedOptimum() - 1e-9, sortedOptimum() + 1e-3);
    }
  }

  /** With a symbol that follows from the other, a shift to 0 is all there is to learn. */
  @Test
  void aShiftMovesTheLikeliestToZero() throws IOException {
    Space space = Space.uniform(2, 5);
    int[][] rows =
        IntStream.range(0, 5).mapToObj(i -> new int[] {i, i * i % 5}).toArray(int[][]::new);
    Layer shift = new Bipartite(Mask.even(2), new LookupTable(), new Shift());
    Architecture architecture = Architecture.of(space, new FactorizedBase()).with(shift);
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      new Trainer(model, aligned(300).build()).train(whole(rows));
      for (int i = 0; i < 5; i++) {
        assertThat(model.encode(rows)[i]).containsExactly(i, 0);
      }
      assertThat(loss(model, rows)).isBetween(Math.log(5), Math.log(5) + 0.02);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theReportedLossIsTheExactOne(Case test) throws IOException {
    try (FlowModel model = FlowModel.create(test.architecture(), 3)) {
      double[] single = model.logProb(rows(), new int[0][], Precision.FLOAT32);
      double exact = loss(model, rows());
      TrainingReport report = new Trainer(model, aligned(1).build()).train(whole(rows()));
      assertThat(report.loss())
          .isCloseTo(-Arrays.stream(single).average().orElseThrow(), within(1e-6))
          .isCloseTo(exact, within(1e-5));
      assertThat(loss(model, rows())).isNotEqualTo(exact);
    }
  }

  private static void assertRefused(Architecture architecture, Objective objective, String message)
      throws IOException {
    TrainingOptions options = TrainingOptions.builder(1).objective(objective).build();
    int[][] rows = Toys.rows(architecture.space(), 8, 1);
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      double[] before = weights(model);
      Trainer trainer = new Trainer(model, options);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> trainer.train(Batches.shuffled(rows, 4, 1)))
          .withMessage(message);
      assertThat(weights(model)).containsExactly(before);
    }
  }

  private static List<Layer> movers(SymbolMap map) {
    Layer bipartite = new Bipartite(Mask.even(4), new Made(9, 1), map);
    Layer causal = new Autoregressive(Order.natural(4), new Made(9, 1), map);
    Layer fine = new Bipartite(Mask.odd(4), new Made(9, 1), new Shift());
    return List.of(bipartite, causal, Chain.of(fine, Chain.of(causal)));
  }

  private static Architecture four(Layer... layers) {
    return new Architecture(Space.uniform(4, 3), Space.NONE, new FactorizedBase(), List.of(layers));
  }

  /** The first layer that an objective can't train, in words. */
  private static String refused(Layer layer, Objective objective) {
    return layer.flatten().stream()
        .filter(one -> !one.trainableBy().contains(objective))
        .findFirst()
        .orElseThrow()
        .summary()
        .toString();
  }

  @Test
  void sortingHasNoStraightThroughGradient() throws IOException {
    for (Layer layer : movers(new Permute())) {
      assertRefused(
          four(layer),
          Objective.STRAIGHT_THROUGH,
          "objective STRAIGHT_THROUGH can't train "
              + refused(layer, Objective.STRAIGHT_THROUGH)
              + ": use one of [LAYERWISE_CROSS_ENTROPY]");
    }
  }

  @Test
  void aClassifierTeachesNeitherScalesNorWholePermutations() throws IOException {
    for (SymbolMap map : List.of(new ShiftScale(), new Sinkhorn(3))) {
      for (Layer layer : movers(map)) {
        assertRefused(
            four(layer),
            Objective.LAYERWISE_CROSS_ENTROPY,
            "objective LAYERWISE_CROSS_ENTROPY can't train "
                + refused(layer, Objective.LAYERWISE_CROSS_ENTROPY)
                + ": use one of [STRAIGHT_THROUGH, MIXTURE]");
      }
    }
  }

  @Test
  void sortingHasNoMovesToMix() throws IOException {
    for (Layer layer : movers(new Permute())) {
      assertRefused(
          four(layer),
          Objective.MIXTURE,
          "objective MIXTURE can't train "
              + refused(layer, Objective.MIXTURE)
              + ": use one of [LAYERWISE_CROSS_ENTROPY]");
    }
  }

  @Test
  void straightThroughGradientsEndAtAPacking() throws IOException {
    Layer onBaseSide = new Bipartite(Mask.even(2), new Made(9, 1), new ShiftScale());
    Layer onDataSide = new Bipartite(Mask.even(4), new Made(9, 1), new Shift());
    Layer pack = new Pack(2);
    String message =
        "straight-through gradients do not pass through Pack: train by LAYERWISE_CROSS_ENTROPY, or"
            + " put the layers on its base side";
    for (Architecture refused :
        List.of(
            four(pack, onDataSide),
            four(onBaseSide, pack, onDataSide),
            four(Chain.of(onBaseSide, pack), Chain.of(onDataSide)),
            four(Chain.of(pack, onDataSide)))) {
      assertRefused(refused, Objective.STRAIGHT_THROUGH, message);
    }
  }

  /** What the message above advises works. */
  @Test
  void layersOnThePackedSideLearnByStraightThroughGradients() throws IOException {
    Layer onBaseSide = new Bipartite(Mask.even(2), new Made(9, 1), new ShiftScale());
    Architecture architecture = four(onBaseSide, new Pack(2));
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      // Under a flat base a straight-through gradient would have nothing to go by.
      double[] falling = new double[9];
      Arrays.setAll(falling, k -> 9.0 - k);
      WarmStart.setMarginals(model, falling);
      double[] before = layerWeights(model);
      new Trainer(model, TrainingOptions.builder(3).build())
          .train(whole(Toys.rows(architecture.space(), 40, 1)));
      assertThat(layerWeights(model)).isNotEqualTo(before);
    }
  }

  /** A gradient for each layer, though none passes from one side to the other. */
  @Test
  void layersOnBothSidesOfAPackingLearnAsClassifiers() throws IOException {
    Architecture architecture =
        four(
            new Bipartite(Mask.even(2), new Made(9, 1), new Permute()),
            new Pack(2),
            new Bipartite(Mask.even(4), new Made(9, 1), new Permute()));
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      double[] before = layerWeights(model);
      new Trainer(model, aligned(3).build()).train(whole(Toys.rows(architecture.space(), 40, 1)));
      double[] after = layerWeights(model);
      int second = Math.toIntExact(Models.weights(model).layerStarts().get(2));
      assertThat(Arrays.copyOf(after, second)).isNotEqualTo(Arrays.copyOf(before, second));
      assertThat(Arrays.copyOfRange(after, second, after.length))
          .isNotEqualTo(Arrays.copyOfRange(before, second, before.length));
    }
  }

  private static double[] layerWeights(FlowModel model) {
    return Arrays.copyOf(weights(model), Math.toIntExact(Models.weights(model).layerElements()));
  }
}
