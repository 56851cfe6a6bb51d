package io.ringflow.bench;

import io.ringflow.compress.CountModel;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;

/**
 * How small files of other kinds than English text get by counting, beside what others make of
 * them: source code, a text in Japanese, binary files; each alone and after others of its kind.
 *
 * <pre>
 *   java io.ringflow.bench.SizesByKind [FOLDER]
 * </pre>
 *
 * <p>All of them are at hand wherever this is built. The code is that of the repository in which it
 * runs, with three files left out. The Japanese and Chinese texts are the messages of Java's
 * compiler and shell, the binary files native libraries and a class that the project depends on.
 * They are written to FOLDER, runs/kinds unless said otherwise.
 */
public final class SizesByKind {
  static final List<String> LEFT_OUT =
      List.of("FlowModel.java", "TrainCommand.java", "DataTableTest.java");

  private static final String COMPILER = "jdk.compiler/com/sun/tools/javac/resources/compiler_";
  private static final String SHELL = "jdk.jshell/jdk/internal/jshell/tool/resources/l10n_";

  private final Path folder;

  SizesByKind(Path folder) {
    this.folder = folder;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args.length > 0 ? args[0] : "runs/kinds"));
    new SizesByKind(folder)
        .print(
            Path.of(""),
            new CountingSizes(CountingSizes.known(), CountModel::megabytes),
            System.out);
  }

  void print(Path repository, CountingSizes sizes, PrintStream out) throws IOException {
    List<String> files = new ArrayList<>();
    Path code = code(repository);
    for (String name : LEFT_OUT) {
      files.add(folder.resolve(name).toString());
      files.add(folder.resolve(name) + "," + code);
    }
    Path japanese = messages(COMPILER + "ja", "compiler-ja.txt");
    files.add(japanese.toString());
    files.add(messages(SHELL + "ja", "shell-ja.txt") + "," + japanese);
    files.add(messages(COMPILER + "zh_CN", "compiler-zh.txt").toString());
    String platform = Loader.getPlatform();
    Path library =
        resource("/org/bytedeco/javacpp/" + platform, System.mapLibraryName("jnijavacpp"));
    files.add(library.toString());
    Path other =
        resource(
            "/org/bytedeco/openblas/" + platform, System.mapLibraryName("jniopenblas_nolapack"));
    files.add(library + "," + other);
    files.add(resource("/com/fasterxml/jackson/databind", "ObjectMapper.class").toString());
    sizes.print(files, out);
  }

  /** Copies the files that are left out, and writes all others one after the other. */
  private Path code(Path repository) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(repository)) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java") && isOfSources(file))
              .sorted() // folders list files in any order
              .toList();
    }
    Path code = folder.resolve("code.txt");
    try (OutputStream out = Files.newOutputStream(code)) {
      for (Path source : sources) {
        String name = source.getFileName().toString();
        if (LEFT_OUT.contains(name)) {
          Files.write(folder.resolve(name), Files.readAllBytes(source));
        } else {
          Files.copy(source, out);
        }
      }
    }
    return code;
  }

  private static boolean isOfSources(Path file) {
    for (Path part : file) {
      if (part.toString().equals("src")) {
        return true;
      }
    }
    return false;
  }

  /** Writes the messages of a class of the running Java, a line each. */
  private Path messages(String type, String name) throws IOException {
    Path bundle =
        FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", type + ".class");
    try (InputStream in = Files.newInputStream(bundle)) {
      List<String> messages = foreign(in);
      return Files.write(folder.resolve(name), messages);
    }
  }

  /** The texts among the constants of a class that have a letter beyond ASCII. */
  static List<String> foreign(InputStream classFile) throws IOException {
    var in = new DataInputStream(classFile);
    in.skipNBytes(8); // a magic number and versions
    int count = in.readUnsignedShort();
    List<String> texts = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> {
          String text = in.readUTF();
          if (text.chars().anyMatch(letter -> letter >= 128)) {
            texts.add(text);
          }
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // a long or double takes the place of two
        }
        default -> throw new IOException("no constant of a class has the tag " + tag);
      }
    }
    return texts;
  }

  private Path resource(String from, String name) throws IOException {
    try (InputStream in = SizesByKind.class.getResourceAsStream(from + "/" + name)) {
      if (in == null) {
        throw new IOException("there is no " + from + "/" + name + " among the dependencies");
      }
      return Files.write(folder.resolve(name), in.readAllBytes());
    }
  }
}
