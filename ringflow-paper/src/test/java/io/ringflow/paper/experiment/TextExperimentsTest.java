package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.DataFormatException;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The experiments on texts, at their smallest, from corpus to report. */
@Tag("slow")
final class TextExperimentsTest {
  private static final TrainingListener SILENT = new TrainingListener() {};
  private static final int LENGTH = 16; // of a quick run's rows
  private static final int SCORED = 20; // and how many of them it looks at

  @TempDir Path folder;

  /** Words of which short ones are frequent. */
  private static String words(int characters, long seed) {
    var random = new SplittableRandom(seed);
    var text = new StringBuilder();
    while (text.length() < characters) {
      int letters = 1 + Math.min(random.nextInt(8), random.nextInt(8));
      for (int i = 0; i < letters; i++) {
        text.append((char) ('a' + Math.min(random.nextInt(26), random.nextInt(26))));
      }
      text.append(' ');
    }
    return text.substring(0, characters);
  }

  private Path text(int characters) throws IOException {
    return Files.writeString(folder.resolve("text"), words(characters, 1));
  }

  /** Sentences as Mikolov's files have them. */
  private Path treebank() throws IOException {
    Path treebank = Files.createDirectories(folder.resolve("treebank"));
    List<String> parts = List.of("train", "valid", "test");
    for (int part = 0; part < parts.size(); part++) {
      // Every letter occurs in the training sentences.
      var file = new StringBuilder(part == 0 ? spaced("abcdefghijklmnopqrstuvwxyz") : "");
      for (int i = 0; i < 30; i++) {
        file.append(spaced(words(30 + i, 100 * part + i).strip()));
      }
      Files.writeString(treebank.resolve("ptb.char." + parts.get(part) + ".txt"), file);
    }
    return treebank;
  }

  private static String spaced(String sentence) {
    return sentence
        .replace(' ', '_')
        .chars()
        .mapToObj(Character::toString)
        .collect(Collectors.joining(" ", " ", " \n"));
  }

  private Settings settings(Path data, String only) throws IOException {
    return settings(data, only, "run");
  }

  private Settings settings(Path data, String only, String run) throws IOException {
    Path out = Files.createDirectories(folder.resolve(run));
    return new Settings(
        out, 3, 1, "cpu", Effort.QUICK, data, null, only == null ? List.of() : List.of(only));
  }

  private static List<Finished> run(
      Experiment experiment, Settings settings, boolean resume, TrainingListener listener)
      throws IOException {
    Path metrics = settings.out().resolve("metrics.jsonl");
    return new TrialRunner(experiment, settings, 2, metrics).run(resume, trial -> listener);
  }

  private static Outcome outcome(Experiment experiment, Settings settings) throws IOException {
    Outcome outcome = experiment.outcome(settings, run(experiment, settings, false, SILENT));
    assertThat(outcome.results())
        .isNotEmpty()
        .allSatisfy(
            result -> {
              assertThat(result.experiment()).isEqualTo(experiment.name());
              boolean countsNoCalls =
                  result.model().equals("unigrams") && result.metric().equals("network calls");
              assertThat(result.value()).isFinite().isGreaterThanOrEqualTo(0);
              assertThat(result.value() == 0).isEqualTo(countsNoCalls);
            });
    assertThat(outcome.charts()).isNotEmpty();
    assertThat(outcome.charts())
        .allSatisfy(
            chart -> {
              assertThat(chart.series()).isNotEmpty();
              assertThat(chart.series())
                  .allSatisfy(
                      series -> {
                        assertThat(series.x()).isNotEmpty().isSorted();
                        assertThat(series.y()).hasSameSizeAs(series.x());
                        assertThat(Arrays.stream(series.y()).allMatch(Double::isFinite)).isTrue();
                      });
            });
    assertThat(outcome.notes()).isNotEmpty().allSatisfy(note -> assertThat(note).endsWith("."));
    return outcome;
  }

  private static List<String> models(Outcome outcome) {
    return outcome.results().stream().map(Result::model).distinct().toList();
  }

  private static void assertGameAndSamples(Outcome outcome, String name, int networks) {
    Listing game = outcome.listings().get(0);
    assertThat(game.name()).isEqualTo(name + "-game");
    assertThat(game.lines()).hasSize(1 + networks);
    assertThat(game.lines()).allSatisfy(line -> assertThat(line).doesNotContain("NaN"));
    List<Listing> samples = outcome.listings().subList(1, outcome.listings().size());
    assertThat(samples)
        .extracting(Listing::title)
        .containsExactlyElementsOf(
            models(outcome).stream().map(model -> "Samples: " + model).toList());
    assertThat(samples).extracting(Listing::name).doesNotHaveDuplicates();
    assertThat(samples).allSatisfy(sample -> assertThat(sample.lines()).hasSize(3));
  }

  @Test
  void text8() throws IOException {
    Path data = text(8000);
    Outcome outcome = outcome(new Text8Experiment(), settings(data, null));

    assertThat(models(outcome))
        .containsExactly(
            "unigrams",
            "autoregressive Transformer",
            "autoregressive LSTM",
            "1 layer with scale",
            "2 layers with scale",
            "4 layers with scale",
            "8 layers with scale",
            "1 layer without scale",
            "2 layers without scale",
            "4 layers without scale",
            "8 layers without scale",
            "8 layers with scale, as written");
    assertThat(outcome.results()).hasSize(4 * 12 + 3 * 2);
    assertGameAndSamples(outcome, "text8", 2 + 2 * (1 + 2 + 4 + 8) + 8);
    assertThat(outcome.listings().get(1).lines())
        .allSatisfy(line -> assertThat(line).hasSize(LENGTH).matches("[a-z ]+"));
    assertThat(outcome.charts())
        .extracting(LineChart::name)
        .containsExactly("text8-learning", "text-layers");
    assertThat(outcome.charts().get(0).series()).hasSize(7); // those that take steps
    assertThat(outcome.charts().get(1).series())
        .extracting(series -> series.name() + " " + Arrays.toString(series.x()))
        .containsExactly(
            "with scale [1.0, 2.0, 4.0, 8.0]",
            "with scale, as written [8.0]",
            "with scale, the paper [4.0, 8.0]",
            "without scale [1.0, 2.0, 4.0, 8.0]",
            "without scale, the paper [8.0]");
    assertThat(outcome.charts().get(1).levels())
        .extracting(Level::name)
        .satisfiesExactly(
            name -> assertThat(name).matches("shifts by a model of \\d[.]\\d\\d bits"),
            name -> assertThat(name).matches("with scale, by one of \\d[.]\\d\\d"));
    assertThat(outcome.references()).hasSize(12);
    assertThat(bpc(outcome, "unigrams")).isCloseTo(unigrams(data), within(1e-6));
  }

  private static double bpc(Outcome outcome, String model) {
    return outcome.results().stream()
        .filter(result -> result.model().equals(model) && result.metric().equals("bpc"))
        .mapToDouble(Result::value)
        .reduce(
            (one, other) -> {
              throw new AssertionError("two results of " + model);
            })
        .orElseThrow();
  }

  /** What frequencies of symbols at each position cost, half a count added to each. */
  private static double unigrams(Path file) throws IOException {
    String text = Files.readString(file);
    List<String> train = rows(text.substring(0, text.length() * 90 / 100));
    List<String> test = rows(text.substring(text.length() * 95 / 100));
    double bits = 0;
    for (String row : test) {
      for (int d = 0; d < LENGTH; d++) {
        char symbol = row.charAt(d);
        int place = d;
        long count = train.stream().filter(other -> other.charAt(place) == symbol).count();
        bits -= Math.log((count + 0.5) / (train.size() + 27 * 0.5)) / Math.log(2);
      }
    }
    return bits / (test.size() * LENGTH);
  }

  /** As many as a quick run looks at, spread over the text. */
  private static List<String> rows(String text) {
    int all = text.length() / LENGTH;
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < Math.min(all, SCORED); i++) {
      int row = all <= SCORED ? i : i * all / SCORED;
      rows.add(text.substring(row * LENGTH, (row + 1) * LENGTH));
    }
    return rows;
  }

  @Test
  void pennTreebank() throws IOException {
    Outcome outcome = outcome(new PtbExperiment(), settings(treebank(), null));

    assertThat(models(outcome))
        .containsExactly(
            "unigrams",
            "autoregressive LSTM",
            "1 layer with scale, Transformers",
            "2 layers with scale, Transformers",
            "4 layers with scale, Transformers",
            "8 layers with scale, Transformers",
            "1 layer with scale",
            "2 layers with scale",
            "4 layers with scale",
            "8 layers with scale");
    assertGameAndSamples(outcome, "ptb", 1 + 2 * (1 + 2 + 4 + 8));
    assertThat(outcome.charts())
        .extracting(LineChart::name)
        .containsExactly("ptb-learning", "text-layers");
  }

  @Test
  void ablation() throws IOException {
    Outcome outcome = outcome(new AblationExperiment(), settings(text(4000), null));

    assertThat(outcome.results()).hasSize(13).allMatch(result -> result.metric().equals("bpc"));
    assertThat(models(outcome)).hasSize(13).startsWith("as written");
    assertThat(outcome.charts()).hasSize(1);
    assertThat(outcome.charts().get(0).series()).hasSize(13);
  }

  @Test
  void withoutATrainingThereIsNoCurve() throws IOException {
    Settings settings = settings(text(4000), "unigrams");
    Experiment experiment = new Text8Experiment();
    Outcome outcome = experiment.outcome(settings, run(experiment, settings, false, SILENT));
    assertThat(outcome.charts()).isEmpty();
    assertGameAndSamples(outcome, "text8", 0);
  }

  /** With flows that continue from others. */
  @Test
  void aStoppedRunResumesToTheSameResults() throws IOException {
    Path data = text(4000);
    String only = "with";
    List<Finished> undisturbed =
        run(new Text8Experiment(), settings(data, only, "undisturbed"), false, SILENT);
    Thread caller = Thread.currentThread();
    TrainingListener stopping =
        new TrainingListener() {
          @Override
          public void progressed(Progress progress) {
            if (progress.step() == 8) {
              caller.interrupt();
              while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
              }
            }
          }
        };
    Settings settings = settings(data, only, "stopped");

    assertThatThrownBy(() -> run(new Text8Experiment(), settings, false, stopping))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    List<Finished> resumed = run(new Text8Experiment(), settings, true, SILENT);

    assertThat(bits(resumed)).isEqualTo(bits(undisturbed)).hasSize(9);
    assertThat(resumed.get(1).curve().x()).isEqualTo(undisturbed.get(1).curve().x());
    assertThat(resumed.get(1).curve().y()).isEqualTo(undisturbed.get(1).curve().y());
  }

  private static Map<String, Double> bits(List<Finished> finished) {
    return finished.stream()
        .flatMap(one -> one.results().stream())
        .filter(result -> result.metric().equals("bpc"))
        .collect(Collectors.toMap(Result::model, Result::value));
  }

  /** Where it continues from another, its whole time is meant. */
  @ParameterizedTest
  @EnumSource(
      value = Effort.class,
      names = {"DEFAULT", "FULL"})
  void noModelTakesMoreTimeThanOneMay(Effort effort) throws IOException {
    Duration minutes = Duration.ofMinutes(7);
    var settings =
        new Settings(
            folder, 1, 2, "cpu", effort, text(8000), minutes, List.of()); // 256 letters in 5 %
    Experiment experiment = new Text8Experiment();
    assertThat(experiment.timed()).isTrue();
    List<Trial> trials = experiment.trials(settings);

    assertThat(trials).hasSize(24);
    assertThat(trials.stream().map(Trial::slug)).doesNotHaveDuplicates();
    Map<String, Double> seconds =
        trials.stream()
            .filter(trial -> trial.seed() == 1 && trial.training() != null)
            .collect(Collectors.toMap(Trial::model, TextExperimentsTest::seconds));
    assertThat(seconds).hasSize(11);
    assertThat(seconds.values()).allSatisfy(time -> assertThat(time).isBetween(420 / 8.0, 420.0));
    assertThat(seconds).containsEntry("8 layers with scale", 420.0);
    assertThat(seconds).containsEntry("4 layers without scale", 210.0);
    assertThat(seconds.get("1 layer with scale")).isCloseTo(420 / 8.0, within(1e-9));
  }

  private static double seconds(Trial trial) {
    Trial source = trial.training().start().source();
    double own = trial.takesSteps() ? trial.training().options().timeBudgetSeconds() : 0;
    return own + (source == null ? 0 : seconds(source));
  }

  @Test
  void aTextWithoutARowToScoreIsRefused() throws IOException {
    Path data = text(300); // 15 letters in 5 %
    Settings settings = settings(data, null);
    for (Experiment experiment : List.of(new Text8Experiment(), new AblationExperiment())) {
      assertThatThrownBy(() -> experiment.trials(settings))
          .isInstanceOf(UncheckedIOException.class)
          .cause()
          .isInstanceOf(DataFormatException.class)
          .hasMessage(
              data + ": is too short: its last 5 % must hold at least one row of 16 characters");
    }
    text(320); // 16 letters
    assertThat(new Text8Experiment().trials(settings)).hasSize(12);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | is empty",
        "The cat | line 1, column 1: 'T' U+0054 is not among the vocabulary's 27 symbols;"
            + " `ringflow normalize IN OUT` makes a text of those alone"
      })
  void foreignTextsAreRefused(String content, String message) throws IOException {
    Path data = Files.writeString(folder.resolve("text"), content);
    Settings settings = settings(data, null);
    assertThatThrownBy(() -> new Text8Experiment().trials(settings))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isInstanceOf(DataFormatException.class)
        .hasMessage(data + ": " + message);
  }
}
