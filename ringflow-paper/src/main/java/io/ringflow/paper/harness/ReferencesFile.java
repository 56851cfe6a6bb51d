package io.ringflow.paper.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.paper.harness.Outcome.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads and writes {@code references.json}: what to compare a run's results with, so that a page
 * made of its files can show the best of a model's family too.
 */
public final class ReferencesFile {
  /** Its name in a run folder. */
  public static final String NAME = "references.json";

  private static final ObjectMapper JSON = new ObjectMapper();

  private ReferencesFile() {}

  /** Writes all references of a run, at once. */
  public static void write(Path file, List<Reference> references) throws IOException {
    ResultsFile.writeObject(file, references);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @return none if there is no such file: earlier runs have left none
   * @throws IOException with the path and the reason, if the file is no list of references
   */
  public static List<Reference> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    byte[] bytes = Files.readAllBytes(file);
    try {
      return List.copyOf(JSON.readValue(bytes, new TypeReference<List<Reference>>() {}));
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is no list of references: " + e.getOriginalMessage(), e);
    }
  }
}
