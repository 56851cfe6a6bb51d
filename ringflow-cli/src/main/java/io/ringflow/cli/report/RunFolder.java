package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.ReferencesFile;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/** The folder an experiment's run leaves behind; every file in it is whole. */
public final class RunFolder {
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
      Files.delete(Files.createTempFile(path, "probe", ".part"));
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
    return WholeFile.part(metrics());
  }

  /**
   * Makes the log.
   *
   * @param resume whether to append to the log of the run before, if there is one; otherwise the
   *     log starts empty
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
    WholeFile.complete(metrics());
  }

  private Path metrics() {
    return path.resolve("metrics.jsonl");
  }

  /** Writes every result of an outcome, and what to compare them with. */
  public void results(Outcome outcome) throws IOException {
    ResultsFile.write(path.resolve(ResultsFile.NAME), outcome.results());
    ReferencesFile.write(path.resolve(ReferencesFile.NAME), outcome.references());
  }

  /** Writes each picture as {@code figures/NAME.png} and {@code .svg}. */
  public void pictures(List<Picture> pictures) throws IOException {
    if (!pictures.isEmpty()) {
      pictures(pictures, path.resolve("figures"));
    }
  }

  /**
   * Writes each picture to a folder, which is made if missing, as {@code NAME.png} and {@code
   * .svg}.
   */
  public static void pictures(List<Picture> pictures, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Picture picture : pictures) {
      WholeFile.write(
          folder.resolve(picture.name() + ".png"),
          out -> ImageIO.write(picture.image(), "png", out));
      text(folder.resolve(picture.name() + ".svg"), picture.svg());
    }
  }

  /** Writes {@code report.html}; returns its path. */
  public Path report(String html) throws IOException {
    Path file = path.resolve("report.html");
    text(file, html);
    return file;
  }

  private static void text(Path file, String text) throws IOException {
    WholeFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}
