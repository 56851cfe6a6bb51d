package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which options the script {@code ringflow} gives to Java, as a Java that prints them sees it. */
@DisabledOnOs(OS.WINDOWS)
final class LauncherTest {
  private static final String QUICK = "-XX:TieredStopAtLevel=1";

  @TempDir Path root;

  @BeforeEach
  void prepare() throws IOException {
    Path java = Files.createDirectories(root.resolve("java/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.copy(Path.of("../ringflow"), root.resolve("ringflow"));
    Path app = Files.createDirectories(root.resolve("ringflow-cli/target/app"));
    Files.writeString(app.resolve(".built"), java + "\n");
    model("table", "{\n  \"type\": \"table\",\n  \"columns\": [ ]\n}");
    model("text", "{\n  \"type\": \"text\",\n  \"characters\": \"table\"\n}");
    Files.write(root.resolve("short.csv"), new byte[2_000_000]);
    Files.write(root.resolve("long.csv"), new byte[3_000_000]);
    Files.write(root.resolve("short.csv.ringflow"), new byte[200_000]);
    Files.write(root.resolve("long.csv.ringflow"), new byte[300_000]);
  }

  private void model(String name, String codec) throws IOException {
    Path folder = Files.createDirectories(root.resolve(name + ".model"));
    Files.writeString(folder.resolve("codec.json"), codec);
  }

  private List<String> options(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", root.resolve("ringflow").toString()));
    command.addAll(Arrays.asList(arguments));
    var builder = new ProcessBuilder(command).directory(root.toFile());
    builder.environment().put("JAVA_HOME", root.resolve("java").toString());
    builder.environment().remove("RINGFLOW_CUDA");
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var out = process.getInputStream()) {
      String printed = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).isZero();
      assertThat(printed).endsWith(String.join("\n", arguments) + "\n");
      return printed.lines().toList();
    } finally {
      process.destroy();
    }
  }

  @Test
  void shortTablesAreCodedWithTheQuickCompiler() throws Exception {
    assertThat(options("compress", "table.model", "short.csv")).contains(QUICK);
    assertThat(options("decompress", "table.model", "--out", "long.csv", "short.csv.ringflow"))
        .contains(QUICK);
  }

  @Test
  void everythingElseIsNot() throws Exception {
    assertThat(options("compress", "table.model", "long.csv")).doesNotContain(QUICK);
    assertThat(options("compress", "table.model", "short.csv", "short.csv")).doesNotContain(QUICK);
    assertThat(options("decompress", "table.model", "long.csv.ringflow")).doesNotContain(QUICK);
    assertThat(options("compress", "text.model", "short.csv")).doesNotContain(QUICK);
    assertThat(options("compress", "table.model", "short.csv", "java")).doesNotContain(QUICK);
    assertThat(options("compress", "table.model", "-")).doesNotContain(QUICK);
    assertThat(options("compress", "short.csv")).doesNotContain(QUICK);
    assertThat(options("score", "table.model", "short.csv")).doesNotContain(QUICK);
    assertThat(options("compress")).doesNotContain(QUICK);
    assertThat(options()).doesNotContain(QUICK);
  }
}
