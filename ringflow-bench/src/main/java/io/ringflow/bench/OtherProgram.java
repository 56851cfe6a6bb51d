package io.ringflow.bench;

import io.ringflow.table.DataTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What another program made of the same rows, kept in a file that has the program's name.
 *
 * @param name of the program
 * @param file a table with a header
 */
record OtherProgram(String name, Path file) {
  private static final String ENDING = ".csv";

  /** All that a folder has, by name; none where there is no folder. */
  static List<OtherProgram> in(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(ENDING))
          .sorted()
          .map(OtherProgram::of)
          .toList();
    }
  }

  private static OtherProgram of(Path file) {
    String name = file.getFileName().toString();
    return new OtherProgram(name.substring(0, name.length() - ENDING.length()), file);
  }

  /** Its rows, which must be as many as were asked for. */
  DataTable rows(int expected) throws IOException {
    DataTable rows = DataTable.read(file);
    if (rows.size() != expected) {
      throw new IOException(
          file.getFileName() + " must have " + expected + " rows, but has " + rows.size());
    }
    return rows;
  }
}
