package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that is killed, and gone on with, leaves the same bits as one that is not. */
@Tag("slow")
final class ExactResumeTest {
  private static final List<String> TIMES = List.of("seconds", "rowsPerSecond");

  @TempDir Path folder;

  /** Kills of one run, by the batch at which each is sent; where it hits is up to the system. */
  @ParameterizedTest
  @CsvSource({
    "false, false, 7, 0",
    "false, false, 131, 0",
    "true, false, 33, 61",
    "false, true, 131, 0",
    "true, true, 33, 61"
  })
  void killedRunsEndInTheSameBits(
      boolean validated, boolean averaged, long firstKill, long secondKill) throws Exception {
    ResumableRun calm =
        new ResumableRun(Files.createDirectory(folder.resolve("calm")), validated, averaged);
    double[] wanted = calm.train(step -> {});

    Path disturbedFolder = Files.createDirectory(folder.resolve("disturbed"));
    killAt(firstKill, disturbedFolder, validated, averaged);
    if (secondKill > 0) {
      killAt(secondKill, disturbedFolder, validated, averaged);
    }
    ResumableRun disturbed = new ResumableRun(disturbedFolder, validated, averaged);
    double[] found = disturbed.train(step -> {});

    assertThat(found).isEqualTo(wanted);
    assertThat(json(Files.readAllLines(disturbed.metrics())))
        .isEqualTo(json(Files.readAllLines(calm.metrics())));
    assertSameCheckpoint(calm.checkpoint(), disturbed.checkpoint());
  }

  private static void killAt(long step, Path folder, boolean validated, boolean averaged)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1", // it will not live long
                "-Dorg.bytedeco.javacpp.maxphysicalbytes=0",
                "-cp",
                System.getProperty("java.class.path"),
                ResumableRun.class.getName(),
                folder.toString(),
                Boolean.toString(validated),
                Boolean.toString(averaged))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader batches = process.inputReader()) {
      String line = batches.readLine();
      while (line != null && Long.parseLong(line) < step) {
        line = batches.readLine();
      }
      assertThat(line).as("the batch at which to kill").isNotNull();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("exit of a killed process").isNotZero();
  }

  private static List<JsonNode> json(List<String> lines) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String line : lines) {
      events.add(timeless(line));
    }
    return events;
  }

  private static JsonNode timeless(String json) throws IOException {
    JsonNode tree = new ObjectMapper().readTree(json);
    for (JsonNode object : List.of(tree, tree.path("position"))) {
      if (object instanceof ObjectNode node) {
        node.remove(TIMES);
      }
    }
    return tree;
  }

  /** The weights, the optimiser, the best weights, and how far early stopping is. */
  private static void assertSameCheckpoint(Path one, Path other) throws IOException {
    List<Path> names;
    try (var files = Files.list(one)) {
      names = files.map(Path::getFileName).sorted().toList();
    }
    try (var files = Files.list(other)) {
      assertThat(files.map(Path::getFileName).sorted().toList()).isEqualTo(names);
    }
    for (Path name : names) {
      if (name.toString().equals("config.json")) {
        assertThat(timeless(Files.readString(other.resolve(name))))
            .isEqualTo(timeless(Files.readString(one.resolve(name))));
      } else {
        assertThat(other.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
      }
    }
  }
}
