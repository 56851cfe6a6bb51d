package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Coupling;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import io.ringflow.train.WarmStart;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers of one layer: where they lie, and how they become another's. */
@ExtendWith(LeakCheck.class)
final class LayerWeightsTest {
  private static final Space SPACE = Space.uniform(4, 3);
  private static final int[][] ROWS = SPACE.enumerate();
  private static final Architecture THREE = layers(Mask.even(4), Mask.odd(4), Mask.even(4));

  private static Architecture layers(Mask... masks) {
    Architecture architecture = Architecture.of(SPACE, new FactorizedBase());
    for (Mask mask : masks) {
      architecture =
          architecture.with(new Bipartite(mask, new Transformer(8, 1, 2, 8), new ShiftScale()));
    }
    return architecture;
  }

  private static double[] values(FlowModel model) {
    return values(Models.weights(model));
  }

  private static double[] values(Weights weights) {
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(weights.values());
    }
  }

  /** What a layer of a model makes of every row. */
  private static int[][] through(FlowModel model, int layer) {
    try (Scope scope = Scope.inference();
        Weights exact = Models.weights(model).copyIn(Precision.FLOAT64)) {
      Symbols data = Symbols.of(Tensors.ids(ROWS, SPACE.size(), Device.CPU));
      EvaluationContext context = new EvaluationContext(exact, Condition.NONE);
      return Tensors.toRows(
          ((Chain.Bound) Models.layers(model))
              .bijections()
              .get(layer)
              .inverse(data, context)
              .ids());
    }
  }

  @Test
  void aCopiedLayerDoesWhatItsSourceDoes() {
    try (FlowModel source = Zoo.wild(THREE);
        FlowModel target = FlowModel.create(THREE, 5)) {
      double[] theirs = values(source);
      double[] before = values(target);
      assertThat(Arrays.deepEquals(through(target, 2), through(source, 0))).isFalse();
      WarmStart.copyLayer(source, 0, target, 2);
      assertThat(through(target, 2)).isDeepEqualTo(through(source, 0));
      assertThat(values(source)).containsExactly(theirs);
      // The others stay as they are.
      List<Long> starts = Models.weights(target).layerStarts();
      int from = Math.toIntExact(starts.get(2));
      int to = Math.toIntExact(Models.weights(target).layerElements());
      double[] after = values(target);
      assertThat(Arrays.copyOf(after, from)).containsExactly(Arrays.copyOf(before, from));
      assertThat(Arrays.copyOfRange(after, to, after.length))
          .containsExactly(Arrays.copyOfRange(before, to, before.length));
      assertThat(Arrays.copyOfRange(after, from, to))
          .containsExactly(Arrays.copyOf(theirs, to - from));
    }
  }

  /** Scores come from a copy in 64 bits, which must not go stale. */
  @Test
  void theModelEncodesWithTheCopiedLayerAtOnce() {
    Architecture one = layers(Mask.odd(4));
    try (FlowModel source = Zoo.wild(one);
        FlowModel target = FlowModel.create(one, 5)) {
      assertThat(Arrays.deepEquals(target.encode(ROWS), source.encode(ROWS))).isFalse();
      WarmStart.copyLayer(source, 0, target, 0);
      assertThat(target.encode(ROWS)).isDeepEqualTo(source.encode(ROWS));
    }
  }

  @Test
  void layersOfOneModelAreCopiedToo() {
    try (FlowModel model = Zoo.wild(THREE)) {
      assertThat(Arrays.deepEquals(through(model, 2), through(model, 0))).isFalse();
      WarmStart.copyLayer(model, 2, model, 0);
      assertThat(through(model, 0)).isDeepEqualTo(through(model, 2));
      double[] before = values(model);
      WarmStart.copyLayer(model, 1, model, 1);
      assertThat(values(model)).containsExactly(before);
    }
  }

  /** The same network, looking at other positions, has the same numbers. */
  @Test
  void networksMayLookAtOtherPositions() {
    try (FlowModel source = Zoo.wild(layers(Mask.even(4)));
        FlowModel target = FlowModel.create(layers(Mask.odd(4)), 5)) {
      WarmStart.copyLayer(source, 0, target, 0);
      int elements = Math.toIntExact(Models.weights(source).layerElements());
      assertThat(Arrays.copyOf(values(target), elements))
          .containsExactly(Arrays.copyOf(values(source), elements));
    }
  }

  @Test
  void layersThatDifferAreRefused() {
    Layer shift = new Bipartite(Mask.even(4), new Transformer(8, 1, 2, 8), new Shift());
    Layer made = new Bipartite(Mask.even(4), new Made(8, 1), new ShiftScale());
    Layer deeper = new Bipartite(Mask.even(4), new Transformer(8, 2, 2, 8), new ShiftScale());
    for (Layer layer : List.of(shift, made, deeper)) {
      try (FlowModel source = FlowModel.create(THREE, 1);
          FlowModel target =
              FlowModel.create(Architecture.of(SPACE, new FactorizedBase()).with(layer), 1)) {
        double[] before = values(target);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> WarmStart.copyLayer(source, 2, target, 0))
            .withMessageStartingWith("what is copied must be of the same shape, but {");
        assertThat(values(target)).containsExactly(before);
      }
    }
  }

  @Test
  void layersThatAreNotThereAreRefused() {
    try (FlowModel model = FlowModel.create(THREE, 1);
        FlowModel other = FlowModel.create(layers(Mask.even(4)), 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WarmStart.copyLayer(other, 1, model, 0))
          .withMessage("there are 1 layers, but no layer 1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WarmStart.copyLayer(other, 0, model, 3))
          .withMessage("there are 3 layers, but no layer 3");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WarmStart.copyLayer(other, -1, model, 0));
    }
  }

  private static Architecture grouped(Groups groups, Network network) {
    return Architecture.of(SPACE, new GroupBase(groups, network));
  }

  private static double[] baseValues(FlowModel model) {
    double[] all = values(model);
    return Arrays.copyOfRange(
        all, Math.toIntExact(Models.weights(model).layerElements()), all.length);
  }

  static List<Network> groupingNetworks() {
    return List.of(new Transformer(8, 1, 2, 8), new Made(9, 1));
  }

  /** One position at a time, then two: the same numbers under other layers. */
  @ParameterizedTest
  @MethodSource("groupingNetworks")
  void aBaseIsCopiedToOneOfOtherGroups(Network network) {
    Layer layer = new Bipartite(Mask.even(4), new LookupTable(), new Permute());
    Architecture singly = grouped(Groups.singles(Order.natural(4)), network);
    for (Groups groups : List.of(Groups.blocks(4, 2), Groups.growing(4, 2), Groups.midpoints(4))) {
      try (FlowModel source = Zoo.wild(singly);
          FlowModel target = FlowModel.create(grouped(groups, network).with(layer), 5)) {
        double[] theirs = values(source);
        double[] before = values(target);
        double[] scores = target.logProb(ROWS); // makes the 64-bit copy, which must not go stale
        WarmStart.copyBase(source, target);
        assertThat(baseValues(target)).containsExactly(baseValues(source));
        assertThat(values(source)).containsExactly(theirs);
        int layers = Math.toIntExact(Models.weights(target).layerElements());
        assertThat(layers).isPositive();
        assertThat(Arrays.copyOf(values(target), layers))
            .containsExactly(Arrays.copyOf(before, layers));
        assertThat(target.logProb(ROWS)).isNotEqualTo(scores);
        double total = Arrays.stream(target.logProb(ROWS)).map(Math::exp).sum();
        assertThat(total).isCloseTo(1, within(1e-12));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("groupingNetworks")
  void aCopiedBaseOfTheSameGroupsIsTheSame(Network network) {
    Architecture architecture = grouped(Groups.blocks(4, 2), network);
    try (FlowModel source = Zoo.wild(architecture);
        FlowModel target = FlowModel.create(architecture, 5)) {
      assertThat(target.logProb(ROWS)).isNotEqualTo(source.logProb(ROWS));
      WarmStart.copyBase(source, target);
      assertThat(target.logProb(ROWS)).containsExactly(source.logProb(ROWS));
      assertThat(target.sample(50, 3)).isDeepEqualTo(source.sample(50, 3));
    }
  }

  @Test
  void factorisedBasesAreCopiedToo() {
    try (FlowModel source = Zoo.wild(Architecture.of(SPACE, new FactorizedBase()));
        FlowModel target = FlowModel.create(THREE, 5)) {
      WarmStart.copyBase(source, target);
      assertThat(baseValues(target)).containsExactly(baseValues(source));
    }
  }

  @Test
  void basesThatDifferAreRefused() {
    Groups halves = Groups.blocks(4, 2);
    Network network = new Transformer(8, 1, 2, 8);
    List<Base> others =
        List.of(
            new FactorizedBase(),
            new GroupBase(halves, new Made(9, 1)),
            new GroupBase(halves, new LookupTable()),
            new GroupBase(halves, new Transformer(8, 2, 2, 8)),
            new GroupBase(halves, new Transformer(16, 1, 2, 8)),
            // Three symbols are handed to one position, through gates that others lack.
            new GroupBase(Groups.cut(Order.natural(4), 3, 1), network),
            new AutoregressiveBase(Order.natural(4), new Lstm(4, 5, 1)));
    for (Base other : others) {
      try (FlowModel target = FlowModel.create(grouped(halves, network), 1);
          FlowModel source = FlowModel.create(Architecture.of(SPACE, other), 1)) {
        double[] before = values(target);
        double[] theirs = values(source);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> WarmStart.copyBase(source, target))
            .withMessageStartingWith("what is copied must be of the same shape, but {");
        assertThatIllegalArgumentException().isThrownBy(() -> WarmStart.copyBase(target, source));
        assertThat(values(target)).containsExactly(before);
        assertThat(values(source)).containsExactly(theirs);
      }
    }
    try (FlowModel target = FlowModel.create(grouped(halves, network), 1);
        FlowModel wider =
            FlowModel.create(
                Architecture.of(Space.uniform(4, 4), new GroupBase(halves, network)), 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WarmStart.copyBase(wider, target))
          .withMessageContaining("network.embedding.table=[4, 8]")
          .withMessageContaining("network.embedding.table=[3, 8]");
    }
  }

  /** Eleven layers, so that the name of one begins like another's. */
  @Test
  void everyParameterLiesInItsLayer() {
    Mask[] masks = new Mask[11];
    Arrays.setAll(masks, i -> i % 2 == 0 ? Mask.even(4) : Mask.odd(4));
    try (FlowModel model = FlowModel.create(layers(masks), 1);
        Scope scope = Scope.inference()) {
      Weights weights = Models.weights(model);
      List<Long> starts = weights.layerStarts();
      assertThat(starts).hasSize(11).startsWith(0L).isSorted().doesNotHaveDuplicates();
      long found = 0;
      for (int layer = 0; layer < 11; layer++) {
        Map<String, Parameter> own = weights.layer(layer);
        assertThat(own.keySet()).isEqualTo(weights.layer(0).keySet());
        long to = layer == 10 ? weights.layerElements() : starts.get(layer + 1);
        for (Parameter parameter : own.values()) {
          long elements = parameter.elements();
          Tensor part = weights.slice(weights.values(), parameter);
          assertThat(part.storage_offset()).isBetween(starts.get(layer), to - elements);
          found += elements;
        }
      }
      long base = 4L * 3;
      assertThat(found + base).isEqualTo(weights.count());
    }
  }

  @Test
  void aCopyInMoreBitsIsTheSameAndOneInFewerComesNear() {
    try (FlowModel model = Zoo.wild(THREE);
        Weights exact = Models.weights(model).copyIn(Precision.FLOAT64);
        Weights half = Models.weights(model).copyIn(Precision.BFLOAT16)) {
      assertThat(exact.precision()).isEqualTo(Precision.FLOAT64);
      assertThat(half.precision()).isEqualTo(Precision.BFLOAT16);
      double[] values = values(model);
      assertThat(values(exact)).containsExactly(values);
      double[] rounded = values(half);
      for (int i = 0; i < values.length; i++) {
        // 8 bits, of which the first is not stored.
        assertThat(Math.abs(rounded[i] - values[i]))
            .isLessThanOrEqualTo(0x1p-8 * Math.abs(values[i]));
      }
      assertThat(rounded).isNotEqualTo(values);
      exact.copyFrom(half);
      assertThat(values(exact)).containsExactly(rounded);
      assertThat(values(model)).containsExactly(values);
    }
  }

  static List<Bipartite> couplings() {
    return List.of(
        new Bipartite(Mask.even(4), new Transformer(8, 1, 2, 8), new Shift()),
        new Bipartite(Mask.odd(4), new Made(9, 1), new Shift()),
        new Bipartite(new Mask("1000"), new LookupTable(1), new Shift()));
  }

  /** Subtracts the likeliest shift of what a coupling says, in plain Java. */
  @ParameterizedTest
  @MethodSource("couplings")
  void aCouplingSaysWhatItMovesAndHow(Bipartite layer) {
    Space space = Space.of(4, 3, 5, 2);
    int[][] rows = space.enumerate();
    List<Integer> moved = layer.mask().moved();
    Coupling coupling = (Coupling) layer.on(space, Space.NONE);
    try (Weights start = Zoo.wild(coupling);
        Weights weights = start.copyIn(Precision.FLOAT64);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      Symbols data = Symbols.of(Tensors.ids(rows, 4, Device.CPU));
      int[][] symbols = Tensors.toRows(coupling.moved(data, context).ids());
      Tensor logits = coupling.logits(data, context);
      assertThat(logits.shape()).containsExactly(rows.length, moved.size(), 5);
      double[] flat = Tensors.toDoubles(logits);
      int[][] base = new int[rows.length][];
      for (int i = 0; i < rows.length; i++) {
        base[i] = rows[i].clone();
        for (int m = 0; m < moved.size(); m++) {
          int position = moved.get(m);
          assertThat(symbols[i][m]).isEqualTo(rows[i][position]);
          int k = space.cardinality(position);
          int from = (i * moved.size() + m) * 5;
          int shift =
              IntStream.range(0, k)
                  .reduce((a, b) -> flat[from + b] > flat[from + a] ? b : a)
                  .orElseThrow();
          base[i][position] = Math.floorMod(rows[i][position] - shift, k);
        }
      }
      assertThat(Tensors.toRows(coupling.inverse(data, context).ids())).isDeepEqualTo(base);
    }
  }
}
