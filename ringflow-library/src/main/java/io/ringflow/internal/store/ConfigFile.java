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
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The {@code config.json} of a folder of ours: of what format and version the folder is, and the
 * SHA-256 of every other file in it.
 *
 * <p>Internal: public only because Ringflow's other packages need it; it may change at any time.
 */
public final class ConfigFile {
  /** Its name. */
  public static final String NAME = "config.json";

  private ConfigFile() {}

  /**
   * Reads it, after a look at its format and version.
   *
   * @param format the value its field {@code format} must have
   * @param newest the highest {@code version} that is understood
   * @param type what it holds, those two fields included
   * @param subtypes that types named in it may be
   * @throws ModelFormatException if it is missing, damaged, foreign or newer
   */
  public static <T> T read(
      Path folder, String format, int newest, Class<T> type, Collection<Class<?>> subtypes)
      throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      throw new ModelFormatException(folder, "is no " + format + ": it has no " + NAME);
    }
    JsonNode json = Json.read(file, JsonNode.class);
    if (!json.path("format").asText().equals(format)) {
      throw new ModelFormatException(file, "is not that of a " + format);
    }
    JsonNode version = json.path("version");
    if (!version.isIntegralNumber() || version.asLong() < 1) {
      throw new ModelFormatException(file, "has no valid version");
    }
    if (!version.canConvertToInt() || version.asInt() > newest) {
      throw new ModelFormatException(
          file,
          String.format(
              "is of version %s, but this Ringflow reads up to %d: use a newer one",
              version.asText(), newest));
    }
    return Json.bind(file, json, type, subtypes);
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
   * @param recorded what {@link #checksums} said then
   * @param names the files that belong to such a folder; a name out of {@code config.json} is not
   *     trusted to be one
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
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
