package io.ringflow.cli.external;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** What other people compress with: something to compare with. */
public sealed interface OtherCompressor {
  /** Its name and level. */
  String name();

  /** The size of a file once compressed; nothing where the compressor is not installed. */
  OptionalLong bytes(Path file) throws IOException;

  /** What people know, each at its best: Java's own, and programs that may be installed. */
  static List<OtherCompressor> known() {
    return List.of(
        new Gzip(),
        Program.of("zstd --ultra -22 -T1 -q -c"),
        Program.of("xz -9e -T1 -c"),
        Archiver.ppmd(),
        Archiver.zpaq());
  }

  /**
   * A program that compresses its standard input.
   *
   * @param name its command line
   * @param folders where programs are
   */
  record Program(String name, List<Path> folders) implements OtherCompressor {
    /** A program of the {@code PATH}. */
    public static Program of(String name) {
      String path = System.getenv().getOrDefault("PATH", "");
      return new Program(
          name,
          Arrays.stream(path.split(File.pathSeparator, -1))
              .filter(folder -> !folder.isEmpty())
              .map(Path::of)
              .toList());
    }

    /** Whether the program is there. */
    boolean isInstalled() {
      String program = name.split(" ", -1)[0];
      return folders.stream().anyMatch(folder -> Files.isExecutable(folder.resolve(program)));
    }

    @Override
    public OptionalLong bytes(Path file) throws IOException {
      if (!isInstalled()) {
        return OptionalLong.empty();
      }
      List<String> command = List.of(name.split(" ", -1));
      Process process =
          new ProcessBuilder(command)
              .redirectInput(file.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (InputStream compressed = process.getInputStream()) {
        long bytes = compressed.transferTo(OutputStream.nullOutputStream());
        requireSuccess(process, name, file);
        return OptionalLong.of(bytes);
      } finally {
        process.destroy();
      }
    }
  }

  /**
   * A program that makes archives of files.
   *
   * @param name for people
   * @param command its words; {@code ARCHIVE} and {@code FILE} stand for those
   */
  record Archiver(String name, List<String> command) implements OtherCompressor {
    /** PPMd of 7-Zip, with as much memory as it can use here. */
    public static Archiver ppmd() {
      return new Archiver(
          "PPMd (7-Zip)",
          List.of("7z", "a", "-bd", "-m0=PPMd:mem=256m:o=8", "-mmt=1", "ARCHIVE", "FILE"));
    }

    /** The context mixer zpaq, at its best level. */
    public static Archiver zpaq() {
      return new Archiver("zpaq -m5", List.of("zpaq", "a", "ARCHIVE", "FILE", "-m5", "-t1"));
    }

    @Override
    public OptionalLong bytes(Path file) throws IOException {
      if (!Program.of(command.get(0)).isInstalled()) {
        return OptionalLong.empty();
      }
      Path folder = Files.createTempDirectory("archive");
      Path archive = folder.resolve("archive." + command.get(0));
      try {
        List<String> words =
            command.stream()
                .map(word -> word.equals("ARCHIVE") ? archive.toString() : word)
                .map(word -> word.equals("FILE") ? file.toAbsolutePath().toString() : word)
                .toList();
        Process process =
            new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
          requireSuccess(process, name, file);
        } finally {
          process.destroy();
        }
        return OptionalLong.of(Files.size(archive));
      } finally {
        Files.deleteIfExists(archive);
        Files.delete(folder);
      }
    }
  }

  private static void requireSuccess(Process process, String name, Path file) throws IOException {
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException("'" + name + "' of " + file + " ended with status " + status);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while '" + name + "' ran", e);
    }
  }

  /** The format of {@code gzip}, by Java's own classes at their best. */
  record Gzip() implements OtherCompressor {
    private static final class Best extends GZIPOutputStream {
      Best(OutputStream out) throws IOException {
        super(out);
        def.setLevel(Deflater.BEST_COMPRESSION);
      }
    }

    private static final class Counter extends OutputStream {
      private long count;

      @Override
      public void write(int b) {
        count++;
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        count += length;
      }
    }

    @Override
    public String name() {
      return "gzip -9";
    }

    @Override
    public OptionalLong bytes(Path file) throws IOException {
      var counter = new Counter();
      try (OutputStream out = new Best(counter)) {
        Files.copy(file, out);
      }
      return OptionalLong.of(counter.count);
    }
  }
}
