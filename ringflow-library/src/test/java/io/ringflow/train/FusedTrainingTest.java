package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.kernels.FusedEverywhere;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.spi.BackwardTape;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.NativeCount;
import io.ringflow.testing.Toys;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attention networks have the same gradients with fused operators as with libtorch's. */
@ExtendWith(LeakCheck.class)
final class FusedTrainingTest {
  private static final Space SPACE = Space.uniform(6, 5);
  private static final Transformer NETWORK = new Transformer(16, 3, 2, 24);

  static Map<String, Architecture> models() {
    Architecture flat = Architecture.of(SPACE, new FactorizedBase());
    Architecture layers = flat;
    for (int i = 0; i < 4; i++) {
      layers =
          layers
              .with(new Bipartite(Mask.even(6), NETWORK, new ShiftScale()))
              .with(new Bipartite(Mask.odd(6), new Transformer(8, 1, 2, 8), new Shift()));
    }
    Map<String, Architecture> models = new LinkedHashMap<>();
    models.put("causal", Architecture.of(SPACE, new AutoregressiveBase(Order.natural(6), NETWORK)));
    models.put("eight bipartite layers", layers);
    models.put(
        "both",
        Architecture.of(SPACE, new AutoregressiveBase(Order.reversed(6), NETWORK))
            .with(new Autoregressive(Order.natural(6), NETWORK, new Shift()))
            .with(new Bipartite(Mask.keep(6, i -> false), NETWORK, new Shift())));
    models.put(
        "with a condition",
        Architecture.of(SPACE, new AutoregressiveBase(Order.natural(6), NETWORK))
            .with(new Bipartite(Mask.even(6), NETWORK, new Shift()))
            .condition(Space.of(3, 2)));
    models.put(
        "patches",
        Architecture.of(
            SPACE,
            new GroupBase(
                Groups.growing(3, 2).inPatches(2),
                new PatchTransformer(NETWORK, 2, 5, 1, NETWORK))));
    return models;
  }

  static Stream<String> names() {
    return models().keySet().stream();
  }

  /** The gradient of each parameter by its name, and how often it was written to. */
  private record Found(double loss, Map<String, double[]> gradients, Map<String, Long> writes) {}

  private static Found found(FlowModel model, Precision precision, Dropout dropout) {
    int[][] rows = Toys.rows(SPACE, 7, 1);
    Space condition = model.architecture().condition();
    int[][] choices = condition.enumerate();
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(conditions, i -> choices[i % choices.length]);
    try (Weights weights = Models.weights(model).copyIn(precision);
        BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      weights.trackGradients();
      Condition given =
          condition.size() == 0 ? Condition.NONE : Zoo.condition(condition, conditions);
      Tensor ids = Tensors.ids(rows, SPACE.size(), Device.CPU);
      Tensor loss =
          Scope.handUp(
              () ->
                  Models.logProb(
                          model,
                          new Symbols(ids, Tensors.oneHot(ids, 5, Tensors.type(precision))),
                          new EvaluationContext(
                              weights,
                              given,
                              dropout,
                              new StraightThrough(UnaryOperator.identity(), 5),
                              tape))
                      .sum());
      Map<String, Long> before = writes(weights);
      loss.backward();
      tape.finish();
      Map<String, Long> writes = writes(weights);
      writes.replaceAll((name, count) -> count - before.get(name));
      Map<String, double[]> gradients = new LinkedHashMap<>();
      weights
          .parameters()
          .forEach(
              (name, parameter) ->
                  gradients.put(name, Tensors.toDoubles(weights.get(parameter).grad())));
      return new Found(Tensors.scalar(loss), gradients, writes);
    }
  }

  private static Map<String, Long> writes(Weights weights) {
    Map<String, Long> writes = new LinkedHashMap<>();
    for (Map.Entry<String, Parameter> named : weights.parameters().entrySet()) {
      writes.put(named.getKey(), weights.get(named.getValue()).grad()._version());
    }
    return writes;
  }

  @ParameterizedTest
  @MethodSource("names")
  void gradientsAreThoseOfPlainOperators(String name) {
    requireEqualGradients(name, () -> Dropout.NONE);
  }

  @ParameterizedTest
  @MethodSource("names")
  void gradientsAreThoseOfPlainOperatorsWithDropout(String name) {
    requireEqualGradients(name, () -> new Dropout(0.3, 1));
  }

  private static void requireEqualGradients(String name, Supplier<Dropout> dropout) {
    try (FlowModel model = Zoo.wild(models().get(name))) {
      Found plain = found(model, Precision.FLOAT64, dropout.get());
      try (FusedEverywhere fused = new FusedEverywhere()) {
        Found other = found(model, Precision.FLOAT64, dropout.get());
        assertThat(fused.calls()).isPositive();
        assertThat(other.loss).isCloseTo(plain.loss, within(1e-9 * Math.abs(plain.loss)));
        assertThat(other.writes).isEqualTo(plain.writes);
        plain.gradients.forEach(
            (parameter, wanted) -> {
              double largest = Arrays.stream(wanted).map(Math::abs).max().orElse(0);
              assertThat(other.gradients.get(parameter))
                  .as(parameter)
                  .containsExactly(wanted, within(1e-9 * largest + 1e-12));
            });
      }
    }
  }

  @Test
  void aCpuUsesPlainOperatorsToTheBit() {
    try (FlowModel model = Zoo.wild(models().get("both"))) {
      int[][] rows = Toys.rows(SPACE, 7, 1);
      double[] withTape = gradients(model, rows, true);
      assertThat(withTape).containsExactly(gradients(model, rows, false));
    }
  }

  private static double[] gradients(FlowModel model, int[][] rows, boolean tapeOpen) {
    try (Weights weights = Models.weights(model).copyIn(Precision.FLOAT32);
        BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      Tensor all = weights.trackGradients();
      Tensor ids = Tensors.ids(rows, SPACE.size(), Device.CPU);
      var context =
          new EvaluationContext(
              weights,
              Condition.NONE,
              Dropout.NONE,
              new StraightThrough(UnaryOperator.identity(), 5),
              tapeOpen ? tape : BackwardTape.NONE);
      Models.logProb(model, Symbols.withOneHot(ids, 5), context).sum().backward();
      return Tensors.toDoubles(all);
    }
  }

  @Test
  void trainingLeavesNoNativeObjectsBehind() throws Exception {
    int[][] rows = Toys.rows(SPACE, 32, 1);
    try (FlowModel model = FlowModel.create(models().get("both"), 1);
        FusedEverywhere fused = new FusedEverywhere()) {
      TrainingOptions options = TrainingOptions.builder(3).build();
      NativeCount.assertFlat(
          2, () -> new Trainer(model, options).train(Batches.shuffled(rows, 16, 1)));
      assertThat(fused.calls()).isPositive();
    }
  }
}
