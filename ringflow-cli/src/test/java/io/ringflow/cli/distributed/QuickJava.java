package io.ringflow.cli.distributed;

import io.ringflow.cli.testing.ExternalProgram;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Starts Java processes in two thirds of the usual time, by class data sharing: most of that time
 * goes into loading the thousands of classes around libtorch.
 *
 * <p>Java archives classes from jars only, so the folders of the class path are packed into jars
 * first. Where Java makes no archive, processes start as usual.
 */
public final class QuickJava {
  private static final QuickJava ONLY = make();

  private final String classPath;
  private final Path archive;

  private QuickJava(String classPath, Path archive) {
    this.classPath = classPath;
    this.archive = archive;
  }

  /** The command line of a program on the class path of this process. */
  public static List<String> command(Class<?> main, List<String> args) {
    return ONLY.command("-XX:SharedArchiveFile=" + ONLY.archive, main, args);
  }

  private List<String> command(String option, Class<?> main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(option);
    command.add("-Xshare:auto");
    command.add("-Xlog:disable"); // no warnings about classes that the archive lacks
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.add("-Dorg.bytedeco.javacpp.maxphysicalbytes=0");
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(args);
    return command;
  }

  private static QuickJava make() {
    try {
      Path folder = Files.createTempDirectory("ringflow-classes");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      var java = new QuickJava(packedClassPath(folder), folder.resolve("classes.jsa"));
      ExternalProgram.run(
          java.command(
              "-XX:ArchiveClassesAtExit=" + java.archive,
              GroupRun.class,
              List.of(folder.toString(), "0")));
      return java;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String packedClassPath(Path folder) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      jars.add(
          Files.isDirectory(Path.of(entry))
              ? packed(Path.of(entry), folder.resolve(jars.size() + ".jar"))
              : entry);
    }
    return String.join(File.pathSeparator, jars);
  }

  private static String packed(Path classes, Path jar) throws IOException {
    try (var zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)));
        Stream<Path> files = Files.walk(classes)) {
      zip.setLevel(0);
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, zip);
      }
    }
    return jar.toString();
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
