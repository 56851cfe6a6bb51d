package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.cli.Main;
import io.ringflow.cli.testing.CommandResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Inference on a lawn that is wet from rain or from a sprinkler, and on graphs at the edges. */
final class InferCommandTest {
  private static final String LAWN =
      """
      network lawn {}
      variable rain { type discrete [ 2 ] { yes, no }; }
      variable sprinkler { type discrete [ 2 ] { on, off }; }
      variable lawn { type discrete [ 3 ] { wet, damp, dry }; }
      probability ( rain ) { table 0.2, 0.8; }
      probability ( sprinkler | rain ) {
        (yes) 0.1, 0.9;
        (no) 0.4, 0.6;
      }
      probability ( lawn | rain, sprinkler ) {
        (yes, on) 1.0, 0.0, 0.0;
        (yes, off) 0.7, 0.2, 0.1;
        (no, on) 0.6, 0.3, 0.1;
        (no, off) 0.0, 0.0, 1.0;
      }
      """;

  // P(wet) = 0.2 (0.1 + 0.9 * 0.7) + 0.8 * 0.4 * 0.6, and what of it is with rain and without
  private static final double WET = 0.146 + 0.192;
  private static final double RAIN_IF_WET = 0.146 / WET;

  @TempDir Path folder;
  private Path lawn;

  @BeforeEach
  void write() throws IOException {
    lawn = Files.writeString(folder.resolve("lawn.bif"), LAWN);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static CommandResult infer(Object... args) {
    return CommandResult.of(
        Stream.concat(
                Stream.of("infer"),
                Stream.concat(Arrays.stream(args), Stream.of("--device", "cpu")))
            .toArray());
  }

  private static CommandResult quick(Object... args) {
    return infer(
        Stream.concat(Arrays.stream(args), Stream.of("--minutes", "0.015", "--samples", "4k"))
            .toArray());
  }

  /**
   * A graph whose elimination takes a table of 2^32 entries: every two variables share a factor.
   */
  private Path complete(String name, String table) throws IOException {
    int size = 32;
    List<String> pairs =
        IntStream.range(0, size * size)
            .filter(pair -> pair / size < pair % size)
            .mapToObj(pair -> "2 " + pair / size + " " + pair % size)
            .toList();
    return file(
        name,
        "MARKOV "
            + size
            + " 2".repeat(size)
            + " "
            + pairs.size()
            + " "
            + String.join(" ", pairs)
            + (" 4 " + table).repeat(pairs.size()));
  }

  @Test
  void exactAnswersAreThoseOfTheFormula() {
    assertThat(infer(lawn, "--evidence", "lawn=wet", "--exact").output())
        .isEqualTo(
            """
            log P(evidence)  -1.0847, exactly

            variable   state  probability
            ---------  -----  -----------
            rain       yes         0.4320
            rain       no          0.5680
            sprinkler  on          0.6272
            sprinkler  off         0.3728

            Most likely state, log-weight -1.6503, probability 0.5680:
              rain=no, sprinkler=on
            """);
    assertThat(Math.log(WET)).isCloseTo(-1.0847, within(5e-5));
    assertThat(RAIN_IF_WET).isCloseTo(0.4320, within(5e-5));
    assertThat(
            infer(lawn, "--exact", "--evidence", "rain=no", "--query", "lawn", "--query", "rain")
                .lines())
        .containsExactly(
            "log P(evidence)  -0.2231, exactly",
            "",
            "variable  state  probability",
            "--------  -----  -----------",
            "lawn      wet         0.2400",
            "lawn      damp        0.1200",
            "lawn      dry         0.6400",
            "rain      yes         0.0000",
            "rain      no          1.0000",
            "",
            "Most likely state, log-weight -0.7340, probability 0.6000; of its variables those asked for:",
            "  lawn=dry, rain=no");
  }

  @Test
  void estimatesAgreeWithTheExactAnswersBesideThem() {
    CommandResult result = quick(lawn, "--evidence", "lawn=wet");
    assertThat(result.code()).isZero();
    assertThat(result.err().lines()).allMatch(line -> line.startsWith("ringflow: not to be "));
    Matcher logZ =
        Pattern.compile("log P\\(evidence\\)  (\\S+) \\+/- (\\S+); exactly -1\\.0847\n")
            .matcher(result.out());
    assertThat(logZ.lookingAt()).as(result.out()).isTrue();
    assertThat(Double.parseDouble(logZ.group(1)))
        .isCloseTo(Math.log(WET), within(5 * Double.parseDouble(logZ.group(2)) + 1e-4));
    assertThat(result.out())
        .containsPattern("\nlower bound {6}-1\\.\\d{4} \\+/- ")
        .containsPattern("\nESS/M {12}[01]\\.\\d{3}: 4,000 samples are worth [\\d,]+\\.\\d ")
        .containsPattern(
            "\ntrained {10}\\d+ steps in \\d+\\.\\d s on cpu; the (time was over|lower bound no longer grew)\n\n")
        .contains("\nMost likely state, log-weight -1.6503, probability 0.5680:\n")
        .endsWith("  rain=no, sprinkler=on\n");
    Matcher rain = Pattern.compile("\nrain +yes +(\\S+) +(\\S+)  0\\.4320\n").matcher(result.out());
    assertThat(rain.find()).isTrue();
    assertThat(Double.parseDouble(rain.group(1)))
        .isCloseTo(RAIN_IF_WET, within(5 * Double.parseDouble(rain.group(2))));
  }

  @Test
  void rowsAreOfThePosterior() throws IOException {
    Path out = folder.resolve("rows.csv");
    Object[] args = {lawn, "--evidence", "lawn=wet", "--out", out, "--rows", 2000};
    assertThat(quick(args).code()).isZero();
    List<String> lines = Files.readAllLines(out);
    assertThat(lines).hasSize(2001).startsWith("rain,sprinkler,lawn");
    Map<String, Long> counts =
        lines.stream().skip(1).collect(Collectors.groupingBy(line -> line, Collectors.counting()));
    Map<String, Double> expected = new HashMap<>();
    expected.put("yes,on,wet", 0.02 / WET);
    expected.put("yes,off,wet", 0.126 / WET);
    expected.put("no,on,wet", 0.192 / WET);
    assertThat(counts).containsOnlyKeys(expected.keySet());
    // 4 standard deviations where the samples are worth 1000, which a poor model's still are
    expected.forEach(
        (row, share) -> assertThat(counts.get(row) / 2000.0).isCloseTo(share, within(0.08)));
    infer(args).fails(out + ": is there already; --overwrite replaces it");

    CommandResult many = quick(lawn, "--out", out, "--rows", "5k", "--overwrite");
    assertThat(many.err())
        .containsPattern(
            "not independent: 5000 rows of samples that are worth \\d+\\.\\d; --samples draws more\n");
    assertThat(Files.readAllLines(out)).hasSize(5001);
  }

  @Test
  void whatCantBeAskedIsOneLine() throws IOException {
    infer(lawn, "--evidence", "rian=yes")
        .fails("there is no variable 'rian'; near: 'rain', 'lawn', 'sprinkler'");
    infer(lawn, "--evidence", "rain=yess")
        .fails("variable 'rain' has no state 'yess'; near: 'yes', 'no'");
    infer(lawn, "--query", "law")
        .fails("there is no variable 'law'; near: 'lawn', 'rain', 'sprinkler'");
    String impossible = "the evidence is impossible: its probability is 0";
    Object[] args = {lawn, "--evidence", "sprinkler=on", "--evidence", "rain=yes", "--evidence"};
    Object[] dry = Arrays.copyOf(args, args.length + 1);
    dry[args.length] = "lawn=dry";
    infer(dry).fails(impossible);
    Path nothing = folder.resolve("nothing.bif");
    infer(nothing).fails(nothing + ": no such file");
    Path text = file("lawn.txt", LAWN);
    infer(text).fails(text + ": must end in .bif or .uai, which tells its format");
    Path dense = complete("dense.uai", "1 2 3 4");
    infer(dense, "--exact")
        .fails(
            "too large to answer exactly: a table of 2^32 entries, but at most 2^26 are computed");
    infer(lawn, "--out", lawn, "--overwrite").fails(lawn + ": is both the network and --out");
    Path below = nothing.resolve("rows.csv");
    infer(lawn, "--out", below).fails(nothing + ": no such folder");
  }

  @Test
  void commandLinesThatMakeNoSenseAreRefused() {
    infer(lawn, "--evidence", "rain")
        .isMisused("infer", "--evidence must be NAME=STATE, but is 'rain'");
    infer(lawn, "--evidence", "rain=yes", "--evidence", "rain=no")
        .isMisused("infer", "the evidence names the variable rain twice");
    infer(lawn, "--passes", 3, "--evidence", "rain=yes")
        .isMisused(
            "infer",
            "--passes must be at most 2, one for each variable that is not known, but is 3");
    infer(lawn, "--passes", 0).isMisused("infer", "--passes must be at least 1, but is 0");
    infer(lawn, "--minutes", "0")
        .isMisused(
            "infer",
            "Invalid value for option '--minutes': '0' is not a positive number of minutes");
    infer(lawn, "--patience", 1)
        .isMisused("infer", "--patience must be at least 0 and below 1, but is 1.0");
    infer(lawn, "--resume")
        .isMisused("infer", "--resume needs --model, the folder of the earlier run");
    infer(lawn, "--exact", "--model", folder.resolve("model"))
        .isMisused("infer", "--exact and --model exclude each other: nothing is sampled");
    infer(lawn, "--samples", 1).isMisused("infer", "--samples must be at least 2, but is 1");
    infer(lawn, "--rows", 5).isMisused("infer", "--rows needs --out, the file to write them to");
    infer(lawn, "--exact", "--minutes", 1)
        .isMisused("infer", "--exact and --minutes exclude each other: nothing is sampled");
    infer().isMisused("infer", "Missing required parameter: 'FILE'");
  }

  @Test
  void namesMayContainEqualsSigns() throws IOException {
    Path odd =
        file(
            "odd.bif",
            """
            network odd {}
            variable "a" { type discrete [ 2 ] { "b=c", d }; }
            variable "a=b" { type discrete [ 2 ] { c, e }; }
            probability ( "a" ) { table 0.25, 0.75; }
            probability ( "a=b" ) { table 0.5, 0.5; }
            """);
    assertThat(infer(odd, "--exact", "--evidence", "a=b=c").output())
        .startsWith("log P(evidence)  -1.3863, exactly\n");
    assertThat(infer(odd, "--exact", "--evidence", "a=b=e").output())
        .startsWith("log P(evidence)  -0.6931, exactly\n");
  }

  @Test
  void evidenceFilesAreReadOnlyWhenNamed() throws IOException {
    Path chain = file("chain.uai", "BAYES 2 2 2 2 1 0 2 0 1 2 0.25 0.75 4 0.9 0.1 0.5 0.5");
    Path evidence = file("chain.uai.evid", "1 1 0");
    assertThat(infer(chain, "--exact").output()).startsWith("log P(evidence)  0.0000, exactly\n");
    assertThat(infer(chain, "--exact", "--evidence-file", evidence).output())
        .startsWith("log P(evidence)  -0.5108, exactly\n") // log(0.25 * 0.9 + 0.75 * 0.5)
        .doesNotContain("x1");
    infer(chain, "--exact", "--evidence-file", evidence, "--evidence", "x1=1")
        .isMisused("infer", "the evidence names the variable x1 twice");
    Path wrong = file("wrong.evid", "1 7 0");
    infer(chain, "--exact", "--evidence-file", wrong)
        .fails(wrong + ": there is no variable 'x7'; near: 'x0', 'x1'");
  }

  @Test
  void nothingIsTrainedWhereEverythingIsKnown() throws IOException {
    Path out = folder.resolve("rows.csv");
    Path field = file("field.uai", "MARKOV 2 1 2 1 2 0 1 2 3 5");
    CommandResult result =
        infer(field, "--evidence", "x1=1", "--query", "x0", "--out", out, "--rows", 2);
    assertThat(result.lines())
        .containsExactly(
            "log Z            1.6094, exactly",
            "",
            "variable  state  probability",
            "--------  -----  -----------",
            "x0        0           1.0000");
    assertThat(out).content().isEqualTo("x0,x1\n0,1\n0,1\n");
  }

  @Test
  void graphsAtTheEdgesAreAnswered() throws IOException {
    Path alone = file("alone.uai", "MARKOV 2 1 3 1 1 1 3 1 2 5");
    assertThat(quick(alone).out())
        .startsWith("log Z            2.")
        .containsPattern("\nx0 +0 +1\\.0000 +0\\.0000  1\\.0000\n")
        .containsPattern("\nx1 +2 +0\\.[56]\\d+ +0\\.0\\d+  0\\.6250\n");
    Path free = file("free.uai", "MARKOV 2 2 2 0");
    CommandResult result = quick(free, "--passes", 1);
    assertThat(result.code()).isZero();
    assertThat(result.out()).containsPattern("^log Z +1\\.3\\d+ .*; exactly 1\\.3863\n");
    Path never = file("never.uai", "MARKOV 1 2 1 1 0 2 0 0");
    infer(never).fails(never + ": every state is impossible");
  }

  @Test
  void answersOfFewEffectiveSamplesAreDoubted() throws IOException {
    CommandResult result =
        infer(
            complete("dense.uai", "9 1 1 9"),
            "--minutes",
            "0.01",
            "--samples",
            20,
            "--query",
            "x5");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .startsWith("log Z ")
        .doesNotContain("exact")
        .containsPattern("probability \\S+; of its variables those asked for:\n  x5=[01]\n$");
    assertThat(result.err())
        .contains("ringflow: not to be trusted: the samples are worth ")
        .doesNotContain("exact answer");
    infer(complete("never.uai", "0 1 1 0"), "--minutes", "0.01", "--samples", 20)
        .fails(
            "none of 20 samples is possible: either no state is, or training needs more --minutes");
  }

  /** Runs the tool on a thread of its own, and interrupts it once some file is there. */
  private CommandResult stoppedOnce(Path there, Object... args) throws Exception {
    var out = new StringWriter();
    var err = new StringWriter();
    var code = new CompletableFuture<Integer>();
    String[] words = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
    Thread thread =
        new Thread(
            () -> code.complete(Main.execute(new PrintWriter(out), new PrintWriter(err), words)));
    thread.start();
    while (thread.isAlive() && !Files.exists(there)) {
      Thread.sleep(1);
    }
    thread.interrupt();
    return new CommandResult(code.get(), out.toString(), err.toString());
  }

  @Test
  @Timeout(60)
  void anInterruptGivesTheAnswerSoFarAndCanBeResumed() throws Exception {
    Path model = folder.resolve("model");
    Path checkpoint = folder.resolve("model.training");
    Object[] args = {
      "infer", lawn, "--evidence", "lawn=wet", "--minutes", "1", "--device", "cpu", "--model", model
    };
    CommandResult stopped = stoppedOnce(checkpoint.resolve("config.json"), args);
    assertThat(stopped.code()).as(stopped.err()).isZero();
    assertThat(stopped.out())
        .containsPattern("^log P\\(evidence\\)  -1\\.\\d{4} \\+/- .*; exactly -1\\.0847\\R")
        .containsPattern("\\Rtrained +\\d+ steps in .* s on cpu; it was interrupted\\R");
    Matcher line =
        Pattern.compile(
                "ringflow: stopped after (\\d+) steps: the answer is of what was learned until then,"
                    + " from [\\d,]+ samples; continue with: ringflow infer .* --resume")
            .matcher(stopped.err().strip());
    assertThat(line.matches()).as(stopped.err()).isTrue();
    assertThat(model).doesNotExist();

    Object[] resumed = Arrays.copyOf(args, args.length + 1);
    resumed[args.length] = "--resume";
    resumed[3] = "lawn=damp";
    CommandResult.of(resumed)
        .fails(
            checkpoint
                + ": is the checkpoint of a training with another set of data: choose another folder,"
                + " or delete it");
    resumed[3] = "lawn=wet";
    resumed[5] = "1.0";
    CommandResult again = stoppedOnce(checkpoint.resolveSibling("lawn.bif"), resumed);
    assertThat(again.code()).isEqualTo(1); // at once, before the first step of its own
    assertThat(checkpoint).exists();
  }

  @Test
  void modelsAreSavedWhereTheyAreWanted() {
    Path model = folder.resolve("model");
    Object[] args = {
      lawn, "--evidence", "lawn=wet", "--minutes", "0.01", "--model", model, "--samples", 100
    };
    CommandResult result = infer(args);
    assertThat(result.code()).isZero();
    assertThat(model).isDirectory();
    assertThat(folder.resolve("model.training")).doesNotExist();
    infer(args).fails(model + ": is there already; --overwrite replaces it");
    assertThat(quick(lawn, "--evidence", "lawn=wet", "--patience", 0).out())
        .contains("; the time was over\n");
  }
}
