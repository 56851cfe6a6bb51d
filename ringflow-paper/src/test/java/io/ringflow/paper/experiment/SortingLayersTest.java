package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.paper.oracle.AlphabetPairs;
import io.ringflow.paper.oracle.RingOfGaussians;
import io.ringflow.paper.oracle.RingOracle;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers that are trained as classifiers come close to what sorting can reach, in seconds. */
@Tag("slow")
final class SortingLayersTest {
  @TempDir private Path out;

  @Test
  void ofTheRing() throws IOException {
    Experiment experiment = new RingExperiment();
    List<Finished> finished =
        new TrialRunner(experiment, quick("sorting"), 2, out.resolve("metrics.jsonl"))
            .run(false, trial -> new TrainingListener() {});
    var oracle = new RingOracle(RingOfGaussians.paper().pmf());
    double[] optimum = {oracle.anyPermutation(), oracle.sortedTwice()};
    assertThat(finished).hasSize(2);
    for (int i = 0; i < 2; i++) {
      // The best shifts are 0.3 nats above the first of them.
      double nll = finished.get(i).results().get(0).value();
      assertThat(nll).isBetween(optimum[i], optimum[i] + 0.04);
    }
  }

  @Test
  void ofALargeAlphabet() throws IOException {
    Trial trial =
        new AlphabetExperiment()
            .trials(quick(null), 3).stream()
                .filter(one -> one.model().equals("1 sorting layer"))
                .findFirst()
                .orElseThrow();
    AlphabetPairs pairs = AlphabetPairs.scattered(500, AlphabetExperiment.DATA_SEED);
    try (FlowModel model = FlowModel.create(trial.architecture(), 3)) {
      new Trainer(model, trial.training().options()).train(trial.training().batches());
      // A hundred steps are enough for the layer, and too few for the base.
      WarmStart.fitBase(model, pairs.sample(20_000, new SplittableRandom(3)));
      assertThat(pairs.crossEntropy(model.logProb(pairs.pairs())))
          .isBetween(pairs.entropy(), 1.1 * pairs.entropy())
          .isLessThan(pairs.shifted());
    }
  }

  private Settings quick(String only) {
    return new Settings(
        out, 3, 1, "cpu", Effort.QUICK, null, null, only == null ? List.of() : List.of(only));
  }
}
