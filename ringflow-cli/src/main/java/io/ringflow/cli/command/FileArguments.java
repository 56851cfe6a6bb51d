package io.ringflow.cli.command;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Files that a user names one by one, or by their folders. */
final class FileArguments {
  private FileArguments() {}

  /**
   * A file, or all files of a folder and those below it, by name. Links to folders are not
   * followed.
   *
   * @param wanted which files of a folder are meant
   * @param which says of a folder without such files what there is none of: {@code files ...}
   * @throws DataFormatException if there is no such file, or none in the folder
   */
  static List<Path> expand(Path path, Predicate<Path> wanted, String which) throws IOException {
    if (!Files.isDirectory(path)) {
      if (!Files.exists(path)) {
        throw new DataFormatException(path, "no such file");
      }
      return List.of(path);
    }
    try (Stream<Path> below = Files.walk(path)) {
      List<Path> files = below.filter(Files::isRegularFile).filter(wanted).sorted().toList();
      if (files.isEmpty()) {
        throw new DataFormatException(path, "is a folder without " + which);
      }
      return files;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** All files that paths stand for, in their order. */
  static List<Path> expand(List<Path> paths) throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path path : paths) {
      all.addAll(expand(path, file -> true, "files"));
    }
    return all;
  }
}
