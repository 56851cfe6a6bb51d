package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.cli.Main;
import io.ringflow.cli.distributed.QuickJava;
import io.ringflow.cli.progress.Terminal;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.OrdersTable;
import io.ringflow.core.Device;
import io.ringflow.model.Metrics;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Commands launched as two processes give the results of a single process. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the store's socket is found through /proc")
@Timeout(120)
@Tag("slow")
final class GroupCommandTest {
  /** With so much time the number of steps decides, and not the time. */
  private static final List<String> TRAIN =
      List.of(
          "--device",
          "cpu",
          "--minutes",
          "1000",
          "--missing",
          "NA",
          "--max-categories",
          "16",
          "--bins",
          "4");

  @TempDir static Path shared;
  private static Path orders;
  private static Path model;
  private static String trained;

  @TempDir Path folder;

  @BeforeAll
  static void trainInASingleProcess() throws IOException {
    orders = OrdersTable.write(shared);
    model = shared.resolve("alone.model");
    CommandResult alone = CommandResult.of(words("train", orders, "--out", model, TRAIN).toArray());
    assertThat(alone.code()).as(alone.err()).isZero();
    trained = alone.out();
  }

  /** The arguments as words; a list stands for its elements. */
  private static List<String> words(Object... args) {
    List<String> words = new ArrayList<>();
    for (Object arg : args) {
      if (arg instanceof List<?> several) {
        several.forEach(one -> words.add(one.toString()));
      } else {
        words.add(arg.toString());
      }
    }
    return words;
  }

  /** Runs a command as two processes, which succeed; returns the output of rank 0. */
  private String launch(Object... command) throws IOException, InterruptedException {
    List<String> line =
        QuickJava.command(Main.class, words("launch", "-n", 2, "--", words(command)));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(err)).isZero();
      return Files.readString(out, Terminal.charset());
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static Metrics metrics(Path model) throws IOException {
    try (var loaded = (TableModel) RingFlow.load(model, Device.CPU)) {
      return loaded.metrics().orElseThrow();
    }
  }

  private static String line(String text, String beginning) {
    return text.lines().filter(line -> line.startsWith(beginning)).findFirst().orElseThrow();
  }

  /** The printed metric, of three decimals. */
  private static double printed(String out) {
    return Double.parseDouble(line(out, "this model").split(" +", -1)[2]);
  }

  @Test
  void train() throws Exception {
    Path together = folder.resolve("together.model");
    String out = launch("train", orders, "--out", together, TRAIN);
    Metrics wanted = metrics(model);
    Metrics found = metrics(together);
    assertThat(found.model()).isEqualTo(wanted.model(), within(1e-4));
    assertThat(found).usingRecursiveComparison().ignoringFields("model").isEqualTo(wanted);
    assertThat(printed(out)).isEqualTo(found.model(), within(0.00051));
    assertThat(printed(trained)).isEqualTo(wanted.model(), within(0.00051));
    assertThat(line(out, "Trained ").replaceFirst(" in .*", ""))
        .isEqualTo(line(trained, "Trained ").replaceFirst(" in .*", ""));
    assertThat(folder.resolve("together.model.training")).doesNotExist();
  }

  @Test
  void reproduce() throws Exception {
    Path alone = folder.resolve("alone");
    List<String> options = List.of("--quick", "--seeds", "1", "--device", "cpu");
    CommandResult one =
        CommandResult.of(words("reproduce", "xor", "--out", alone, "--jobs", 1, options).toArray());
    assertThat(one.code()).as(one.err()).isZero();
    Path together = folder.resolve("together");
    String out = launch("reproduce", "xor", "--out", together, options);
    assertThat(out).contains("Run: ringflow launch -n 2 -- reproduce xor ");
    List<Result> wanted = ResultsFile.read(alone.resolve("results.json"));
    List<Result> found = ResultsFile.read(together.resolve("results.json"));
    assertThat(wanted).isNotEmpty();
    assertThat(found).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.size(); i++) {
      assertThat(found.get(i))
          .usingRecursiveComparison()
          .ignoringFields("value", "seconds")
          .isEqualTo(wanted.get(i));
      assertThat(found.get(i).value()).isEqualTo(wanted.get(i).value(), within(1e-4));
    }
  }

  private static List<String> lines(Path folder, String file) throws IOException {
    return Files.readAllLines(folder.resolve(file));
  }

  @Test
  void score() throws Exception {
    List<String> rows = Files.readAllLines(orders);
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<String> some = new ArrayList<>(rows.subList(0, 1));
      some.addAll(rows.subList(1 + 20 * i, 6 + 20 * i + 5 * i));
      files.add(Files.write(folder.resolve(i + ".csv"), some));
    }
    List<String> wanted = CommandResult.of(words("score", model, files).toArray()).lines();
    assertThat(wanted).hasSize(1 + 5 + 10 + 15);

    assertThat(launch("score", model, files, "--out", folder.resolve("s.csv"))).isEmpty();

    List<String> first = lines(folder, "s-00000-of-00002.csv");
    List<String> second = lines(folder, "s-00001-of-00002.csv");
    assertThat(first).hasSize(1 + 5 + 15);
    assertThat(second).hasSize(1 + 10);
    assertThat(List.of(first.get(0), second.get(0))).containsOnly(wanted.get(0));
    List<String> together = new ArrayList<>(first.subList(1, first.size()));
    together.addAll(second.subList(1, second.size()));
    assertThat(together).containsExactlyInAnyOrderElementsOf(wanted.subList(1, wanted.size()));
    assertThat(folder.resolve("s.csv")).doesNotExist();
  }

  @Test
  void sample() throws Exception {
    launch("sample", model, "-n", 41, "--out", folder.resolve("r.csv"));
    List<String> first = lines(folder, "r-00000-of-00002.csv");
    List<String> second = lines(folder, "r-00001-of-00002.csv");
    assertThat(first).hasSize(1 + 20);
    assertThat(second).hasSize(1 + 21);
    assertThat(List.of(first.get(0), second.get(0))).containsOnly("city,paid,amount");
    assertThat(second.subList(1, 21)).isNotEqualTo(first.subList(1, 21));
    String[] alone = CommandResult.of("sample", model, "-n", 20).lines().toArray(String[]::new);
    assertThat(first).isNotEqualTo(Arrays.asList(alone));
  }
}
