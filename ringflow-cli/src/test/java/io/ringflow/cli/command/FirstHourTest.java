package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.testing.CommandResult;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.DataTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody's first hour with the tool. */
@Tag("slow")
final class FirstHourTest {
  @TempDir Path folder;

  @Test
  void fromNothingToAModelAndBack() throws IOException {
    Path table = folder.resolve("orders.csv");
    Path model = folder.resolve("orders.model");
    CommandResult.of("example", "table", table, "--rows", 300).output();
    String learned =
        CommandResult.of("train", table, "--out", model, "--minutes", "0.03", "--device", "cpu")
            .output();
    assertThat(learned).contains("… and 35 more; ringflow inspect " + model + " shows all\n");
    assertThat(CommandResult.of("inspect", model).output())
        .contains("\nc50 ", "of a table: 50 columns of 300");
    assertThat(CommandResult.of("score", model, table, "--top", 3, "--device", "cpu").lines())
        .hasSize(5);
    String value = DataTable.read(table).cell(0, 0);
    CommandResult rows =
        CommandResult.of("sample", model, "-n", 4, "--given", "c01=" + value, "--device", "cpu");
    assertThat(rows.code()).isZero();
    assertThat(rows.out().lines().skip(1)).hasSize(4).allMatch(row -> row.startsWith(value + ","));

    Path text = Files.writeString(folder.resolve("song.txt"), "row row row your boat\n".repeat(40));
    Path songs = folder.resolve("songs.model");
    CommandResult.of(
            "train", text, "--out", songs, "--minutes", "0.03", "--device", "cpu", "--passes", "2")
        .output();
    CommandResult.of("compress", songs, text, "--device", "cpu").output();
    Path copy = folder.resolve("copy.txt");
    CommandResult.of("decompress", songs, text + ".ringflow", "-o", copy, "--device", "cpu")
        .output();
    assertThat(copy).hasSameBinaryContentAs(text);
    CommandResult.of("compress", model, table, "--device", "cpu").output();
    Path small = Path.of(table + ".ringflow");
    assertThat(Files.size(small)).isLessThan(Files.size(table) / 4);
    CommandResult.of("decompress", model, small, "-o", copy, "--overwrite", "--device", "cpu")
        .output();
    assertThat(copy).hasSameBinaryContentAs(table);
    Path some = folder.resolve("some.csv");
    CommandResult.of("decompress", model, small, "-o", some, "--rows", "10:12", "--device", "cpu")
        .output();
    assertThat(Files.readAllLines(some)).isEqualTo(Files.readAllLines(table).subList(10, 13));
    CommandResult.of("decompress", model, small, "-o", some, "--rows", "10:9999", "--overwrite")
        .fails(small + ": has 300 rows, but row 9999 is asked for");
    CommandResult.of("decompress", model, small, "-o", some, "--rows", "12:10", "--overwrite")
        .isMisused("decompress", "--rows must be FIRST:LAST with 1 <= FIRST <= LAST, but is 12:10");
    CommandResult.of("decompress", model, small, "--rows", "1:2")
        .isMisused(
            "decompress",
            "name --out or use --stdout: --rows gives a part of a file, not the file");
  }

  @Test
  void theExampleIsThePlantedTable() throws IOException {
    Path file = folder.resolve("made.csv");
    Path odd = folder.resolve("made-odd.csv");
    String said = CommandResult.of("example", "table", file, "--rows", "2k", "--seed", 3).output();
    PlantedTable planted = new PlantedTable(3);
    PlantedTable.Rows rows = planted.sample(2000, 3);
    DataTable read = DataTable.read(file);
    assertThat(read.columns()).isEqualTo(planted.columns());
    assertThat(IntStream.range(0, read.size()).mapToObj(read::row).toList())
        .isEqualTo(PlantedTable.cells(rows.rows()));
    List<String> numbers =
        IntStream.range(0, 2000)
            .filter(row -> rows.odd()[row])
            .mapToObj(row -> Integer.toString(row + 1))
            .toList();
    assertThat(Files.readAllLines(odd)).startsWith("row").endsWith(numbers.toArray(String[]::new));
    assertThat(Files.readAllLines(odd)).hasSize(1 + numbers.size());
    assertThat(said)
        .isEqualTo(
            String.format(
                Locale.ROOT,
                """
                %s: 2000 rows of 50 columns
                %s: the numbers of the %d odd rows, from 1
                The exact entropy is %.6f nats per row: no model's can be below it on average.
                """,
                file,
                odd,
                numbers.size(),
                planted.entropy()));
    CommandResult.of("example", "table", file)
        .fails(file + ": is there already; --overwrite replaces it");
    CommandResult.of("example", "text", file)
        .isMisused("example", "no such example: text; there is: table");
    CommandResult.of("example", "table", "x.txt")
        .isMisused("example", "the file's name must end in .csv, but is x.txt");
    CommandResult.of("example", "table", file, "--rows", 0)
        .isMisused("example", "--rows must be at least 1, but is 0");
    CommandResult.of("example", "table", file, "--rows", "9999M")
        .isMisused("example", "Invalid value for option '--rows': '9999M' is too large");
  }

  @Test
  void completionIsAScriptForTheWholeTool() throws Exception {
    String script = CommandResult.of("completion").output();
    assertThat(CommandResult.of("completion", "zsh").output()).isEqualTo(script);
    assertThat(script).contains("decompress", "--given", "complete ", " ringflow");
    CommandResult.of("completion", "fish")
        .isMisused("completion", "SHELL must be bash or zsh, but is 'fish'");
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash");
    Path file = Files.writeString(folder.resolve("script"), script);
    Process bash =
        new ProcessBuilder(
                "/bin/bash",
                "-c",
                "source \"$0\" && COMP_WORDS=(ringflow dec) COMP_CWORD=1"
                    + " && _complete_ringflow && echo \"${COMPREPLY[@]}\"",
                file.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("decompress\n");
    assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "train",
        "score",
        "sample",
        "compress",
        "decompress",
        "infer",
        "inspect",
        "example",
        "launch"
      })
  void everyHelpHasExamplesAndExitCodes(String command) {
    assertThat(CommandResult.of(command, "--help").output())
        .startsWith("Usage: ringflow " + command + " ")
        .contains("Exit codes: 0 ", "Example", "\n  ringflow " + command + " ")
        .doesNotContain("${", "%%");
  }
}
