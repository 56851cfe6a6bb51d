package io.ringflow.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A place for a folder to be written to, and what is asked of it there. */
abstract class WrittenFolder {
  static final String FORMAT = "test-model";

  @TempDir Path parent;
  Path target;

  @BeforeEach
  void target() {
    target = parent.resolve("model");
  }

  static FolderWriter.Body body(String weights) {
    return folder -> {
      Json.write(
          folder.resolve("config.json"), new TreeMap<>(Map.of("format", FORMAT, "version", 1)));
      Files.writeString(folder.resolve("weights"), weights);
    };
  }

  List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  void assertHolds(String weights) {
    assertThat(target.resolve("weights")).hasContent(weights);
    assertThat(target.resolve("config.json")).exists();
  }

  void assertNoLeftovers() throws IOException {
    assertThat(names()).containsExactly("model");
  }
}
