package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.ringflow.paper.harness.Outcome.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReferencesFileTest {
  @TempDir Path folder;

  @Test
  void readsWhatItWrote() throws IOException {
    Path file = folder.resolve(ReferencesFile.NAME);
    assertThat(ReferencesFile.read(file)).as("of an earlier version's run").isEmpty();
    List<Reference> references =
        List.of(
            new Reference("D=2", "flow", 1.5, 1.25, "1.3"),
            new Reference("D=2", "base", null, null, ""));
    ReferencesFile.write(file, references);
    assertThat(ReferencesFile.read(file)).isEqualTo(references);
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve(ReferencesFile.NAME), "[{\"what\": 1}]");
    assertThatIOException()
        .isThrownBy(() -> ReferencesFile.read(file))
        .withMessageContaining(file.toString());
  }
}
