package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.model.ReceptiveField;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Batches;
import io.ringflow.train.Estimators;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A layer whose directions are swapped does forwards what the layer itself does backwards. */
@ExtendWith(LeakCheck.class)
final class InverseTest {
  private static final Space MIXED = Space.of(2, 6, 3, 5);
  private static final Layer CAUSAL = autoregressive(4, new Made(14, 1), new ShiftScale());
  private static final Layer COUPLING =
      new Bipartite(Mask.odd(4), new LookupTable(1), new ShiftScale());
  private static final Reorder ROTATION = new Reorder(Order.of(1, 2, 3, 0));

  private static Layer autoregressive(int size, Network network, SymbolMap map) {
    return new Autoregressive(Order.reversed(size), network, map);
  }

  /** A layer on a space. */
  record Case(Layer layer, Zoo.Setting setting) {}

  /** Every kind of space, every network and every map, in the layers that have a network. */
  static Stream<Case> layers() {
    List<Case> found = new ArrayList<>();
    for (Zoo.Setting setting : Zoo.settings()) {
      int size = setting.size();
      for (Network network : Zoo.networks()) {
        found.add(new Case(autoregressive(size, network, new ShiftScale()), setting));
        found.add(new Case(new Bipartite(Mask.even(size), network, new Permute()), setting));
      }
      for (SymbolMap map :
          List.of(new Shift(), new Permute(), new TopTwo(), new Sinkhorn(), new ShiftScale())) {
        found.add(new Case(autoregressive(size, new Made(9, 1), map), setting));
        found.add(new Case(new Bipartite(Mask.odd(size), new Made(9, 1), map), setting));
      }
    }
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("layers")
  void swapsTheDirectionsOfEveryLayer(Case one) {
    Space space = one.setting.space();
    Space condition = one.setting.condition();
    Bijection plain = one.layer.on(space, condition);
    Bijection swapped = new Inverse(one.layer).on(space, condition);
    assertThat(swapped.dataSpace()).isEqualTo(space);
    assertThat(swapped.baseSpace()).isEqualTo(space);
    assertThat(swapped.passes()).isOne();
    assertThat(swapped.inversePasses()).isEqualTo(plain.passes());
    int[][] rows = space.enumerate();
    int[][] choices = condition.enumerate();
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(conditions, i -> choices[i % choices.length]);
    try (Weights start = Zoo.wild(plain);
        Weights weights = start.copyIn(Precision.FLOAT64);
        Weights sameStart = Zoo.wild(swapped);
        Weights same = sameStart.copyIn(Precision.FLOAT64);
        Scope scope = Scope.inference()) {
      Condition given = Zoo.condition(condition, conditions);
      EvaluationContext ofPlain = new EvaluationContext(weights, given);
      EvaluationContext ofSwapped = new EvaluationContext(same, given);
      Symbols all = Symbols.of(Tensors.ids(rows, space.size(), Device.CPU));
      Symbols forward = swapped.forward(all, ofSwapped);
      Symbols inverse = swapped.inverse(all, ofSwapped);
      assertThat(rows(forward)).isDeepEqualTo(rows(plain.inverse(all, ofPlain)));
      assertThat(rows(inverse)).isDeepEqualTo(rows(plain.forward(all, ofPlain)));
      assertThat(rows(swapped.inverse(forward, ofSwapped))).isDeepEqualTo(rows);
      assertThat(rows(swapped.forward(inverse, ofSwapped))).isDeepEqualTo(rows);
    }
  }

  private static int[][] rows(Symbols symbols) {
    return Tensors.toRows(symbols.ids());
  }

  /** Models of inverse layers, of which every row can be looked at. */
  static Stream<Architecture> models() {
    Layer chain = Chain.of(CAUSAL, ROTATION, Chain.of(COUPLING, new Inverse(CAUSAL)), ROTATION);
    return Stream.<List<Layer>>of(
            List.of(new Inverse(CAUSAL)),
            List.of(new Inverse(COUPLING), new Inverse(CAUSAL)),
            List.of(new Inverse(chain)),
            List.of(COUPLING, new Inverse(new Inverse(chain))),
            List.of(
                new Inverse(ROTATION),
                new Inverse(autoregressive(4, new Lstm(4, 5, 1), new Shift()))),
            List.of(new Inverse(Chain.of()), new Inverse(new Pack(1)), CAUSAL),
            List.of(new Pack(2), new Inverse(COUPLING)))
        .map(layers -> new Architecture(MIXED, Space.NONE, new FactorizedBase(), layers));
  }

  @ParameterizedTest
  @MethodSource("models")
  void everyRowComesBackAndProbabilitiesSumToOne(Architecture architecture) {
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] rows = MIXED.enumerate();
      int[][] baseRows = architecture.baseSpace().enumerate();
      int[][] encoded = model.encode(rows);
      assertThat(distinct(encoded)).hasSize(rows.length);
      architecture.baseSpace().check("base row", encoded);
      assertThat(Arrays.deepEquals(encoded, baseRows)).isFalse();
      assertThat(model.decode(encoded)).isDeepEqualTo(rows);
      assertThat(model.encode(model.decode(baseRows))).isDeepEqualTo(baseRows);
      double sum = Arrays.stream(model.logProb(rows)).map(Math::exp).sum();
      assertThat(sum).isCloseTo(1, within(1e-12));
    }
  }

  private static Set<List<Integer>> distinct(int[][] rows) {
    return Set.copyOf(Arrays.stream(rows).map(row -> Arrays.stream(row).boxed().toList()).toList());
  }

  static List<Network> networks() {
    return List.of(new Made(48, 1), new Lstm(6, 8, 1), new Transformer(8, 1, 2, 16));
  }

  /** Untrained: logits lie close together, and both directions of the layer round differently. */
  @ParameterizedTest
  @MethodSource("networks")
  void everySymbolOfManyRowsComesBack(Network network) {
    Space ragged = new Space(IntStream.range(0, 24).mapToObj(d -> 1 + d * 5 % 13).toList());
    Architecture architecture =
        Architecture.of(ragged, new FactorizedBase())
            .with(new Inverse(autoregressive(24, network, new Permute())))
            .with(new Inverse(new Autoregressive(Order.natural(24), network, new ShiftScale())));
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      var random = new SplittableRandom(11);
      int[][] rows = new int[5000][24];
      for (int[] row : rows) {
        Arrays.setAll(row, d -> random.nextInt(ragged.cardinality(d)));
      }
      int[][] decoded = model.decode(rows);
      assertThat(Arrays.deepEquals(decoded, rows)).isFalse();
      assertThat(Arrays.deepEquals(model.encode(decoded), rows)).isTrue();
      assertThat(Arrays.deepEquals(model.decode(model.encode(rows)), rows)).isTrue();
      int[][] sampled = model.sample(1000, 5);
      assertThat(Arrays.deepEquals(model.decode(model.encode(sampled)), sampled)).isTrue();
    }
  }

  @Test
  void samplingTakesOneNetworkCallALayer() {
    var calls = new CountedCalls();
    Layer counted = autoregressive(4, calls.of(new Made(14, 1)), new Shift());
    Architecture once = Architecture.of(MIXED, new FactorizedBase()).with(new Inverse(counted));
    try (FlowModel model = Zoo.wild(once)) {
      assertThat(model.samplingPasses()).isOne();
      model.sample(10, 1);
      assertThat(calls.take()).isOne();
      model.logProb(MIXED.enumerate());
      assertThat(calls.take()).isEqualTo(4);
    }
    Bijection chain =
        new Inverse(Chain.of(counted, ROTATION, new Inverse(counted))).on(MIXED, Space.NONE);
    assertThat(chain.passes()).isEqualTo(4 + 1);
    assertThat(chain.inversePasses()).isEqualTo(1 + 4);
    assertThat(new Inverse(ROTATION).on(MIXED, Space.NONE).passes()).isZero();
  }

  @Test
  void scoringGivesAOneHotWithoutGradient() {
    Bijection swapped = new Inverse(CAUSAL).on(MIXED, Space.NONE);
    try (Weights weights = Zoo.wild(swapped);
        Scope scope = Scope.training()) {
      weights.trackGradients();
      EvaluationContext context = Estimators.straightThrough(weights, Condition.NONE, 1);
      Tensor ids = Tensors.ids(MIXED.enumerate(), 4, Device.CPU);
      Symbols data = Symbols.withOneHot(ids, 6);
      Symbols base = swapped.inverse(data, context);
      assertThat(base.carriesGradient()).isFalse();
      Tensor hot = Tensors.oneHot(base.ids(), 6, base.oneHot().scalar_type());
      assertThat(base.oneHot().equal(hot)).isTrue();
      data.oneHot().set_requires_grad(true);
      assertThatThrownBy(() -> swapped.inverse(data, context))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "straight-through gradients do not pass from data to base through an inverse layer");
    }
  }

  @Test
  void saysWhatItIsInSimplerWords() {
    Layer chain = Chain.of(CAUSAL, ROTATION, Chain.of(COUPLING, new Inverse(CAUSAL)));
    assertThat(new Inverse(chain).flatten())
        .containsExactly(
            CAUSAL, new Inverse(COUPLING), new Reorder(Order.of(3, 0, 1, 2)), new Inverse(CAUSAL));
    assertThat(new Inverse(new Inverse(chain)).flatten()).isEqualTo(chain.flatten());
    assertThat(new Inverse(CAUSAL).flatten()).containsExactly(new Inverse(CAUSAL));
    assertThat(new Inverse(CAUSAL).inverted()).isEqualTo(CAUSAL);
    assertThat(new Inverse(CAUSAL).summary().toString())
        .isEqualTo("inverse autoregressive with ShiftScale");
    assertThat(new Inverse(CAUSAL).summary().network()).isEqualTo(CAUSAL.summary().network());
  }

  @Test
  void learnsFromDataOnlyWhereItsDirectionsAreSwappedTwice() {
    for (Layer layer : List.of(CAUSAL, COUPLING, Chain.of(ROTATION, COUPLING))) {
      assertThat(new Inverse(layer).trainableBy()).containsExactly(Objective.PATHWISE);
      assertThat(new Inverse(layer).stopsGradients()).isTrue();
      assertThat(new Inverse(layer).rearranges()).isFalse();
      assertThat(new Inverse(layer).rearrangement(MIXED)).isEmpty();
      assertThat(new Inverse(new Inverse(layer)).trainableBy()).isEqualTo(layer.trainableBy());
      assertThat(new Inverse(new Inverse(layer)).stopsGradients()).isFalse();
    }
    assertThat(new Inverse(ROTATION).trainableBy()).isEqualTo(EnumSet.allOf(Objective.class));
    assertThat(new Inverse(ROTATION).stopsGradients()).isFalse();
  }

  @Test
  void undoesARearrangement() {
    Layer there = Chain.of(ROTATION, new Reorder(Order.of(1, 0, 2, 3)));
    Layer back = new Inverse(there);
    assertThat(back.rearranges()).isTrue();
    Rearrangement both = Chain.of(there, back).rearrangement(MIXED).orElseThrow();
    assertThat(both).isEqualTo(Rearrangement.identity(MIXED));
    assertThat(Chain.of(back, there).rearrangement(MIXED)).contains(both);
    assertThat(back.rearrangement(MIXED)).isNotEqualTo(there.rearrangement(MIXED));
    Space between = back.on(MIXED, Space.NONE).baseSpace();
    assertThat(between).isNotEqualTo(MIXED);
    assertThat(there.on(between, Space.NONE).baseSpace()).isEqualTo(MIXED);
  }

  @Test
  void aPackingHasNoInverse() {
    String reason =
        "inverse pack: the layer inside leads from one space to another, and does not say what"
            + " leads back";
    for (Space space : List.of(Space.uniform(4, 4), Space.uniform(3, 9))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Inverse(new Pack(2)).on(space, Space.NONE))
          .withMessage(reason);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Inverse(Chain.of(new Pack(2), ROTATION)).on(space, Space.NONE))
          .withMessage("layer 1: " + reason);
    }
    Layer packs = new Inverse(new Inverse(new Pack(2)));
    assertThat(packs.on(MIXED, Space.NONE).baseSpace()).isEqualTo(Space.of(12, 15));
    assertThat(packs.rearrangement(MIXED)).isEqualTo(new Pack(2).rearrangement(MIXED));
  }

  @Test
  void mustFitTheSpace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Inverse(CAUSAL).on(Space.uniform(3, 2), Space.NONE))
        .withMessage("the order has 4 positions, but the space has 3");
  }

  @ParameterizedTest
  @EnumSource(value = Objective.class, mode = EXCLUDE, names = "PATHWISE")
  void noLikelihoodTrainsIt(Objective objective) {
    Architecture architecture =
        Architecture.of(MIXED, new FactorizedBase())
            .with(new Inverse(Chain.of(ROTATION, autoregressive(4, new Made(9, 1), new Shift()))))
            .with(new Bipartite(Mask.odd(4), new Made(9, 1), new Shift()));
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      TrainingOptions options = TrainingOptions.builder(5).objective(objective).build();
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> new Trainer(model, options).train(Batches.shuffled(MIXED.enumerate(), 10, 1)))
          .withMessage(
              "objective "
                  + objective
                  + " can't train inverse autoregressive with Shift: such a layer is trained by"
                  + " inference, not by likelihood");
    }
  }

  @Test
  void layersBesideOneThatHasNothingToLearnTrain() throws IOException {
    Architecture architecture =
        Architecture.of(MIXED, new FactorizedBase())
            .with(new Inverse(new Inverse(COUPLING)))
            .with(new Inverse(ROTATION))
            .with(COUPLING);
    int[][] rows = MIXED.enumerate();
    try (FlowModel model = FlowModel.create(architecture, 1);
        Scope scope = Scope.inference()) {
      double[] before = Tensors.toDoubles(Models.weights(model).values());
      TrainingOptions options = TrainingOptions.builder(3).learningRate(0.1).build();
      new Trainer(model, options).train(Batches.shuffled(Arrays.copyOf(rows, 40), 10, 1));
      double[] after = Tensors.toDoubles(Models.weights(model).values());
      int second = Math.toIntExact(Models.weights(model).layerStarts().get(1));
      assertThat(Arrays.copyOf(after, second)) // the layer on the reordering's base side
          .isNotEqualTo(Arrays.copyOf(before, second));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void comesBackFromItsFolder(Architecture architecture, @TempDir Path folder) throws IOException {
    try (FlowModel model = Zoo.wild(architecture)) {
      model.save(folder.resolve("model"));
      try (FlowModel loaded = FlowModel.load(folder.resolve("model"))) {
        assertThat(loaded.architecture()).isEqualTo(architecture);
        assertThat(loaded.logProb(MIXED.enumerate())).isEqualTo(model.logProb(MIXED.enumerate()));
        assertThat(loaded.sample(50, 2)).isDeepEqualTo(model.sample(50, 2));
      }
    }
  }

  @Test
  void aFolderWithoutTheLayerInsideIsRefused(@TempDir Path folder) throws IOException {
    Path model = folder.resolve("model");
    try (FlowModel plain =
        FlowModel.create(
            Architecture.of(MIXED, new FactorizedBase()).with(new Inverse(ROTATION)), 1)) {
      plain.save(model);
    }
    Path config = model.resolve("config.json");
    String text = Files.readString(config);
    int from = text.indexOf("\"layer\"");
    int to = text.indexOf('}', from) + 1;
    for (String instead : List.of("\"layer\": null", "\"layer\": {\"type\": \"shift\"}")) {
      Files.writeString(config, text.substring(0, from) + instead + text.substring(to));
      assertThatThrownBy(() -> FlowModel.load(model))
          .isInstanceOf(ModelFormatException.class)
          .hasMessageStartingWith(config + ": architecture.layers[0]")
          .message()
          .hasLineCount(1);
    }
  }

  /** Base position t depends on what the sampling order has before it on the base's own side. */
  @Test
  void hasAReceptiveField() {
    Architecture architecture =
        Architecture.of(Space.uniform(3, 5), new FactorizedBase())
            .with(
                new Inverse(new Autoregressive(Order.natural(3), new LookupTable(), new Shift())));
    try (FlowModel model = Zoo.wild(architecture)) {
      assertThat(ReceptiveField.of(model, model.sample(20, 1)).sources())
          .containsExactly(List.of(0), List.of(0, 1), List.of(0, 1, 2));
    }
  }
}
