package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.WholeFile;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that sends a file through a model; its outcome is there whole or not at all. */
abstract class CodingCommand extends ToolCommand {
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
  private Path target;

  @Mixin private OverwriteOption overwrite;
  @Mixin private DeviceOption device;

  /** Where the outcome goes if the user does not say. */
  abstract Path defaultTarget(Path source);

  /** Whether the outcome is the compressed file. */
  abstract boolean compresses();

  /** Compresses or decompresses. */
  abstract byte[] send(TextModel model, byte[] bytes, ProgressListener progress) throws IOException;

  @Override
  public Integer call() throws IOException {
    if (target == null) {
      target = defaultTarget(file);
    }
    Device where = device.resolve();
    overwrite.requireWritable(target);
    byte[] before = FileBytes.read(file);
    if (Files.exists(target) && Files.isSameFile(file, target)) {
      throw new DataFormatException(target, "is both FILE and OUT");
    }
    try (TextModel model = ModelFolders.text(folder, where)) {
      long started = System.nanoTime();
      byte[] after;
      try (var progress = CountProgress.of(err(), "bytes")) {
        after = send(model, before, progress);
      }
      WholeFile.write(target, out -> out.write(after));
      double seconds = (System.nanoTime() - started) * 1e-9;
      int original = compresses() ? before.length : after.length;
      double bits = (compresses() ? after.length : before.length) * (double) Byte.SIZE / original;
      out()
          .printf(
              Locale.ROOT,
              "%d -> %d bytes, %s%s: %s%n",
              before.length,
              after.length,
              original == 0 ? "" : Numbers.fixed(bits) + " bits per byte, ",
              Numbers.time(seconds),
              target);
    }
    return CommandLine.ExitCode.OK;
  }

  /** Names the file that can't be decompressed. */
  final DataFormatException damaged(Exception e) {
    return new DataFormatException(file, e.getMessage(), e);
  }
}
