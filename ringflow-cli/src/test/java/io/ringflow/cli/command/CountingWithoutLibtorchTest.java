package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.cli.Main;
import io.ringflow.cli.testing.ExternalProgram;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counting in a process that has no native libraries: it must not even look for a GPU. */
@Tag("slow")
final class CountingWithoutLibtorchTest {
  private static final String CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .filter(entry -> !entry.matches(".*(x86_64|arm64)(-gpu)?[.]jar"))
          .collect(Collectors.joining(File.pathSeparator));

  @TempDir Path folder;

  private static String run(Object... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", CLASS_PATH));
    command.add(Main.class.getName());
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    return ExternalProgram.run(command);
  }

  @Test
  void modelsByCountingNeedNone() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "to be or not to be, ".repeat(100));
    Path model = folder.resolve("model");
    run("train", text, "--fast", "--memory", "1", "--out", model);
    assertThat(run("inspect", model)).contains("by counting");
    assertThat(run("score", model, text)).contains(text + ",2000,0,");
    assertThat(run("sample", model, "-n", "1", "--given", "to be ")).contains("to be ");
    run("compress", model, text);
    Path back = folder.resolve("back");
    run("decompress", model, text + ".ringflow", "--out", back);
    assertThat(back).hasSameBinaryContentAs(text);
  }

  /** Or there were some after all, and the test above would show nothing. */
  @Test
  void aTrainedModelNeedsThem() throws Exception {
    Path table = Files.writeString(folder.resolve("table.csv"), "a,b\n1,2\n".repeat(50));
    assertThatThrownBy(() -> run("train", table, "--out", folder.resolve("trained")))
        .hasMessageContaining("UnsatisfiedLinkError");
  }
}
