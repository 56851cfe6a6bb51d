package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.store.DeflatedPieces;
import io.ringflow.network.Lstm;
import io.ringflow.network.NgramMixture;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Models that count keep what they counted, in every precision and on disk. */
@ExtendWith(LeakCheck.class)
final class StatisticsFolderTest {
  private static final Space SPACE = Space.uniform(5, 3);
  private static final Architecture MODEL = model(100);

  @TempDir Path temporary;
  private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    folder = temporary.resolve("model");
    file = folder.resolve("statistics.bin");
  }

  private static Architecture model(int contexts) {
    Lstm network = new Lstm(4, 5, 1);
    return Architecture.of(
        SPACE, new AutoregressiveBase(Order.natural(5), new NgramMixture(network, 2, contexts)));
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.testing.NgramZoo#all")
  void whatWasCountedComesBack(Zoo.Specimen specimen) throws IOException {
    Space condition = specimen.architecture().condition();
    int[][] rows = specimen.architecture().space().enumerate();
    try (FlowModel model = Zoo.wild(specimen.architecture())) {
      model.save(folder);
      try (FlowModel loaded = FlowModel.load(folder)) {
        for (int[][] given : Zoo.contexts(condition, rows.length)) {
          assertThat(loaded.logProb(rows, given)).isEqualTo(model.logProb(rows, given));
          assertThat(loaded.logProb(rows, given, Precision.FLOAT32))
              .isEqualTo(model.logProb(rows, given, Precision.FLOAT32));
        }
        assertThat(loaded.fingerprint()).isEqualTo(model.fingerprint());
        loaded.save(temporary.resolve("again"));
        assertThat(temporary.resolve("again/statistics.bin")).hasSameBinaryContentAs(file);
      }
    }
  }

  /** What was counted is a part of what a model is. */
  @Test
  void othersCountsMakeAnotherModel() {
    try (FlowModel one = Zoo.wild(MODEL);
        FlowModel other = Zoo.wild(MODEL)) {
      assertThat(other.fingerprint()).isEqualTo(one.fingerprint());
      WarmStart.fitBase(other, new int[][] {{0, 1, 2, 0, 1}});
      assertThat(other.fingerprint()).isNotEqualTo(one.fingerprint());
    }
  }

  private void save() throws IOException {
    try (FlowModel model = Zoo.wild(MODEL)) {
      model.save(folder);
    }
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> FlowModel.load(folder).close())
        .isInstanceOf(ModelFormatException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(reason)
        .message()
        .hasLineCount(1);
  }

  @Test
  void aDamagedFileIsRefused() throws IOException {
    save();
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length += 1 + length / 7) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertRefused("");
    }
    for (int at = 0; at < whole.length; at += 1 + at / 7) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 4;
      Files.write(file, flipped);
      assertRefused("");
    }
    Files.delete(file);
    assertRefused("is missing");
    Files.write(file, whole);
    FlowModel.load(folder).close();
  }

  @Test
  void theStatisticsAreThoseOfTheArchitecture() throws IOException {
    save();
    try (FlowModel other = Zoo.wild(model(99))) {
      other.save(temporary.resolve("other"));
    }
    Files.copy(
        temporary.resolve("other/statistics.bin"), file, StandardCopyOption.REPLACE_EXISTING);
    assertRefused(
        "holds 'base.network.preceding.keys I64[99]', but should hold"
            + " 'base.network.preceding.keys I64[100]'");
    try (OutputStream out = DeflatedPieces.writer(file, 1)) {
      out.write(new byte[] {0, 1, 'x'});
    }
    assertRefused("holds 'x', but should hold");
  }

  @Test
  void moreThanAFileCanHoldIsRefusedBeforeMemoryIsAskedFor() throws IOException {
    save();
    Path config = folder.resolve("config.json");
    String hostile =
        Files.readString(config).replaceAll("\"contexts\" *: *100", "\"contexts\": 2000000000");
    try (FlowModel asked = FlowModel.load(folder)) {
      assertThat(asked.architecture()).isEqualTo(MODEL);
    }
    Architecture huge = model(2_000_000_000);
    String sum = "\"architecture\" *: *\"[0-9a-f]{64}\"";
    Files.writeString(
        config, hostile.replaceFirst(sum, "\"architecture\" : \"" + Fingerprint.of(huge) + "\""));
    assertRefused("too few for the 32000000000 of the architecture's statistics");
  }
}
