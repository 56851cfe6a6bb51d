package io.ringflow.cli.report;

import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * The folder an experiment's run leaves behind.
 *
 * <p>Every file is written beside its final name and then moved there: whoever looks sees an
 * earlier run's file or this one's, never half of one.
 */
public final class RunFolder {
  private static final String PART = ".part";

  private final Path path;

  private RunFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes the folder and proves that it can be written, before anybody trains for hours.
   *
   * @throws IOException in one sentence for people
   */
  public static RunFolder open(Path path) throws IOException {
    for (Path part = path.toAbsolutePath(); part != null; part = part.getParent()) {
      if (Files.exists(part) && !Files.isDirectory(part)) {
        throw new IOException("can't use " + path + " as run folder: " + part + " is a file");
      }
    }
    try {
      Files.createDirectories(path);
      Files.delete(Files.createTempFile(path, "probe", PART));
    } catch (IOException e) {
      throw new IOException("can't write to the run folder " + path + ": " + reason(e), e);
    }
    return new RunFolder(path);
  }

  private static String reason(IOException e) {
    return e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
  }

  public Path path() {
    return path;
  }

  /** Where to log while the run lasts. */
  public Path unfinishedMetrics() {
    return beside(metrics());
  }

  /**
   * Makes the log.
   *
   * @param resume whether to go on with the log of the run before, if there is one; otherwise it
   *     starts empty
   */
  public void startMetrics(boolean resume) throws IOException {
    Path part = unfinishedMetrics();
    if (!resume) {
      Files.write(part, new byte[0]);
    } else if (!Files.exists(part)) {
      Path earlier = metrics(); // of a run that had come to its end
      if (Files.exists(earlier)) {
        Files.copy(earlier, part);
      } else {
        Files.createFile(part);
      }
    }
  }

  /** The run succeeded: its log takes the place of an earlier run's. */
  public void completeMetrics() throws IOException {
    Files.move(
        unfinishedMetrics(),
        metrics(),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private Path metrics() {
    return path.resolve("metrics.jsonl");
  }

  public void results(List<Result> results) throws IOException {
    ResultsFile.write(path.resolve(ResultsFile.NAME), results);
  }

  /** Writes each figure as {@code metrics/NAME.png} and {@code .svg}. */
  public void metrics(List<Figure> metrics) throws IOException {
    if (metrics.isEmpty()) {
      return;
    }
    metrics(metrics, path.resolve("figures"));
  }

  /**
   * Writes each figure to a folder, which is made if missing, as {@code NAME.png} and {@code .svg}.
   */
  public static void metrics(List<Figure> metrics, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Figure figure : metrics) {
      write(folder.resolve(figure.name() + ".png"), png(figure.image()));
      write(folder.resolve(figure.name() + ".svg"), figure.svg().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Writes a text file; returns its path. */
  public Path text(String name, String text) throws IOException {
    Path file = path.resolve(name);
    write(file, text.getBytes(StandardCharsets.UTF_8));
    return file;
  }

  private static byte[] png(BufferedImage image) throws IOException {
    var bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Path part = beside(file);
    Files.write(part, bytes);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + PART);
  }
}
