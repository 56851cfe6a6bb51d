package io.ringflow.cli.command;

import static io.ringflow.cli.testing.KeptRuns.nats;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.KeptRuns;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.ReferencesFile;
import io.ringflow.paper.harness.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ringflow results}: pages made of the files of runs. */
final class ResultsTest {
  private static final String BASE = "autoregressive base";
  private static final String FLOW = "autoregressive flow";
  private static final String SETTING = "3 states, D=9, J=0.5";

  @TempDir Path folder;

  private Path run(String name, String options, String date, Result... results) throws IOException {
    return KeptRuns.write(folder.resolve(name), options, date, results);
  }

  private static Result potts(String model, double value, long seed) {
    return nats("potts", SETTING, model, value, 3.984, seed);
  }

  private static List<String> table(String page) {
    return page.lines().filter(line -> line.startsWith("|")).toList();
  }

  private static String only(String experiment, Object... folders) {
    Object[] args = new Object[folders.length + 3];
    args[0] = "results";
    args[1] = "--only";
    args[2] = experiment;
    System.arraycopy(folders, 0, args, 3, folders.length);
    return CommandResult.of(args).output();
  }

  @Test
  void thePapersRowsHoldItsFiguresAndOursWithTheWorstSeed() throws IOException {
    Path run =
        run(
            "potts",
            " --seed 201",
            "2026-01-01",
            potts(BASE, 4.0, 201),
            potts(BASE, 4.1, 202),
            potts(FLOW, 3.99, 201),
            potts(FLOW, 3.995, 202));

    List<String> lines = table(only("potts", run));

    assertThat(lines.get(0))
        .isEqualTo(
            "|  | network | Autoregressive base | Autoregressive flow | floor | training (s) | seeds | run |");
    assertThat(lines)
        .containsSubsequence(
            "| **" + SETTING + "** | *paper* | 3.79† | 3.79† |  |  |  |  |",
            "|  | LSTM, 32 units; a table in the flow | 4.050 (4.100) | 3.993 (3.995) | 3.984 | 10 | 201-202 | a |",
            "| **3 states, D=16, J=0.1** | *paper* | 16.66 | 11.23 |  |  |  |  |",
            "|  | LSTM, 32 units; a table in the flow | - | - |  |  |  |  |");
  }

  @Test
  void seedsThatWereSpreadOverRunsStandInOneRow() throws IOException {
    Path last = run("c", " --seed 203 --seeds 1 --full", "2026-01-02", potts(BASE, 4.2, 203));
    Path first =
        run(
            "a",
            " --seed 201 --seeds 2 --full --resume",
            "2026-01-01",
            potts(BASE, 4.0, 201),
            potts(BASE, 4.1, 202));
    ReferencesFile.write(
        last.resolve(ReferencesFile.NAME), List.of(new Reference(SETTING, BASE, null, 3.1, "")));
    ReferencesFile.write(
        first.resolve(ReferencesFile.NAME), List.of(new Reference(SETTING, BASE, null, 4.0, "")));

    String page = only("potts", last, first);

    assertThat(page)
        .contains("4.100 (4.200)", "| 201-203 |", "*best of its family* | 3.700 |")
        .contains("`ringflow reproduce potts --seed 201 --seeds 3 --full`, 84 s", "2026-01-02");
  }

  @Test
  void seedsWithAGapOrWithOtherOptionsStayRunsOfTheirOwn() throws IOException {
    Path first = run("a", " --seed 201 --seeds 1", "2026-01-01", potts(BASE, 4.0, 201));
    Path gap = run("b", " --seed 203 --seeds 1", "2026-01-01", potts(BASE, 4.2, 203));
    Path full = run("c", " --seed 202 --seeds 1 --full", "2026-01-01", potts(BASE, 4.4, 202));

    assertThat(only("potts", first, gap)).contains("4.200").contains("| 203 |");
    assertThat(only("potts", first, full)).contains("4.400").contains("| 202 |");
  }

  @Test
  void aVariantOfAModelHasALineOfItsOwnAndARunOfItsOwn() throws IOException {
    Path usual = run("a", " --seed 11", "2026-01-01", potts(BASE, 4.0, 11));
    Path other =
        run(
            "b",
            " --seed 12",
            "2026-01-01",
            potts(FLOW, 3.99, 12),
            potts(FLOW + ", table networks", 3.985, 12));

    String page = only("potts", usual, other);

    assertThat(table(page))
        .contains(
            "|  | LSTM, 32 units; a table in the flow | 4.000 a | 3.990 b | 3.984 | 10 | 11; 12 | a, b |",
            "|  | table networks | - | 3.985 | 3.984 | 10 | 12 | b |");
    assertThat(page.lines())
        .contains(
            "- a: `ringflow reproduce potts --seed 11`, 42 s; some CPU, 2 cores; 2026-01-01; commit abc1234.",
            "- b: `ringflow reproduce potts --seed 12`, 42 s; some CPU, 2 cores; 2026-01-01; commit abc1234.");
  }

  @Test
  void whereSeedsHaveDataOfTheirOwnTheWorstIsTheFarthestAboveItsFloor() throws IOException {
    Path run =
        run(
            "fullrank",
            " --seed 201",
            "2026-01-01",
            nats("fullrank", "D=2, K=2", BASE, 1.25, 1.0, 201),
            nats("fullrank", "D=2, K=2", BASE, 0.5, 0.2, 202));

    String page = CommandResult.of("results", run).output();

    assertThat(page).contains("|  | no network | 0.875 (+0.300) |");
    assertThat(page)
        .as("all measurements")
        .contains("| setting | model | NLL (nats) | worst | floor | above floor | worst above |")
        .contains("| 0.875 ± 0.375 | 1.250 | 0.600 | 0.275 | 0.300 |");
  }

  @Test
  void ofTwoRunsWithTheSameRowOneIsTaken() throws IOException {
    Path tuned = run("1", " --full", "2026-03-01", potts(BASE, 5.1, 1));
    Path early = run("2", "", "2026-01-01", potts(BASE, 5.2, 201));
    Path late = run("3", "", "2026-02-01", potts(BASE, 5.3, 201));
    Path lateToo = run("4", "", "2026-02-01", potts(BASE, 5.4, 301));
    Path full = run("5", " --full", "2025-01-01", potts(BASE, 5.5, 201));

    assertThat(only("potts", tuned, early)).as("seeds nobody tuned on").contains("5.200");
    assertThat(only("potts", late, early)).as("the later date").contains("5.300");
    assertThat(only("potts", late, lateToo)).as("the one named last").contains("5.400");
    assertThat(only("potts", lateToo, late)).as("the one named last").contains("5.300");
    assertThat(only("potts", full, late)).as("--full").contains("5.500").doesNotContain("5.300");
    Path two = run("6", "", "2025-01-01", potts(BASE, 5.6, 201), potts(BASE, 5.8, 202));
    assertThat(only("potts", two, full)).as("more seeds").contains("5.700").doesNotContain("5.500");
  }

  @Test
  void unfinishedAndQuickRunsDoNotCount() throws IOException {
    Path run = run("potts", "", "2026-01-01", potts(BASE, 4.0, 201));
    Path quick = run("quick", " --quick", "2026-02-01", potts(BASE, 9.9, 201));
    Path stopped = Files.createDirectories(folder.resolve("stopped"));
    Files.createDirectories(stopped.resolve("trials"));

    CommandResult result = CommandResult.of("results", run, quick, stopped);

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("4.000").doesNotContain("9.900");
    assertThat(result.err().lines())
        .containsExactly(
            "ringflow: left out " + quick + ": a quick run has no results of the experiment",
            "ringflow: left out " + stopped + ": it holds no finished run");
    CommandResult none = CommandResult.of("results", stopped);
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err())
        .endsWith("ringflow: none of these folders holds the results of a finished run\n");
  }

  @Test
  void whatThePaperHasNoCellForStandsBelow() throws IOException {
    Path run =
        run(
            "ring",
            "",
            "2026-01-01",
            nats("ring", "K=90", "factorised base", 7.3, 6.31, 201),
            nats("ring", "K=90", "1 sorting layer", 6.38, 6.31, 201));

    String page = CommandResult.of("results", run).output();

    int beyond = page.indexOf("## Beyond the paper's tables");
    int all = page.indexOf("## All measurements");
    assertThat(page.substring(0, beyond)).contains("7.300").doesNotContain("sorting");
    assertThat(page.substring(beyond, all))
        .contains("### Title of ring", "| K=90 | 1 sorting layer | 6.380 |")
        .doesNotContain("factorised");
    assertThat(page.substring(all)).contains("factorised base", "1 sorting layer");
  }

  @Test
  void aFigureIsMarkedOnlyIfItIsBelowEveryFloorBesideIt() throws IOException {
    Path run =
        run(
            "addition",
            "",
            "2026-01-01",
            nats("addition", "D=10", "1 bipartite layer", 11.6, 11.513, 201),
            nats("addition", "D=10", "1 bipartite layer, base given the numbers", 0.1, 0.0, 201),
            nats("addition", "D=20", "1 bipartite layer", 23.1, 23.026, 201));

    assertThat(table(only("addition", run)))
        .contains(
            "| **D=10** | *paper* | 4.0 | 0.2 | 4.0 | 3.17 | 2.58 | - |  |  |  |  |",
            "| **D=20** | *paper* | 12.2 | 4.8 | 12.2† | 8.8 | 7.6 | 5.08 |  |  |  |  |");
  }

  @Test
  void theBestOfAFamilyStandsBelowItsLine() throws IOException {
    Path run =
        run(
            "fullrank",
            "",
            "2026-01-01",
            nats("fullrank", "D=2, K=2", "factorised base", 1.4, 1.0, 201),
            nats("fullrank", "D=2, K=2", "bipartite flow", 1.2, 1.0, 201));
    ReferencesFile.write(
        run.resolve(ReferencesFile.NAME),
        List.of(new Reference("D=2, K=2", "bipartite flow", 1.4, 1.125, "")));

    String page = CommandResult.of("results", run).output();

    assertThat(page.lines())
        .containsSubsequence(
            "|  | no network | - | - | 1.400 | 1.200 | 1.000 | 10 | 201 | a |",
            "|  | *best of its family* |  |  |  | 1.125 |  |  |  |  |");
    assertThat(page).as("all measurements").contains("| family optimum |");
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    CommandResult.of("results", folder.resolve("none"))
        .fails("there is no run folder " + folder.resolve("none"));
  }

  @Test
  void anExperimentThatNoRunIsOfIsNamed() throws IOException {
    Path run = run("potts", "", "2026-01-01", potts(BASE, 4.0, 201));
    CommandResult.of("results", "--only", "ring", run).fails("none of these runs is of ring");
    CommandResult.of("results", "--only", "ring", "--summary", "x", run)
        .isMisused("results", "--only prints one table; leave out --summary");
  }

  private CommandResult summary(String text) throws IOException {
    Path run =
        run(
            "potts",
            "",
            "2026-01-01",
            new Result(
                "potts", SETTING, FLOW, "nll", "nats", 4.0, null, 3.984, 3.79, 201, 12.7, "cpu"),
            new Result(
                "potts", SETTING, FLOW, "nll", "nats", 4.2, null, 3.984, 3.79, 202, 12.7, "cpu"));
    Path file = Files.writeString(folder.resolve("summary.md.in"), text);
    return CommandResult.of("results", "--summary", file, run);
  }

  private static String placeholder(String part) {
    return "${potts|" + SETTING + "|" + FLOW + "|nll|" + part + "}";
  }

  @Test
  void aSummaryHasItsFiguresFromTheRuns() throws IOException {
    String text =
        "## What holds\n\n"
            + placeholder("mean")
            + ", worst "
            + placeholder("worst")
            + ", best "
            + placeholder("lowest")
            + ", floor "
            + placeholder("floor")
            + ", above "
            + placeholder("above")
            + " and "
            + placeholder("worst-above")
            + ", paper "
            + placeholder("paper")
            + ", "
            + placeholder("seconds")
            + " s, seeds "
            + placeholder("seeds")
            + ".\n";
    assertThat(summary(text).output())
        .contains(
            "## What holds\n\n4.100, worst 4.200, best 4.000, floor 3.984, above 0.116 and 0.216,"
                + " paper 3.790, 13 s, seeds 201-202.\n\n## The paper's tables\n");
  }

  @Test
  void aPlaceholderThatNoRunFillsIsNamed() throws IOException {
    Path file = folder.resolve("summary.md.in");
    String wrong = "${potts|" + SETTING + "|flow|nll|mean}";
    summary("It is " + wrong + ".")
        .fails(
            file
                + ": "
                + wrong
                + ": no finished run has the model 'flow'; there are: autoregressive flow");
    summary(placeholder("median"))
        .fails(
            file
                + ": "
                + placeholder("median")
                + ": no such part: median; there are above, floor, lowest, mean, paper, seconds, seeds,"
                + " worst, worst-above");
    summary("${potts|mean}")
        .fails(file + ": ${potts|mean} must be ${EXPERIMENT|SETTING|MODEL|METRIC|PART}");
  }
}
