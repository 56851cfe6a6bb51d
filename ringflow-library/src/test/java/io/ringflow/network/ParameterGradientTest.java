package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Estimators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One backward pass gives every parameter of every model a gradient. */
@ExtendWith(LeakCheck.class)
final class ParameterGradientTest {
  @ParameterizedTest
  @MethodSource("io.ringflow.testing.Zoo#sighted")
  void everyParameterGetsAGradient(Zoo.Specimen specimen) {
    assertThat(withoutGradient(specimen.architecture())).isEmpty();
  }

  /** A network that sees no symbol does not use the weights of its input. */
  @ParameterizedTest
  @MethodSource("io.ringflow.testing.Zoo#blind")
  void aNetworkThatSeesNothingLacksTheGradientOfItsInputAlone(Zoo.Specimen specimen) {
    assertThat(withoutGradient(specimen.architecture()))
        .hasSize(1)
        .first()
        .isIn(
            "layers.0.network.layers.0.weight",
            "layers.0.network.embedding.table",
            "base.network.embedding.table");
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.testing.SortingZoo#all")
  void everyParameterOfASortingModelGetsAGradientAsAClassifier(Zoo.Specimen specimen) {
    assertThat(withoutGradient(specimen.architecture(), ParameterGradientTest::classified))
        .isEmpty();
  }

  /** The objective of a training step. */
  @FunctionalInterface
  private interface Score {
    /** The score of each row, {@code [B]}. */
    Tensor of(Tensor ids, FlowModel model, EvaluationContext context);
  }

  private static Tensor straightThrough(Tensor ids, FlowModel model, EvaluationContext context) {
    int width = model.architecture().space().maxCardinality();
    return Models.logProb(model, Symbols.withOneHot(ids, width), context);
  }

  private static Tensor classified(Tensor ids, FlowModel model, EvaluationContext context) {
    return Estimators.crossEntropy(model, ids, context);
  }

  private static List<String> withoutGradient(Architecture architecture) {
    return withoutGradient(architecture, ParameterGradientTest::straightThrough);
  }

  /** The names of parameters whose gradient is zero. */
  private static List<String> withoutGradient(Architecture architecture, Score score) {
    Space space = architecture.space();
    Space condition = architecture.condition();
    int[][] rows = space.enumerate();
    int[][] choices = condition.enumerate();
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(conditions, i -> choices[i * 7 % choices.length]);
    try (FlowModel model = Zoo.wild(architecture);
        Scope scope = Scope.training()) {
      Models.weights(model).trackGradients();
      Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
      EvaluationContext context =
          Estimators.straightThrough(
              Models.weights(model), Zoo.condition(condition, conditions), 1.0);
      score.of(ids, model, context).mul(weightOfEachRow(rows.length)).sum().backward();
      List<String> without = new ArrayList<>();
      for (Map.Entry<String, Parameter> named : Models.weights(model).parameters().entrySet()) {
        double[] gradient = Tensors.toDoubles(Models.weights(model).get(named.getValue()).grad());
        assertThat(Arrays.stream(gradient).allMatch(Double::isFinite)).as(named.getKey()).isTrue();
        if (Arrays.stream(gradient).allMatch(value -> value == 0)) {
          without.add(named.getKey());
        }
      }
      return without;
    }
  }

  /** They differ, because the sum of log-probabilities over a whole space is constant. */
  private static Tensor weightOfEachRow(int rows) {
    double[] weights = new double[rows];
    Arrays.setAll(weights, i -> 0.1 + i * 31 % 17);
    return Tensors.reals(weights, Precision.FLOAT32, Device.CPU, rows);
  }
}
