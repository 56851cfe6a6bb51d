package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InferenceTest {
  private static final InferenceOptions SMALL = new InferenceOptions(64, 1e-2, 0.4, 0.7);
  private static final InferenceOptions SMALL_TABLES = new InferenceOptions(64, 0.1, 0.4, 0.7);

  private static double logZ(FactorGraph graph) {
    return LogSums.of(graph.logWeights(graph.space().enumerate()));
  }

  /** KL(p, q) by enumeration. */
  private static double divergence(InferredModel model, FactorGraph graph) {
    int[][] all = graph.space().enumerate();
    double[] target = graph.logWeights(all);
    double[] probs = model.logProb(all);
    double logZ = LogSums.of(target);
    double sum = 0;
    for (int i = 0; i < all.length; i++) {
      if (target[i] > Double.NEGATIVE_INFINITY) {
        sum += Math.exp(target[i] - logZ) * (target[i] - logZ - probs[i]);
      }
    }
    return sum;
  }

  @Test
  void smallTargetsAreLearned() throws IOException {
    for (int seed = 1; seed <= 2; seed++) {
      FactorGraph graph = RandomGraphs.of(6, 0.1, new SplittableRandom(seed));
      try (InferredModel model =
          Inference.of(graph).options(SMALL_TABLES).steps(300).seed(seed).train()) {
        assertThat(divergence(model, graph)).isBetween(0.0, 0.01);
        WeightedSamples samples = model.draw(4000, 1);
        assertThat(samples.ess()).isGreaterThan(0.97);
        assertThat(samples.impossibleShare()).isLessThan(0.01);
      }
    }
  }

  /** Of a ring of spins that are alike, a model without the symmetry may find one mode alone. */
  @Test
  void symmetriesAreDividedOut() throws IOException {
    List<Factor> factors = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      factors.add(new Factor(List.of(i, (i + 1) % 8), new double[] {2, -2, -2, 2}));
    }
    FactorGraph ring = new FactorGraph(Space.uniform(8, 2), factors);
    try (InferredModel model =
        Inference.of(ring)
            .options(SMALL)
            .symmetry(Symmetry.ofSymbols(2))
            .passes(5)
            .steps(300)
            .train()) {
      assertThat(divergence(model, ring)).isBetween(0.0, 0.01);
      assertThat(model.flow().samplingPasses()).isEqualTo(5);
      assertThat(model.draw(1000, 1).probability(3, 1).value()).isCloseTo(0.5, within(0.1));
    }
  }

  @Test
  void resumingEndsInTheSameBits(@TempDir Path folder) throws IOException {
    FactorGraph graph = RandomGraphs.of(5, 0, new SplittableRandom(9));
    int[][] all = graph.space().enumerate();
    double[] whole;
    try (InferredModel model = Inference.of(graph).options(SMALL).steps(60).train()) {
      whole = model.logProb(all);
    }
    Inference interrupted =
        Inference.of(graph)
            .options(SMALL)
            .steps(60)
            .checkpoints(folder.resolve("checkpoint"))
            .listener(
                progress -> {
                  if (progress.step() == 20) {
                    Thread.currentThread().interrupt();
                  }
                });
    interrupted.train().close();
    assertThat(Thread.interrupted()).isTrue();
    try (InferredModel model =
        Inference.of(graph)
            .options(SMALL)
            .steps(60)
            .checkpoints(folder.resolve("checkpoint"))
            .train()) {
      assertThat(model.logProb(all)).isEqualTo(whole);
    }
  }

  /**
   * An interrupt in the middle of a step, wherever it comes, leaves what was learned until then.
   */
  @Test
  void anInterruptWithinAStepLosesNothing() throws IOException {
    FactorGraph ising = SpinModels.ising(new Lattice(1, 3, false), 0.4, 1, 0);
    int[] images = {0};
    Symmetry flip =
        Symmetry.of(
            List.of(
                row -> row,
                row -> {
                  if (++images[0] == 1000) { // of 64 rows a step, drawn and then scored
                    Thread.currentThread().interrupt();
                  }
                  return Arrays.stream(row).map(spin -> 1 - spin).toArray();
                }));
    List<InferenceListener.Progress> heard = new ArrayList<>();
    try (InferredModel model =
        Inference.of(ising)
            .options(SMALL)
            .symmetry(flip)
            .steps(1000)
            .listener(heard::add)
            .train()) {
      assertThat(Thread.interrupted()).isTrue();
      assertThat(heard).hasSize(1);
      assertThat(heard.get(0).step()).isBetween(5L, 15L);
      assertThat(model.draw(100, 1).logZ().value()).isFinite();
    }
  }

  @Test
  void progressHasBoundAndEffectiveSampleSize() throws IOException {
    FactorGraph graph = RandomGraphs.of(4, 0, new SplittableRandom(2));
    List<InferenceListener.Progress> heard = new ArrayList<>();
    Inference.of(graph)
        .options(SMALL)
        .time(Duration.ofSeconds(1))
        .listener(heard::add)
        .train()
        .close();
    assertThat(heard).isNotEmpty();
    InferenceListener.Progress last = heard.get(heard.size() - 1);
    assertThat(last.bound()).isCloseTo(logZ(graph), within(0.2));
    assertThat(last.ess()).isBetween(0.5, 1.0);
    // Time may run out just after a report of the last step.
    assertThat(last.share()).isBetween(0.9, 1.0);
  }

  /** The flip of all spins is found and divided out, unless something else is said. */
  @Test
  void symmetriesAreFound() {
    FactorGraph ising = SpinModels.ising(Lattice.torus(3), 1, 1, 0);
    Inference inference = Inference.of(ising);
    try (InferredModel model = inference.inferred(FlowModel.create(inference.architecture(), 1))) {
      int[][] rows = ising.space().enumerate();
      double[] logProbs = model.logProb(rows);
      int[][] flipped =
          Arrays.stream(rows)
              .map(row -> Arrays.stream(row).map(spin -> 1 - spin).toArray())
              .toArray(int[][]::new);
      assertThat(model.symmetry().size()).isEqualTo(2);
      assertThat(model.logProb(flipped)).containsExactly(logProbs, within(1e-12));
    }
    Inference plain = Inference.of(ising).symmetry(Symmetry.NONE);
    try (InferredModel model = plain.inferred(FlowModel.create(plain.architecture(), 1))) {
      assertThat(model.symmetry().size()).isEqualTo(1);
    }
  }

  /** Products of three on a ring, which no graph tells of: learned, and the same everywhere. */
  @Test
  void aTargetMayBeSaidToBeTheSameEverywhere() throws IOException {
    Torus ring = Torus.of(6);
    Space space = Space.uniform(6, 2);
    Target target =
        rows ->
            Arrays.stream(rows)
                .mapToDouble(
                    row ->
                        IntStream.range(0, 6)
                            .map(i -> row[i] ^ row[ring.at(i, 1)] ^ row[ring.at(i, 2)])
                            .sum())
                .toArray();
    Inference inference = Inference.of(space, target).torus(ring).options(SMALL).steps(400);
    try (InferredModel model = inference.train()) {
      int[][] rows = space.enumerate();
      double logZ = LogSums.of(target.logWeights(rows));
      double[] exact = target.logWeights(rows);
      double[] learned = model.logProb(rows);
      double divergence = 0;
      for (int i = 0; i < rows.length; i++) {
        divergence += Math.exp(exact[i] - logZ) * (exact[i] - logZ - learned[i]);
      }
      assertThat(divergence).isBetween(0.0, 0.02);
    }
    assertThatThrownBy(() -> Inference.of(space, target).torus(Torus.of(2, 2)))
        .hasMessageStartingWith(
            "positions of a torus of sides [2, 2] must be those of the space, and alike");
    assertThatThrownBy(() -> Inference.of(space, target).torus(ring).passes(2).architecture())
        .hasMessage("a torus of sides [6] takes at least 4 passes, but passes is 2");
  }

  @Test
  void progressByStepsEndsAtOne() throws IOException {
    FactorGraph graph = RandomGraphs.of(4, 0, new SplittableRandom(2));
    List<Double> shares = new ArrayList<>();
    Inference.of(graph)
        .options(SMALL)
        .steps(50)
        .listener(progress -> shares.add(progress.share()))
        .train()
        .close();
    assertThat(shares).containsExactly(0.4, 0.8, 1.0);
  }

  @Test
  void targetsThatAnswerWronglyAreTold() {
    Space space = Space.uniform(3, 2);
    assertThatThrownBy(() -> Inference.of(space, rows -> new double[1]).steps(1).train())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the target must return a log-weight for each row, but returned 1 for 512 rows");
    assertThatThrownBy(() -> Inference.of(space, rows -> null).steps(1).train())
        .hasMessage(
            "the target must return a log-weight for each row, but returned null for 512 rows");
    for (double wrong : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      Target target =
          rows -> {
            double[] result = new double[rows.length];
            Arrays.fill(result, wrong);
            return result;
          };
      assertThatThrownBy(() -> Inference.of(space, target).steps(1).train())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageMatching(
              "the target's log-weights must be numbers or minus infinity, but that of row"
                  + " \\[[01], [01], [01]] is "
                  + wrong);
    }
  }

  @Test
  void impossibleEvidenceIsToldBeforeTraining() {
    FactorGraph graph =
        new FactorGraph(
            List.of(new Variable("a", List.of("no", "yes")), new Variable("b", List.of("0", "1"))),
            List.of(
                new Factor(List.of(0, 1), new double[] {0, 0, Double.NEGATIVE_INFINITY, 0}),
                new Factor(List.of(1), new double[] {0, 1})));
    assertThatThrownBy(
            () -> Inference.of(graph.given(Map.of("a", "yes", "b", "0"))).steps(1).train())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no row is possible: the evidence has probability 0");
    double[] nothing = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
    FactorGraph never =
        new FactorGraph(graph.variables(), List.of(new Factor(List.of(1), nothing)));
    assertThatThrownBy(() -> Inference.of(never).steps(1).train())
        .hasMessage("no row is possible: a factor of b allows none of their combinations");
  }

  /** A model may be right before it has learned anything: then there is no gradient at all. */
  @Test
  void aUniformTargetIsLearned() throws IOException {
    for (Space space :
        List.of(Space.uniform(1, 2), new Space(List.of(2, 3, 1)), Space.uniform(2, 1))) {
      FactorGraph uniform = new FactorGraph(space, List.of());
      Target constant = rows -> new double[rows.length];
      for (Inference inference : List.of(Inference.of(uniform), Inference.of(space, constant))) {
        try (InferredModel model = inference.steps(2).train()) {
          WeightedSamples samples = model.draw(100, 1);
          double rows = Math.log(space.enumerate().length);
          double error = 4 * samples.logZ().standardError() + 1e-6; // of float32
          assertThat(samples.logZ().value()).isCloseTo(rows, within(error));
          assertThat(samples.ess()).isGreaterThan(0.99);
        }
      }
    }
  }

  /** A target that knows no possible row has nothing to learn from. */
  @Test
  void aTargetWithoutPossibleRowsIsRefused() throws IOException {
    Target never =
        rows -> {
          double[] result = new double[rows.length];
          Arrays.fill(result, Double.NEGATIVE_INFINITY);
          return result;
        };
    assertThatThrownBy(() -> Inference.of(Space.uniform(3, 2), never).steps(5).train())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "none of the 512 rows of the first step is possible under the target: nothing would be learned");
  }

  @Test
  void aModelTooLargeForTheMemoryIsRefused() {
    Space space = Space.uniform(1 << 14, 256); // 2^22 inputs of 2^12 units
    assertThatThrownBy(() -> Inference.of(space, rows -> new double[rows.length]).steps(1).train())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the model is too large to train: ");
  }

  @Test
  void aTrainingEndsWhenItsBoundStandsStill() throws IOException {
    FactorGraph graph = RandomGraphs.of(3, 0, new SplittableRandom(5));
    List<InferenceListener.Progress> heard = new ArrayList<>();
    Inference.of(graph)
        .options(SMALL)
        .steps(1000)
        .patience(0.2)
        .listener(heard::add)
        .train()
        .close();
    long last = heard.get(heard.size() - 1).step();
    assertThat(last).isBetween(500L, 999L);
    assertThatThrownBy(() -> Inference.of(graph).patience(1))
        .hasMessage("patience must be at least 0 and below 1, but is 1.0");
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Inference inference = Inference.of(Space.uniform(3, 2), rows -> new double[rows.length]);
    assertThatThrownBy(() -> inference.passes(4)).hasMessage("passes must be in 1..3, but is 4");
    assertThatThrownBy(() -> inference.steps(0)).hasMessage("steps must be at least 1, but is 0");
    Architecture ofTwo = Architecture.of(Space.uniform(2, 2), new FactorizedBase());
    assertThatThrownBy(() -> inference.architecture(ofTwo))
        .hasMessageStartingWith("the architecture must be unconditional and of the target's space");
    assertThatThrownBy(() -> new InferenceOptions(1, 1e-3, 0, 1))
        .hasMessage("batch must be at least 2, but is 1");
    assertThatThrownBy(() -> new InferenceOptions(2, 1e-3, 0.6, 0.5))
        .hasMessage("annealedShare must be between 0 and reverseShare, but is 0.6");
  }
}
