package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
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
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import io.ringflow.train.TrainingListener.Progress;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Training by mixtures, one layer after the other, towards a base that follows. */
@ExtendWith(LeakCheck.class)
final class MixtureTest {
  private static final Space SPACE = Space.uniform(4, 6);
  private static final double[] FAVOURITE = {12, 1, 1, 1, 1, 1};

  private static Architecture bipartite(Network network) {
    return bipartite(network, new ShiftScale());
  }

  private static Architecture bipartite(Network network, SymbolMap map) {
    return Architecture.of(SPACE, new FactorizedBase())
        .with(new Bipartite(Mask.odd(4), network, map))
        .with(new Bipartite(Mask.even(4), network, map));
  }

  /** Maps and the objectives that can train them. */
  static Stream<Arguments> trainable() {
    return Stream.of(
        arguments(Objective.STRAIGHT_THROUGH, new ShiftScale()),
        arguments(Objective.MIXTURE, new ShiftScale()),
        arguments(Objective.LAYERWISE_CROSS_ENTROPY, new Shift()),
        arguments(Objective.LAYERWISE_CROSS_ENTROPY, new Permute()));
  }

  private static TrainingListener onProgress(Consumer<Progress> action) {
    return new TrainingListener() {
      @Override
      public void progressed(Progress progress) {
        action.accept(progress);
      }
    };
  }

  private static double[] weights(FlowModel model) {
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(Models.weights(model).values());
    }
  }

  private static double loss(FlowModel model, int[][] rows) {
    return -Arrays.stream(model.logProb(rows)).average().orElseThrow();
  }

  /** Every row of which the odd symbols follow from the even ones. */
  private static int[][] dependent() {
    return Arrays.stream(Space.uniform(2, 6).enumerate())
        .map(free -> new int[] {free[0], free[0] * free[0] % 6, free[1], (free[0] + free[1]) % 6})
        .toArray(int[][]::new);
  }

  private static Batches whole(int[][] rows) {
    return Batches.shuffled(rows, rows.length, 1);
  }

  @Test
  void mixturesNeedABaseOfFreeLogits() {
    for (Base base :
        List.of(
            new AutoregressiveBase(Order.natural(3), new LookupTable()),
            new FactorizedBase(new Made(4, 1)))) {
      Architecture architecture = Architecture.of(Space.of(2, 3, 4), base).condition(Space.of(2));
      assertRefused(
          architecture.with(new Bipartite(Mask.even(3), new LookupTable(), new Shift())),
          TrainingOptions.builder(1).objective(Objective.MIXTURE).build(),
          "objective MIXTURE needs a factorised base without a network, and no Reorder or Pack"
              + " layers");
      assertRefused(
          architecture,
          TrainingOptions.builder(1).baseAveraging(0.1).build(),
          "baseAveraging needs a factorised base without a network");
    }
  }

  /** A target belongs to a position, which a reordering would take from it, however deep. */
  @Test
  void mixturesNeedPositionsToStay() {
    Layer reorder = new Reorder(Order.of(1, 2, 3, 0));
    Layer even = new Bipartite(Mask.even(4), new LookupTable(), new Shift());
    Architecture architecture = Architecture.of(Space.uniform(4, 3), new FactorizedBase());
    assertRefused(
        architecture.with(new Pack(2)).with(even),
        TrainingOptions.builder(1).objective(Objective.MIXTURE).build(),
        "objective MIXTURE needs a factorised base without a network, and no Reorder or Pack"
            + " layers");
    for (Layer layer :
        List.of(reorder, Chain.of(even, reorder), Chain.of(Chain.of(reorder), even))) {
      assertRefused(
          architecture.with(even).with(layer),
          TrainingOptions.builder(1).objective(Objective.MIXTURE).build(),
          "objective MIXTURE needs a factorised base without a network, and no Reorder or Pack"
              + " layers");
    }
  }

  private static void assertRefused(
      Architecture architecture, TrainingOptions options, String message) {
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      double[] before = weights(model);
      Batch rows =
          new Batch(Toys.rows(architecture.space(), 8, 1), Toys.condition(architecture, 8, 1));
      Trainer trainer = new Trainer(model, options);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> trainer.train(Batches.shuffled(rows, 4, 1)))
          .withMessage(message);
      assertThat(weights(model)).containsExactly(before);
    }
  }

  @ParameterizedTest
  @MethodSource("trainable")
  void theReportedLossIsTheExactOne(Objective objective, SymbolMap map) throws IOException {
    int[][] rows = dependent();
    try (FlowModel model = FlowModel.create(bipartite(new Made(9, 1), map), 3)) {
      WarmStart.setMarginals(model, FAVOURITE);
      double[] single = model.logProb(rows, new int[0][], Precision.FLOAT32);
      double exact = loss(model, rows);
      TrainingOptions options =
          TrainingOptions.builder(1).objective(objective).learningRate(0.01).build();
      TrainingReport report = new Trainer(model, options).train(whole(rows));
      assertThat(report.loss())
          .isCloseTo(-Arrays.stream(single).average().orElseThrow(), within(1e-6))
          .isCloseTo(exact, within(1e-5));
      assertThat(loss(model, rows)).isNotEqualTo(exact);
    }
  }

  /** Two free symbols of six: no model of these rows has a loss below 2 ln 6. */
  @Test
  void layersLearnWhatFollowsFromWhat() throws IOException {
    int[][] rows = dependent();
    for (Layer layer :
        List.of(
            new Bipartite(Mask.even(4), new LookupTable(), new Shift()),
            new Bipartite(Mask.even(4), new LookupTable(), new ShiftScale()),
            new Autoregressive(Order.of(2, 0, 3, 1), new LookupTable(), new Shift()))) {
      Architecture architecture = Architecture.of(SPACE, new FactorizedBase()).with(layer);
      try (FlowModel model = FlowModel.create(architecture, 3)) {
        WarmStart.setMarginals(model, FAVOURITE);
        TrainingOptions options =
            TrainingOptions.builder(200)
                .objective(Objective.MIXTURE)
                .learningRate(0.05)
                .layerSchedule(0, 0.6)
                .baseSchedule(0.6, 1)
                .baseAveraging(0.25)
                .build();
        double before = loss(model, rows);
        new Trainer(model, options).train(whole(rows));
        double floor = 2 * Math.log(6);
        assertThat(before).isGreaterThan(floor + 1);
        assertThat(loss(model, rows)).isBetween(floor, floor + 1e-3);
        double total = Arrays.stream(model.logProb(SPACE.enumerate())).map(Math::exp).sum();
        assertThat(total).isCloseTo(1, within(1e-12));
        assertThat(model.decode(model.encode(rows))).isDeepEqualTo(rows);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("trainable")
  void progressiveTrainingBeginsNextToTheData(Objective objective, SymbolMap map)
      throws IOException {
    try (FlowModel model = FlowModel.create(bipartite(new Made(9, 1), map), 3)) {
      WarmStart.setMarginals(model, FAVOURITE);
      TrainingOptions options =
          TrainingOptions.builder(40)
              .objective(objective)
              .temperature(Temperature.constant(1))
              .learningRate(0.01)
              .progressive()
              .logEvery(20)
              .build();
      List<double[]> seen = new ArrayList<>(List.of(weights(model)));
      new Trainer(model, options)
          .listener(onProgress(progress -> seen.add(weights(model))))
          .train(whole(dependent()));
      assertThat(seen).hasSize(3);
      int second = Math.toIntExact(Models.weights(model).layerStarts().get(1));
      int end = Math.toIntExact(Models.weights(model).layerElements());
      assertThat(part(seen.get(1), 0, second)).containsExactly(part(seen.get(0), 0, second));
      assertThat(part(seen.get(1), second, end)).isNotEqualTo(part(seen.get(0), second, end));
      assertThat(part(seen.get(2), 0, second)).isNotEqualTo(part(seen.get(1), 0, second));
      assertThat(part(seen.get(2), second, end)).containsExactly(part(seen.get(1), second, end));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.2})
  void aBaseStandsStillOutsideItsSpan(double follows) throws IOException {
    try (FlowModel model = FlowModel.create(bipartite(new Made(9, 1)), 3)) {
      WarmStart.setMarginals(model, FAVOURITE);
      TrainingOptions options =
          TrainingOptions.builder(40)
              .objective(Objective.MIXTURE)
              .learningRate(0.01)
              .weightDecay(0.1)
              .baseSchedule(0.25, 0.75)
              .baseAveraging(follows)
              .logEvery(10)
              .build();
      List<double[]> seen = new ArrayList<>();
      int start = Math.toIntExact(Models.weights(model).layerElements());
      Runnable look = () -> seen.add(part(weights(model), start, weights(model).length));
      look.run();
      new Trainer(model, options)
          .listener(onProgress(progress -> look.run()))
          .train(whole(dependent()));
      assertThat(seen).hasSize(5);
      assertThat(seen.get(1)).containsExactly(seen.get(0));
      assertThat(seen.get(2)).isNotEqualTo(seen.get(1));
      assertThat(seen.get(3)).isNotEqualTo(seen.get(2));
      assertThat(seen.get(4)).containsExactly(seen.get(3));
    }
  }

  private static double[] part(double[] values, int from, int to) {
    return Arrays.copyOfRange(values, from, to);
  }

  /** The same row again and again: what is missing to certainty shrinks by the same factor. */
  @Test
  void aBaseFollowsAConstantBatch() throws IOException {
    Space space = Space.of(2, 3, 4);
    int[] row = {1, 0, 2};
    try (FlowModel model =
        FlowModel.create(Architecture.of(space, new FactorizedBase(null, 0.7)), 1)) {
      WarmStart.setMarginals(model, new double[] {1, 1, 1, 1});
      assertThat(model.logProb(new int[][] {row})[0]).isCloseTo(-Math.log(24), within(1e-6));
      TrainingOptions options = TrainingOptions.builder(10).baseAveraging(0.25).build();
      new Trainer(model, options).train(whole(new int[][] {row, row}));
      double left = Math.pow(0.75, 10);
      double wanted = 0;
      for (int k : space.cardinalities()) {
        wanted += Math.log(1 - (1 - 1.0 / k) * left);
      }
      assertThat(model.logProb(new int[][] {row})[0]).isCloseTo(wanted, within(1e-5));
      double total = Arrays.stream(model.logProb(space.enumerate())).map(Math::exp).sum();
      assertThat(total).isCloseTo(1, within(1e-12));
    }
  }

  private static TrainingOptions resumable(double dropout) {
    return TrainingOptions.builder(30)
        .objective(Objective.MIXTURE)
        .learningRate(0.02)
        .dropout(dropout)
        .baseAveraging(0.05)
        .baseSchedule(0.3, 1)
        .progressive()
        .logEvery(5)
        .checkpointEvery(10)
        .build();
  }

  @Test
  void aResumedTrainingLeavesOutTheSame(@TempDir Path folder) throws IOException {
    Architecture architecture = bipartite(new Lstm(3, 4, 2));
    Batches data = Batches.shuffled(dependent(), 6, 3);
    double[] undisturbed = trained(architecture, resumable(0.3), data);
    assertThat(trained(architecture, resumable(0), data)).isNotEqualTo(undisturbed);

    Path checkpoint = folder.resolve("checkpoint");
    RuntimeException boom = new RuntimeException("boom");
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      Trainer trainer =
          new Trainer(model, resumable(0.3))
              .checkpoints(checkpoint)
              .listener(
                  onProgress(
                      progress -> {
                        if (progress.step() == 15) {
                          throw boom;
                        }
                      }));
      assertThatThrownBy(() -> trainer.train(data)).isSameAs(boom);
    }
    try (FlowModel model = FlowModel.create(architecture, 77)) {
      new Trainer(model, resumable(0.3)).checkpoints(checkpoint).train(data);
      assertThat(weights(model)).containsExactly(undisturbed);
    }
  }

  private static double[] trained(Architecture architecture, TrainingOptions options, Batches data)
      throws IOException {
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      new Trainer(model, options).train(data);
      return weights(model);
    }
  }
}
