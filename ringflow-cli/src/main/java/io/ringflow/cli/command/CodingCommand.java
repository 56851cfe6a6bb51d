package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.cli.progress.Terminal;
import io.ringflow.compress.Compressor;
import io.ringflow.compress.CountModel;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.FittedModel;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command that sends files through a compressor, each on its own: one that fails is named, and
 * the others are done.
 *
 * <p>The first path is the model if it is a folder that holds one. Other folders stand for the
 * files in them.
 */
abstract class CodingCommand extends ToolCommand {
  /** What the name of a compressed file ends in. */
  static final String ENDING = ".ringflow";

  private static final Path STANDARD = Path.of("-");

  @Parameters(
      arity = "0..*",
      paramLabel = "[MODEL] FILE...",
      hideParamSyntax = true,
      description = {
        "MODEL: the folder of a text's or table's model, the same to compress and to decompress; may be left out.",
        "FILE: files, folders (all files in them and below), or - for standard input, as without any FILE."
      })
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = {"-o", "--out"},
      paramLabel = "OUT",
      description =
          "Where the outcome of one FILE goes (default: FILE with .ringflow added or taken away).")
  private Path out;

  @Option(
      names = {"-c", "--stdout"},
      description = "Write to standard output, as without any FILE; nothing else is said there.")
  private boolean stdout;

  @Mixin private OverwriteOption overwrite;
  @Mixin private DeviceOption device;

  private boolean hasModel;

  /** A file that was asked for, or why it can't be coded. */
  private record Request(CodedFile file, IOException problem) {}

  /** Which files of a folder are meant. */
  abstract boolean isMeant(Path file);

  /** What a folder without such files has none of. */
  abstract String meant();

  /** Where the outcome of a file goes if the user does not say. */
  abstract Path defaultTarget(Path source) throws IOException;

  /** Whether the outcome is the compressed file. */
  abstract boolean compresses();

  /** The compressor of those who have no model. */
  abstract Compressor withoutModel();

  /** Refuses options that make no sense together. */
  abstract void requireOptions(boolean hasTarget);

  /**
   * Compresses or decompresses.
   *
   * @return what is to be said of it behind the sizes, or nothing
   */
  abstract String send(
      Compressor compressor, InputStream in, OutputStream out, ProgressListener progress)
      throws IOException;

  /** Called after all files, with those that were coded. */
  void finish(List<Path> coded, CodedSizes sum) throws IOException {}

  /** A compressor as the options want it. */
  Compressor configured(Compressor compressor) {
    return compressor;
  }

  /** Whether the outcome is all of a file. */
  boolean isWhole() {
    return true;
  }

  /** Whether outcomes are thrown away. */
  boolean isDry() {
    return false;
  }

  final boolean hasModel() {
    return hasModel;
  }

  final boolean overwrites() {
    return overwrite.isChosen();
  }

  @Override
  public Integer call() throws IOException {
    Path model = !paths.isEmpty() && ModelArgument.isModel(paths.get(0)) ? paths.get(0) : null;
    hasModel = model != null;
    List<Path> named = model == null ? paths : paths.subList(1, paths.size());
    if (named.isEmpty()) {
      if (Terminal.typesInput()) {
        throw usage(
            (model == null ? "name a FILE" : "name the FILE too: " + model + " is a model")
                + ", or send something through a pipe");
      }
      named = List.of(STANDARD);
    }
    requireOptions(out != null || stdout);
    List<Request> requests = requests(named);
    if (model == null) {
      return run(withoutModel(), requests);
    }
    if (CountModel.isAt(model)) {
      Compressor compressor =
          requests.size() == 1
              ? Compressor.forOneFile(model)
              : new Compressor(CountModel.load(model));
      return run(compressor, requests);
    }
    try (FittedModel fitted = RingFlow.load(model, device.resolve())) {
      return run(
          fitted instanceof TableModel table
              ? new Compressor(table)
              : new Compressor((TextModel) fitted),
          requests);
    }
  }

  private List<Request> requests(List<Path> named) {
    List<Request> requests = new ArrayList<>();
    for (Path path : named) {
      try {
        if (path.equals(STANDARD)) {
          requests.add(new Request(new CodedFile(null, target(null), isDry()), null));
          continue;
        }
        for (Path source : FileArguments.expand(path, this::isMeant, meant())) {
          requests.add(request(source));
        }
      } catch (IOException e) {
        requests.add(new Request(null, e));
      }
    }
    requireSingle(requests.size());
    return requests;
  }

  private Request request(Path source) {
    try {
      return new Request(new CodedFile(source, target(source), isDry()), null);
    } catch (IOException e) {
      return new Request(null, e);
    }
  }

  private void requireSingle(int count) {
    if (out != null && stdout) {
      throw usage("--out and --stdout exclude each other");
    }
    if (count > 1 && out != null) {
      throw usage("--out is for one FILE, but there are " + count);
    }
    if (count > 1 && stdout && compresses()) {
      throw usage(
          "--stdout is for one FILE, but there are " + count + "; tar makes one of many files");
    }
  }

  /** Where an outcome goes; null for standard output. */
  private Path target(Path source) throws IOException {
    if (isDry() || stdout || STANDARD.equals(out) || (out == null && source == null)) {
      if (!isDry() && compresses() && Terminal.showsOutput() && !overwrites()) {
        throw usage("compressed bytes are not for a terminal; send them to a file or a pipe");
      }
      return null;
    }
    Path target = out == null ? defaultTarget(source) : out;
    overwrite.requireWritable(target);
    if (source != null && Files.exists(target) && Files.isSameFile(source, target)) {
      throw new DataFormatException(target, "is both FILE and OUT");
    }
    return target;
  }

  private int run(Compressor plain, List<Request> requests) throws IOException {
    Compressor compressor = configured(plain);
    List<Path> coded = new ArrayList<>();
    CodedSizes sum = CodedSizes.NONE;
    int failed = 0;
    for (Request request : requests) {
      try {
        sum = sum.plus(run(compressor, request));
        if (request.file.source() != null) {
          coded.add(request.file.source());
        }
      } catch (IOException | IllegalArgumentException e) {
        if (requests.size() == 1 || Failures.isInterrupt(e)) {
          throw e;
        }
        Failures.report(e, false, err());
        failed++;
      }
    }
    int done = requests.size() - failed;
    if (requests.size() > 1 && done > 0 && !isQuiet()) {
      String files = failed == 0 ? done + " files: " : done + " of " + requests.size() + " files: ";
      out().println(files + sum.text(compresses()));
    }
    finish(coded, sum);
    return failed == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private boolean isQuiet() {
    return stdout || STANDARD.equals(out);
  }

  private CodedSizes run(Compressor compressor, Request request) throws IOException {
    if (request.problem != null) {
      throw request.problem;
    }
    CodedFile file = request.file;
    CodedFile.Transfer transfer;
    var remark = new StringBuilder();
    try {
      transfer =
          file.run(
              (from, to, progress) -> remark.append(send(compressor, from, to, progress)), err());
    } catch (CompressedFormatException | IllegalArgumentException e) {
      throw file.source() == null
          ? new IOException("standard input: " + e.getMessage(), e)
          : new DataFormatException(file.source(), e.getMessage(), e);
    }
    var sizes =
        new CodedSizes(
            compresses() ? transfer.read() : transfer.written(),
            compresses() ? transfer.written() : transfer.read(),
            transfer.seconds());
    if (file.target() != null || isDry()) {
      String what =
          isWhole()
              ? sizes.text(compresses())
              : CodedSizes.part(transfer.written(), transfer.seconds());
      out().println(what + remark + ": " + (isDry() ? file.source() + " is sound" : file.target()));
      out().flush();
    }
    return sizes;
  }
}
