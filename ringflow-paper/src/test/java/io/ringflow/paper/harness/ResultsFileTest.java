package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsFileTest {
  @TempDir Path folder;

  private static Result result(double value, Double floor) {
    return new Result(
        "ring", "K=90", "1 layer", "nll", "nats", value, null, floor, null, 1, 2.5, "cpu");
  }

  @Test
  void readsWhatItWrote() throws IOException {
    Path file = folder.resolve(ResultsFile.NAME);
    var results =
        List.of(
            result(6.4, 6.31), result(Double.NaN, null), result(Double.POSITIVE_INFINITY, null));
    ResultsFile.write(file, List.of(result(1, null)));
    ResultsFile.write(file, results);
    assertThat(ResultsFile.read(file)).isEqualTo(results);
    try (var files = Files.list(folder)) {
      assertThat(files).as("no temporary file stays").containsExactly(file);
    }
  }

  @Test
  void hasExactlyTheAgreedFields() throws IOException {
    Path file = folder.resolve(ResultsFile.NAME);
    ResultsFile.write(file, List.of(result(6.4, null)));
    JsonNode json = new ObjectMapper().readTree(Files.readString(file));
    assertThat(json.isArray()).isTrue();
    assertThat(json.get(0).fieldNames())
        .toIterable()
        .containsExactly(
            "experiment",
            "setting",
            "model",
            "metric",
            "unit",
            "value",
            "standardError",
            "floor",
            "paper",
            "seed",
            "seconds",
            "device");
  }

  @Test
  void noResultsAreAnEmptyList() throws IOException {
    Path file = folder.resolve(ResultsFile.NAME);
    ResultsFile.write(file, List.of());
    assertThat(ResultsFile.read(file)).isEmpty();
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    Path file = folder.resolve(ResultsFile.NAME);
    Files.writeString(file, "[{\"experiment\": \"ring\"}]");
    assertThatIOException()
        .isThrownBy(() -> ResultsFile.read(file))
        .withMessageContaining(file.toString());
    Files.writeString(file, "[{");
    assertThatIOException()
        .isThrownBy(() -> ResultsFile.read(file))
        .withMessageContaining(file.toString());
  }
}
