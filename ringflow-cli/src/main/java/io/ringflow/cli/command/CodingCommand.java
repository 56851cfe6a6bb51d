package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.WholeFile;
import io.ringflow.compress.Compressor;
import io.ringflow.compress.CountModel;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.FittedModel;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * A command that sends a file through a compressor; its outcome is there whole or not at all.
 *
 * <p>The first path is the model if it is a folder: files are not.
 */
abstract class CodingCommand extends ToolCommand {
  /** What the name of a compressed file ends in. */
  static final String ENDING = ".ringflow";

  @Parameters(
      arity = "1..3",
      paramLabel = "[MODEL] FILE [OUT]",
      hideParamSyntax = true,
      description = {
        "MODEL: the folder of a text's or table's model, the same to compress and to decompress; may be left out.",
        "FILE: at most 2 GB.",
        "OUT: where the outcome goes (default: FILE with .ringflow added or taken away)."
      })
  private List<Path> paths;

  @Mixin private OverwriteOption overwrite;
  @Mixin private DeviceOption device;

  private Path file;

  /** Where the outcome goes if the user does not say. */
  abstract Path defaultTarget(Path source);

  /** Whether the outcome is the compressed file. */
  abstract boolean compresses();

  /** The compressor of those who have no model. */
  abstract Compressor withoutModel();

  /** Whether the outcome is all of a file. */
  boolean isWhole() {
    return true;
  }

  /** Refuses options that make no sense with a model. */
  void requireForModel() {}

  /** Compresses or decompresses. */
  abstract byte[] send(Compressor compressor, byte[] bytes, ProgressListener progress)
      throws IOException;

  @Override
  public Integer call() throws IOException {
    boolean hasModel = paths.size() > 1 && Files.isDirectory(paths.get(0));
    if (paths.size() == 3 && !hasModel) {
      throw new DataFormatException(paths.get(0), "no such model folder");
    }
    int first = hasModel ? 1 : 0;
    file = paths.get(first);
    Path target = paths.size() > first + 1 ? paths.get(first + 1) : defaultTarget(file);
    if (paths.size() == 1 && CountModel.isAt(file)) {
      throw usage("name the FILE too: " + file + " is a model");
    }
    overwrite.requireWritable(target);
    byte[] before = FileBytes.read(file);
    if (Files.exists(target) && Files.isSameFile(file, target)) {
      throw new DataFormatException(target, "is both FILE and OUT");
    }
    if (!hasModel) {
      send(withoutModel(), before, target);
    } else {
      requireForModel();
      withModel(paths.get(0), before, target);
    }
    return CommandLine.ExitCode.OK;
  }

  private void withModel(Path folder, byte[] before, Path target) throws IOException {
    if (CountModel.isAt(folder)) {
      send(new Compressor(CountModel.load(folder)), before, target);
      return;
    }
    try (FittedModel model = RingFlow.load(folder, device.resolve())) {
      send(compressor(model), before, target);
    }
  }

  private static Compressor compressor(FittedModel model) {
    if (model instanceof TableModel table) {
      return new Compressor(table);
    }
    return new Compressor((TextModel) model);
  }

  private void send(Compressor compressor, byte[] before, Path target) throws IOException {
    long started = System.nanoTime();
    byte[] after;
    try (var progress = CountProgress.of(err(), "bytes")) {
      after = send(compressor, before, progress);
    }
    WholeFile.write(target, out -> out.write(after));
    double seconds = (System.nanoTime() - started) * 1e-9;
    if (!isWhole()) {
      out().printf(Locale.ROOT, "%d bytes, %s: %s%n", after.length, Numbers.time(seconds), target);
      return;
    }
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

  /** Names the file that can't be decompressed. */
  final DataFormatException damaged(Exception e) {
    return new DataFormatException(file, e.getMessage(), e);
  }
}
