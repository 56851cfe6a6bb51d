package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.DataFormatException;
import io.ringflow.infer.ExactInference;
import io.ringflow.infer.FactorGraph;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BayesExperimentTest {
  private static final String SPRINKLER =
      """
      network sprinkler {
      }
      variable rain {
        type discrete [ 2 ] { yes, no };
      }
      variable sprinkler {
        type discrete [ 2 ] { on, off };
      }
      variable grass {
        type discrete [ 3 ] { dry, damp, wet };
      }
      variable shoes {
        type discrete [ 2 ] { wet, dry };
      }
      probability ( rain ) {
        table 0.2, 0.8;
      }
      probability ( sprinkler | rain ) {
        (yes) 0.01, 0.99;
        (no) 0.4, 0.6;
      }
      probability ( grass | rain, sprinkler ) {
        (yes, on) 0.0, 0.1, 0.9;
        (no, on) 0.1, 0.6, 0.3;
        (yes, off) 0.0, 0.3, 0.7;
        (no, off) 0.9, 0.1, 0.0;
      }
      probability ( shoes | grass ) {
        (dry) 0.0, 1.0;
        (damp) 0.4, 0.6;
        (wet) 0.9, 0.1;
      }
      """;

  @TempDir Path folder;

  private Settings settings(int seeds) throws IOException {
    Path out = Files.createDirectories(folder.resolve("run"));
    Path data = Files.createDirectories(folder.resolve("data"));
    return new Settings(out, 3, seeds, "cpu", Effort.QUICK, data, null, List.of());
  }

  private FactorGraph sprinkler() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    return FactorGraph.read(Files.writeString(data.resolve("sprinkler.bif"), SPRINKLER));
  }

  @Test
  void evidenceComesAsOftenAsTheNetworkSays() throws IOException {
    FactorGraph network = sprinkler();
    Map<String, Integer> counts = new TreeMap<>();
    int draws = 3000;
    for (int seed = 0; seed < draws; seed++) {
      Evidence evidence = Evidence.drawn(network, seed);
      assertThat(evidence.states()).hasSizeBetween(1, 3);
      assertThat(evidence.logProb())
          .isFinite()
          .isCloseTo(ExactInference.of(network.given(evidence.states())).logZ(), within(1e-12));
      evidence.states().forEach((name, state) -> counts.merge(name + "=" + state, 1, Integer::sum));
    }
    for (var variable : network.variables()) {
      double[] exact = ExactInference.of(network).marginals()[network.position(variable.name())];
      int known =
          variable.states().stream()
              .mapToInt(state -> counts.getOrDefault(variable.name() + "=" + state, 0))
              .sum();
      assertThat(known).as("two variables of four on average").isBetween(1350, 1650);
      for (int i = 0; i < exact.length; i++) {
        double share =
            counts.getOrDefault(variable.name() + "=" + variable.states().get(i), 0)
                / (double) known;
        assertThat(share)
            .isCloseTo(exact[i], within(4 * Math.sqrt(exact[i] * (1 - exact[i]) / known)));
      }
    }
  }

  @Test
  void everySeedIsAnotherQuestion() throws IOException {
    FactorGraph network = sprinkler();
    Settings settings = settings(2);
    BayesExperiment experiment = new BayesExperiment();
    List<Finished> finished =
        new TrialRunner(experiment, settings, 1, settings.out().resolve("metrics.jsonl"))
            .run(false, trial -> new TrainingListener() {});
    Outcome outcome = experiment.outcome(settings, finished);

    assertThat(outcome.results().stream().map(Result::metric).distinct())
        .containsExactly(
            BayesExperiment.DIVERGENCE,
            BayesExperiment.ERROR,
            BayesExperiment.STANDARD_ERRORS,
            InferenceTask.ESS,
            InferenceTask.SHIFTED_ALIKE);
    assertThat(outcome.results()).allSatisfy(result -> assertThat(result.value()).isFinite());
    for (Finished one : finished) {
      Evidence evidence = Evidence.drawn(network, one.trial().seed());
      try (FlowModel model = one.load(settings)) {
        assertThat(one.results().get(0).value())
            .isCloseTo(divergence(evidence, model), within(1e-9));
      }
    }
    assertThat(outcome.charts()).hasSize(1);
    assertThat(outcome.listings()).hasSize(2);
    assertThat(outcome.listings().get(0).lines()).hasSize(1 + 2 * 4 + 1);
    assertThat(outcome.listings().get(1).lines())
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).contains(Evidence.drawn(network, 4).text()));
    assertThat(outcome.notes()).isNotEmpty().allSatisfy(note -> assertThat(note).endsWith("."));
  }

  private static double divergence(Evidence evidence, FlowModel model) {
    int[][] rows = evidence.posterior().space().enumerate();
    double[] logWeights = evidence.posterior().logWeights(rows);
    double[] logProbs = model.logProb(rows);
    double sum = 0;
    for (int i = 0; i < rows.length; i++) {
      double p = Math.exp(logWeights[i] - evidence.logProb());
      sum += p == 0 ? 0 : p * (Math.log(p) - logProbs[i]);
    }
    return sum;
  }

  @Test
  void aFolderWithoutNetworksIsOneLine() throws IOException {
    Settings settings = settings(1);
    assertThatThrownBy(() -> new BayesExperiment().trials(settings, 1))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isInstanceOf(DataFormatException.class)
        .hasMessage(settings.data() + ": has no network, a file NAME.bif");
  }
}
