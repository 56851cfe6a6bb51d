package io.ringflow.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Parts of the files of a folder: of sources, pages and programs, each ending as often. */
final class RealPieces {
  private static final List<String> ENDINGS = List.of(".java", ".md", ".xml", ".class", ".jar");

  private final List<List<Path>> files; // by ending

  private RealPieces(List<List<Path>> files) {
    this.files = files;
  }

  /**
   * The files under a folder, hidden ones aside.
   *
   * @throws IOException if there are none
   */
  static RealPieces under(Path folder) throws IOException {
    Map<String, List<Path>> found = new TreeMap<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
            boolean hidden =
                !inner.equals(folder) && inner.getFileName().toString().startsWith(".");
            return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            ENDINGS.stream()
                .filter(file.toString()::endsWith)
                .forEach(end -> found.computeIfAbsent(end, e -> new ArrayList<>()).add(file));
            return FileVisitResult.CONTINUE;
          }
        });
    if (found.isEmpty()) {
      throw new IOException(
          folder.toAbsolutePath() + " has no files that end in " + String.join(", ", ENDINGS));
    }
    found.values().forEach(Collections::sort); // folders list files in any order
    return new RealPieces(List.copyOf(found.values()));
  }

  /** A part of one of them, of some length up to a bound; shorter where the file ends. */
  byte[] piece(int most, RandomGenerator random) throws IOException {
    List<Path> alike = files.get(random.nextInt(files.size()));
    Path file = alike.get(random.nextInt(alike.size()));
    int length = random.nextInt(most + 1);
    try (var in = new RandomAccessFile(file.toFile(), "r")) {
      long from = random.nextLong(Math.max(1, in.length() - length + 1));
      byte[] piece = new byte[(int) Math.min(length, in.length() - from)];
      in.seek(from);
      in.readFully(piece);
      return piece;
    }
  }
}
