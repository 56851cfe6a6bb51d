package io.ringflow.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The {@code config.json} of a model or checkpoint folder: the folder's format and version, and the
 * SHA-256 of every other file in it.
 */
public final class ConfigFile {
  /** The file's name. */
  public static final String NAME = "config.json";

  private ConfigFile() {}

  /**
   * Reads the {@code config.json} of a folder, and checks its format and version first.
   *
   * @param format the required value of the field {@code format}
   * @param current the {@code version} that this Ringflow reads
   * @param type to bind the JSON to, those two fields included
   * @param subtypes that types named in the JSON may be
   * @throws ModelFormatException if the file is missing, damaged, of another format or newer
   */
  public static <T> T read(
      Path folder, String format, int current, Class<T> type, Collection<Class<?>> subtypes)
      throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      throw new ModelFormatException(folder, "is no " + format + ": it has no " + NAME);
    }
    JsonNode json = Json.read(file, JsonNode.class);
    String found = json.path("format").asText();
    if (!found.equals(format)) {
      throw new ModelFormatException(
          file, "is not that of a " + format + (found.isEmpty() ? "" : ", but of a " + found));
    }
    JsonNode version = json.path("version");
    if (!version.isIntegralNumber() || version.asLong() < 1) {
      throw new ModelFormatException(file, "has no valid version");
    }
    if (!version.canConvertToInt() || version.asInt() > current) {
      throw new ModelFormatException(
          file,
          String.format(
              "is of version %s, but this Ringflow reads up to %d: use a newer one",
              version.asText(), current));
    }
    if (version.asInt() < current) {
      throw new ModelFormatException(
          file,
          String.format(
              "is of version %s, which this Ringflow no longer reads: make the folder anew",
              version.asText()));
    }
    return Json.bind(file, json, type, subtypes);
  }

  /** Whether the {@code config.json} of a folder can be read and has a format. */
  public static boolean hasFormat(Path folder, String format) throws IOException {
    try {
      JsonNode found = Json.read(folder.resolve(NAME), JsonNode.class).path("format");
      return found.isTextual() && found.textValue().equals(format);
    } catch (ModelFormatException e) {
      return false;
    }
  }

  /** The SHA-256 of every file in a folder, by name; call before {@code config.json} is written. */
  public static Map<String, String> checksums(Path folder) throws IOException {
    Map<String, String> sums = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        sums.put(file.getFileName().toString(), sha256(file));
      }
    }
    return sums;
  }

  /**
   * Checks that the files of a folder are those that were written.
   *
   * @param recorded the {@link #checksums} of that time
   * @param names the files that such a folder has; names in {@code config.json} are not trusted
   * @throws ModelFormatException naming the file that is missing or damaged
   */
  public static void verify(Path folder, Map<String, String> recorded, Set<String> names)
      throws IOException {
    if (!recorded.keySet().equals(names)) {
      throw new ModelFormatException(
          folder.resolve(NAME),
          "has checksums of " + recorded.keySet() + ", but should have those of " + names);
    }
    for (String name : names) {
      Path file = folder.resolve(name);
      if (!sha256(file).equals(recorded.get(name))) {
        throw new ModelFormatException(file, "is damaged: its SHA-256 is not the one in " + NAME);
      }
    }
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream in = Channels.newInputStream(AtomicFiles.open(file))) {
      MessageDigest digest = Sha256.digest();
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      return Sha256.hex(digest);
    }
  }
}
