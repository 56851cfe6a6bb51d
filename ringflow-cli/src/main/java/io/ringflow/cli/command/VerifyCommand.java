package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.Device;
import io.ringflow.core.Machine;
import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.corpus.BitsPerCharacter;
import io.ringflow.paper.corpus.PennTreebank;
import io.ringflow.paper.corpus.Text8;
import io.ringflow.text.Text;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow verify MODEL}: that every test row of a text comes back, and what it costs. */
@Command(
    name = "verify",
    description = {
      "Encode the test part of a text with a trained model, decode it again, and count what comes"
          + " back wrong.",
      "There must be nothing.",
      ""
    },
    customSynopsis = "ringflow verify MODEL --data PATH [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 everything came back, 1 something did not.",
      "",
      "Example:",
      "  ringflow verify runs/text8/models/length-64-4-layers-with-scale-seed-1 --data text8"
    })
final class VerifyCommand extends ToolCommand {
  private static final int BLOCK_ROWS = 1024;

  @Parameters(paramLabel = "MODEL", description = "The model's folder.")
  private Path folder;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "PATH",
      description = "The text it was trained on, or the folder of the Penn Tree Bank.")
  private Path data;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Only the first rows of the test part (default: all).")
  private Integer rows;

  @Mixin private DeviceOption device;

  /** Rows and the real characters in them. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Test(int[][] rows, long characters) {
    Test first(int count) {
      int[][] some = Arrays.copyOf(rows, Math.min(count, rows.length));
      return new Test(some, characters * some.length / rows.length);
    }
  }

  @Override
  public Integer call() throws IOException {
    requirePositive("--rows", rows);
    Device where = device.resolve();
    try (FlowModel model = FlowModel.load(folder, where)) {
      Test all = test(model.architecture().space());
      Test test = rows == null ? all : all.first(rows);
      return verify(model, test, where);
    }
  }

  private Test test(Space space) throws IOException {
    if (Files.isDirectory(data)) {
      PennTreebank corpus = PennTreebank.read(data);
      requireSame(space, PennTreebank.LENGTH, corpus.vocabulary());
      return new Test(corpus.test().rows(), corpus.test().characters());
    }
    Text text = Text8.split(data).test();
    requireSame(space, space.size(), text.vocabulary());
    int[][] found = text.rows(space.size());
    if (found.length == 0) {
      throw new DataFormatException(
          data, "is too short: its last 5 % must hold a row of " + space.size() + " characters");
    }
    return new Test(found, (long) found.length * space.size());
  }

  /** Ids of one alphabet may well be ids of another: what comes back would prove nothing. */
  private void requireSame(Space space, int length, Vocabulary vocabulary) {
    Space rows = Space.uniform(length, vocabulary.size());
    if (!space.equals(rows)) {
      throw new IllegalArgumentException(
          folder + " is a model of " + space + ", but the rows of " + data + " are of " + rows);
    }
  }

  private int verify(FlowModel model, Test test, Device where) {
    long errors = 0;
    double nats = 0;
    double encoding = 0;
    double decoding = 0;
    try (var progress = CountProgress.of(err(), "rows", test.rows.length)) {
      for (int from = 0; from < test.rows.length; from += BLOCK_ROWS) {
        int to = Math.min(test.rows.length, from + BLOCK_ROWS);
        int[][] block = Arrays.copyOfRange(test.rows, from, to);
        long started = System.nanoTime();
        int[][] encoded = model.encode(block);
        long between = System.nanoTime();
        int[][] decoded = model.decode(encoded);
        encoding += (between - started) * 1e-9;
        decoding += (System.nanoTime() - between) * 1e-9;
        nats -= Arrays.stream(model.logProb(block)).sum();
        errors += RoundtripCheck.mismatches(block, decoded);
        progress.add(block.length);
      }
    }
    double bits = new BitsPerCharacter(nats, test.characters).value();
    PrintWriter screen = out();
    screen.printf(
        Locale.ROOT,
        "%s on %s: %,d rows of %d symbols, %,d came back wrong; %.5f bits per character;"
            + " encoding %.1f s, decoding %.1f s%n",
        folder.getFileName(),
        where,
        test.rows.length,
        model.architecture().space().size(),
        errors,
        bits,
        encoding,
        decoding);
    screen.println(Machine.describe());
    screen.flush();
    return errors == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }
}
