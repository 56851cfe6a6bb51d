package io.ringflow.paper.corpus;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A table of the density estimation benchmark: bits, in parts that are the same for everybody.
 *
 * <p>A table NAME is three files, {@code NAME.train.data}, {@code NAME.valid.data} and {@code
 * NAME.test.data}, of rows as {@link SymbolRows} reads them. They lie in one folder, or in a folder
 * NAME inside it, as in {@code datasets} of the public repository; where they lie in both, those
 * outside count. Published results are mean log-likelihoods of the test rows, in nats a row.
 *
 * @param space of a row: every position has two symbols
 * @param train to learn from
 * @param validation to choose by
 * @param test to report
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Debd(Space space, int[][] train, int[][] validation, int[][] test) {
  private static final String TRAIN = ".train.data";
  private static final String VALIDATION = ".valid.data";
  private static final String TEST = ".test.data";

  /**
   * Lists the tables of a folder whose three files are all there.
   *
   * @param folder that has them, or has folders that have them
   * @return names, at least one, ascending
   * @throws DataFormatException if there is no such folder, or no table in it
   * @throws IOException if the disk refuses
   */
  public static List<String> names(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new DataFormatException(
          folder, Files.exists(folder) ? "is a file, not a folder" : "no such folder");
    }
    SortedSet<String> names = new TreeSet<>();
    for (Path entry : entries(folder)) {
      String name = entry.getFileName().toString();
      if (Files.isDirectory(entry)) {
        if (isTable(entry, name)) {
          names.add(name);
        }
      } else if (name.endsWith(TRAIN)) {
        String start = name.substring(0, name.length() - TRAIN.length());
        if (!start.isEmpty() && isTable(folder, start)) {
          names.add(start);
        }
      }
    }
    if (names.isEmpty()) {
      throw new DataFormatException(
          folder,
          "has no table, neither directly nor one folder down: three files "
              + files("NAME")
              + "; in the public repository they are in the folder datasets");
    }
    return List.copyOf(names);
  }

  /**
   * Reads a table.
   *
   * @param folder as for {@link #names}
   * @param name one of {@link #names}
   * @throws DataFormatException if there is no such table, if a file is not of the form {@link
   *     SymbolRows} says or has a symbol above 1, or if the files' rows have different lengths
   * @throws IOException if the disk refuses
   */
  public static Debd read(Path folder, String name) throws IOException {
    List<String> names = names(folder);
    if (!names.contains(name)) {
      throw new DataFormatException(
          folder,
          "has no table '"
              + name
              + "', which is three files "
              + files(name)
              + "; it has "
              + String.join(", ", names));
    }
    Path inside = isTable(folder, name) ? folder : folder.resolve(name);
    Path first = inside.resolve(name + TRAIN);
    int[][] train = SymbolRows.read(first, 1);
    int length = train[0].length;
    return new Debd(
        Space.uniform(length, 2),
        train,
        readLike(first, length, inside.resolve(name + VALIDATION)),
        readLike(first, length, inside.resolve(name + TEST)));
  }

  private static int[][] readLike(Path first, int length, Path file) throws IOException {
    int[][] rows = SymbolRows.read(file, 1);
    if (rows[0].length != length) {
      throw new DataFormatException(
          file,
          String.format(
              "a row has %s, but one of %s has %d",
              SymbolRows.count(rows[0].length), first.getFileName(), length));
    }
    return rows;
  }

  private static boolean isTable(Path folder, String name) {
    return Stream.of(TRAIN, VALIDATION, TEST)
        .allMatch(part -> Files.isRegularFile(folder.resolve(name + part)));
  }

  private static String files(String name) {
    return name + TRAIN + ", " + name + VALIDATION + " and " + name + TEST;
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }
}
