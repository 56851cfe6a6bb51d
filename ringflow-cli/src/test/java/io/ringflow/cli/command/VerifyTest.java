package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.cli.Main;
import io.ringflow.cli.report.RunInfo;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.paper.corpus.PennTreebank;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ringflow verify}, and what text experiments and it say of texts they can't use. */
@Tag("slow")
final class VerifyTest {
  private static final int LENGTH = 16;

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path text;

  @BeforeEach
  void writeText() throws IOException {
    var random = new SplittableRandom(1);
    var letters = new StringBuilder();
    for (int i = 0; i < 4000; i++) {
      letters.append(" abcdefghijklmnopqrstuvwxyz".charAt(random.nextInt(27)));
    }
    text = Files.writeString(folder.resolve("text"), letters);
  }

  private int execute(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.execute(new PrintWriter(out), new PrintWriter(err), args);
  }

  private int verify(Path model, Path data, String... more) {
    String[] args = new String[6 + more.length];
    System.arraycopy(
        new String[] {"verify", model.toString(), "--data", data.toString(), "--device", "cpu"},
        0,
        args,
        0,
        6);
    System.arraycopy(more, 0, args, 6, more.length);
    return execute(args);
  }

  private Path model(Space space) throws IOException {
    Architecture architecture =
        Architecture.of(space, new FactorizedBase())
            .with(new Bipartite(Mask.even(space.size()), new Made(8, 1), new ShiftScale()));
    Path saved = folder.resolve("model");
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      model.save(saved);
    }
    return saved;
  }

  private Path treebank() throws IOException {
    Path treebank = Files.createDirectories(folder.resolve("treebank"));
    for (String part : new String[] {"train", "valid", "test"}) {
      Files.writeString(
          treebank.resolve("ptb.char." + part + ".txt"), " a _ c a b \n b e d \n a b b a \n");
    }
    return treebank;
  }

  private void assertOneLine(int exitCode, String message) {
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).isEqualToNormalizingNewlines("ringflow: " + message + "\n");
    assertThat(out.toString()).isEmpty();
  }

  private void assertUsageError(int exitCode, String message) {
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines("ringflow: " + message + " (see 'ringflow verify --help')\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aTrainedFlowGivesBackTheTestPartForTheBitsOfItsRun() throws IOException {
    Path run = folder.resolve("run");
    assertThat(
            execute(
                "reproduce",
                "text8",
                "--quick",
                "--only",
                "1 layer",
                "--device",
                "cpu",
                "--data",
                text.toString(),
                "--out",
                run.toString()))
        .as(err.toString())
        .isZero();
    double bits = ResultsFile.read(run.resolve("results.json")).get(0).value();
    assertThat(RunInfo.read(run).command()).endsWith(" --data text --only '1 layer'");

    Path model = run.resolve("models/text-length-16-1-layer-with-scale-seed-201");
    assertThat(verify(model, text)).as(err.toString()).isZero();

    assertThat(out.toString().lines()).hasSize(2);
    assertThat(out.toString().lines().findFirst().orElseThrow())
        .matches(
            "text-length-16-1-layer-with-scale-seed-201 on cpu: 12 rows of 16 symbols, 0 came back wrong;"
                + " "
                + String.format(Locale.ROOT, "%.5f", bits) // all 12 rows are scored there too
                + " bits per character; encoding \\d+\\.\\d s, decoding \\d+\\.\\d s");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void someRowsAreTheFirstOnes() throws IOException {
    Path model = model(Space.uniform(LENGTH, 27));
    assertThat(verify(model, text, "--rows", "5")).isZero();
    assertThat(out.toString()).startsWith("model on cpu: 5 rows of 16 symbols, 0 came back wrong;");
    assertThat(verify(model, text, "--rows", "1000")).isZero();
    assertThat(out.toString()).startsWith("model on cpu: 12 rows of 16 symbols, 0 came");
  }

  @Test
  void sentencesComeBackToo() throws IOException {
    Path model = model(Space.uniform(PennTreebank.LENGTH, 6 + 2)); // a to e, the space
    assertThat(verify(model, treebank())).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("model on cpu: 3 rows of 288 symbols, 0 came back wrong;");
  }

  /** Ids of one alphabet may be ids of the other: a round trip alone would not tell. */
  @ParameterizedTest
  @CsvSource({"26", "28", "51"})
  void aModelOfAnotherAlphabetIsNamed(int symbols) throws IOException {
    Path model = model(Space.uniform(LENGTH, symbols));
    assertOneLine(
        verify(model, text),
        model + " is a model of 16 x " + symbols + ", but the rows of " + text + " are of 16 x 27");
  }

  @Test
  void dataOfTheOtherKindIsNamed() throws IOException {
    Path model = model(Space.uniform(LENGTH, 27));
    assertOneLine(
        verify(model, treebank()),
        model + " is a model of 16 x 27, but the rows of " + treebank() + " are of 288 x 8");
  }

  @Test
  void aTextWithoutARowIsNamed() throws IOException {
    Path model = model(Space.uniform(300, 27));
    assertOneLine(
        verify(model, text),
        text + ": is too short: its last 5 % must hold a row of 300 characters");
  }

  @Test
  void whatIsNotThereIsNamed() throws IOException {
    Path nothing = folder.resolve("nothing");
    assertOneLine(verify(nothing, text), "no such file: " + nothing + ": no such model folder");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertOneLine(verify(empty, text), empty + ": is no ringflow-model: it has no config.json");
    assertOneLine(verify(model(Space.uniform(LENGTH, 27)), nothing), nothing + ": no such file");
  }

  @Test
  void badOptionsAreUsageErrors() {
    Path nothing = folder.resolve("nothing"); // nobody looks
    assertUsageError(verify(nothing, text, "--rows", "0"), "--rows must be at least 1, but is 0");
    assertUsageError(
        verify(nothing, text, "--rows", "some"),
        "Invalid value for option '--rows': 'some' is not a whole number");
    assertUsageError(execute("verify", "model"), "Missing required option: '--data=PATH'");
    assertUsageError(execute("verify", "--data", "text"), "Missing required parameter: 'MODEL'");
  }

  @Test
  void helpSaysWhatItTakesAndWhatItsExitCodesMean() {
    assertThat(execute("verify", "--help")).isZero();
    assertThat(out.toString())
        .contains("Usage: ringflow verify MODEL --data PATH", "--rows", "--device")
        .contains("Exit codes: 0 everything came back, 1 something did not", "Example:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text8 | '' | : is empty",
        "ablation | '' | : is empty",
        "text8 | a few words | : is too short: its last 5 % must hold at least one row of 16"
            + " characters",
        "ablation | a few words | : is too short: its last 5 % must hold at least one row of 16"
            + " characters",
        "text8 | a few Words | : line 1, column 7: 'W' U+0057 is not among the vocabulary's 27"
            + " symbols; `ringflow normalize IN OUT` makes a text of those alone",
        "ptb | a | /ptb.char.train.txt: no such file; it is in the folder data of Mikolov's"
            + " simple-examples.tgz",
        "tables | a | : is a file, not a folder",
        "ghz | 3 3 | : at least 40 rows of an even number of sites, 8 to 12, are needed, but there"
            + " are 1 of 2"
      })
  void dataThatCantBeUsedIsOneLine(String experiment, String content, String message)
      throws IOException {
    Path data = Files.writeString(folder.resolve("data"), content);
    assertOneLine(
        execute(
            "reproduce",
            experiment,
            "--quick",
            "--device",
            "cpu",
            "--data",
            data.toString(),
            "--out",
            folder.resolve("run").toString()),
        data + message);
  }

  @Test
  void sentencesThatCantBeUsedAreOneLine() throws IOException {
    Path treebank = treebank();
    Path test = Files.writeString(treebank.resolve("ptb.char.test.txt"), " a z \n");
    assertOneLine(
        execute(
            "reproduce",
            "ptb",
            "--quick",
            "--device",
            "cpu",
            "--data",
            treebank.toString(),
            "--out",
            folder.resolve("run").toString()),
        test + ": line 1, column 4: 'z' U+007A does not occur in the training sentences");
  }

  @Test
  void ablationTrainsByStepsAndTakesNoOnly() {
    assertThat(
            execute(
                "reproduce", "ablation", "--quick", "--only", "written", "--data", text.toString()))
        .isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "ringflow: --only is for experiments whose models stand alone, not for ablation"
                + " (see 'ringflow reproduce --help')\n");
  }
}
