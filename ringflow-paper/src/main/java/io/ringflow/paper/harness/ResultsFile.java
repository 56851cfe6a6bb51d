package io.ringflow.paper.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads and writes {@code results.json}: a JSON array with one {@link Result} per line.
 *
 * <p>Values that are no number stand as the strings {@code "NaN"}, {@code "Infinity"} and {@code
 * "-Infinity"}: JSON has no other word for them, and a diverged training must not read as a missing
 * one.
 */
public final class ResultsFile {
  /** Its name in a run folder. */
  public static final String NAME = "results.json";

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  private ResultsFile() {}

  /**
   * Writes all results; a reader sees the earlier file or this one, never half of it.
   *
   * @param file where to
   * @param results in the order to keep
   */
  public static void write(Path file, List<Result> results) throws IOException {
    var lines = new ArrayList<String>();
    for (Result result : results) {
      lines.add("  " + JSON.writeValueAsString(result));
    }
    String text =
        lines.isEmpty()
            ? "[]\n"
            : lines.stream().collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    replace(file, text);
  }

  /** Writes an object as indented JSON, all at once. */
  static void writeObject(Path file, Object value) throws IOException {
    replace(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n");
  }

  private static void replace(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Reads a file that may hold results. */
  static JsonNode tree(Path file) throws IOException {
    try {
      return JSON.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Binds a tree with results in it, whose values may be no numbers. */
  static <T> T bind(Path file, JsonNode tree, Class<T> type) throws IOException {
    try {
      return JSON.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw new IOException(file + " holds no results: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException with the path and the reason, if the file can't be read or is no list of
   *     results
   */
  public static List<Result> read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    try {
      return List.copyOf(JSON.readValue(bytes, new TypeReference<List<Result>>() {}));
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is no list of results: " + e.getOriginalMessage(), e);
    }
  }
}
