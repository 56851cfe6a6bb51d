package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few of the files and damaged archives that the programs make by the thousand. */
@Tag("slow")
final class FileZooTest {
  private static final int KINDS = ZooKind.values().length;
  private static final PlantedTable PLANTED = new PlantedTable(1);

  @TempDir static Path folder;
  private static RealPieces real;
  private static ZooTiers tiers;

  @BeforeAll
  static void train() throws IOException {
    Files.writeString(folder.resolve("Real.java"), "final class Real { int x = 3; }\n".repeat(200));
    real = RealPieces.under(folder);
    tiers = ZooTiers.trained(real, PLANTED, 200, Duration.ofMillis(1), new TrainingListener() {});
  }

  @AfterAll
  static void close() {
    tiers.close();
  }

  private static ZooFiles files(long seed) {
    return tiers.files(seed);
  }

  @Test
  void everyFileComesBack() throws IOException {
    int count = KINDS - 1; // all but the one that takes long
    List<ZooTiers.Tier> some =
        tiers.tiers().stream().filter(tier -> !tier.name().endsWith("in blocks")).toList();
    Printed table =
        Printed.by(
            (out, err) ->
                assertThat(new FileZoo(some, files(1), count).print(out, err, "Seed 1")).isZero());
    assertThat(table.row("all files").subList(1, 3)).containsExactly("" + count, "0");
    assertThat(table.number("real", 4)).isLessThan(50);
    assertThat(table.number("sampled", 6)).isLessThan(table.number("sampled", 4));
    assertThat(table.text()).contains("Seed 1; ");
  }

  @Test
  void damagedArchivesAreRefused() throws IOException {
    int count = 60;
    Printed table =
        Printed.by(
            (out, err) ->
                assertThat(
                        new DamagedArchives(tiers.tiers(), files(2), count, 2)
                            .print(out, err, "Seed 2"))
                    .isZero());
    assertThat(table.number("all", 1)).isEqualTo(count);
    assertThat(table.number("all", 2)).isGreaterThan(count * 0.8);
    assertThat(table.number("all", 4)).isZero();
  }

  /** A program that only ever says "all is well" would be no evidence. */
  @Test
  void whatGoesWrongIsCounted() throws IOException {
    Printed table =
        Printed.by(
            (out, err) -> {
              List<ZooTiers.Tier> wrong = List.of(new ZooTiers.Tier("none", null));
              assertThat(new FileZoo(wrong, files(1), 2).print(out, err, "")).isEqualTo(2);
            });
    assertThat(table.number("all files", 2)).isEqualTo(2);
  }

  @Test
  void filesAreWhatTheirKindSays() throws IOException {
    ZooFiles files = files(3);
    for (ZooKind kind : ZooKind.values()) {
      ZooFiles.Made file = files.next();
      byte[] bytes = file.bytes();
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      assertThat(file.kind()).isEqualTo(kind);
      switch (file.kind()) {
        case EMPTY -> assertThat(bytes).isEmpty();
        case ONE_BYTE -> assertThat(bytes).hasSize(1);
        case NO_LINE_END -> assertThat(text).doesNotEndWith("\n");
        case HUGE_LINE -> assertThat(text).doesNotContain("\n").hasSizeGreaterThan(50_000);
        case BYTE_ORDER_MARK -> assertThat(bytes).startsWith(0xEF, 0xBB, 0xBF);
        case COMPRESSED -> assertThat(bytes).startsWith(0xF1, 'R', 'F', 'C');
        case MANY_COLUMNS ->
            assertThat(text.lines().findFirst().orElseThrow().split(",", -1)).hasSize(10_000);
        case TABLE ->
            assertThat(Arrays.stream(text.split("\n", -1)).findFirst().orElseThrow()).contains(",");
        default -> assertThat(bytes.length).isLessThan(200_000);
      }
    }
  }
}
