package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.WholeFile;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A model, a file that goes through it, and where the outcome goes: there whole or not at all. */
final class CodingArguments {
  /** What the name of a compressed file ends in. */
  static final String ENDING = ".ringflow";

  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description = "The folder of a text's model, the same to compress and to decompress.")
  private Path folder;

  @Parameters(index = "1", paramLabel = "FILE", description = "The file; at most 2 GB.")
  private Path file;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "OUT",
      description = "Where the outcome goes (default: FILE with .ringflow added or taken away).")
  private Path outcome;

  @Mixin private OverwriteOption overwrite;
  @Mixin private DeviceOption device;

  /** Sends bytes one way or the other. */
  @FunctionalInterface
  interface Way {
    byte[] send(TextModel model, byte[] bytes, ProgressListener progress) throws IOException;
  }

  Path file() {
    return file;
  }

  /** Where the outcome goes; null if the user did not say. */
  Path out() {
    return outcome;
  }

  /**
   * Sends the file through the model, and says what became of it.
   *
   * @param target where the outcome goes
   * @param shrinks whether the outcome is the compressed one
   */
  void run(Path target, boolean shrinks, Way way, PrintWriter screen, PrintWriter err)
      throws IOException {
    Device where = device.resolve();
    overwrite.requireWritable(target);
    byte[] before = FileBytes.read(file);
    if (Files.exists(target) && Files.isSameFile(file, target)) {
      throw new DataFormatException(target, "is both FILE and OUT");
    }
    try (TextModel model = ModelFolders.text(folder, where)) {
      long started = System.nanoTime();
      byte[] after;
      try (var progress = CountProgress.of(err, "bytes")) {
        after = way.send(model, before, progress);
      }
      WholeFile.write(target, out -> out.write(after));
      double seconds = (System.nanoTime() - started) * 1e-9;
      int original = shrinks ? before.length : after.length;
      double bits = (shrinks ? after.length : before.length) * (double) Byte.SIZE / original;
      screen.printf(
          Locale.ROOT,
          "%d -> %d bytes, %s%s: %s%n",
          before.length,
          after.length,
          original == 0 ? "" : Numbers.fixed(bits) + " bits per byte, ",
          Numbers.time(seconds),
          target);
      screen.flush();
    }
  }
}
