package io.ringflow.cli.command;

import io.ringflow.compress.Compressor;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ringflow decompress [MODEL] FILE...}: what {@code ringflow compress} took in. */
@Command(
    name = "decompress",
    description = {
      "Give back files that ringflow compress made smaller.",
      "It takes the same model, if there was one, and gives every byte or an error.",
      ""
    },
    customSynopsis = "ringflow decompress [MODEL] [FILE...] [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Each FILE.ringflow stays, and FILE with its time and permissions comes beside it, whole or not at",
      "all. A file that can't be decompressed is named, and the others are. It takes as much memory as",
      "compressing did.",
      "",
      "Exit codes: 0 every file is there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow decompress chapter.txt.ringflow",
      "  ringflow decompress novel.model chapter.txt.ringflow --out chapter.copy",
      "  ringflow decompress orders.model orders.csv.ringflow --rows 1000:2000 --out some.csv",
      "  ringflow decompress access.log.ringflow --bytes 9000000:9000999 --stdout",
      "  ringflow decompress letters/ --test",
      "  ringflow decompress < project.tar.ringflow | tar x"
    })
final class DecompressCommand extends CodingCommand {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,18}):(\\d{1,18})");

  @Option(
      names = "--rows",
      paramLabel = "FIRST:LAST",
      description =
          "Only these rows of a table, counted from 1 without the header. Of one compressed with its"
              + " model, others are not decompressed, but for those of the same 16,384.")
  private String rows;

  @Option(
      names = "--bytes",
      paramLabel = "FIRST:LAST",
      description =
          "Only these bytes, counted from 1. Of what was compressed with --block, others are not"
              + " decompressed, but for those of the same block.")
  private String bytes;

  @Option(
      names = {"-t", "--test"},
      description = "Only look whether all comes back: decompress, and write nothing.")
  private boolean test;

  /** First and last, counted from 1. */
  private record Range(long first, long last) {}

  @Override
  boolean isMeant(Path file) {
    return file.toString().endsWith(ENDING);
  }

  @Override
  String meant() {
    return "files that end in " + ENDING;
  }

  @Override
  boolean isWhole() {
    return rows == null && bytes == null;
  }

  @Override
  boolean isDry() {
    return test;
  }

  @Override
  Path defaultTarget(Path source) throws IOException {
    String name = source.toString();
    if (!name.endsWith(ENDING)) {
      throw new DataFormatException(
          source, "does not end in " + ENDING + "; --out or --stdout says where its outcome goes");
    }
    return Path.of(name.substring(0, name.length() - ENDING.length()));
  }

  @Override
  boolean compresses() {
    return false;
  }

  @Override
  Compressor withoutModel() {
    return Compressor.withoutModel();
  }

  @Override
  void requireOptions(boolean hasTarget) {
    if (rows != null && bytes != null) {
      throw usage("--rows and --bytes exclude each other");
    }
    if (test && (hasTarget || !isWhole())) {
      throw usage("--test has no use for --out, --stdout, --rows and --bytes");
    }
    if (!isWhole() && !hasTarget) {
      throw usage(
          "name --out or use --stdout: "
              + (rows == null ? "--bytes" : "--rows")
              + " gives a part of a file, not the file");
    }
    range("--rows", rows);
    range("--bytes", bytes);
  }

  @Override
  String send(Compressor compressor, InputStream in, OutputStream out, ProgressListener progress)
      throws IOException {
    if (rows != null) {
      Range range = range("--rows", rows);
      compressor.rows(in, range.first - 1, range.last, out, progress);
    } else if (bytes != null) {
      Range range = range("--bytes", bytes);
      compressor.bytes(in, range.first - 1, range.last, out, progress);
    } else {
      compressor.decompress(in, out, progress);
    }
    return "";
  }

  private Range range(String option, String text) {
    if (text == null) {
      return null;
    }
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      throw usage(option + " must be FIRST:LAST such as 1000:2000, but is " + text);
    }
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    if (first < 1 || last < first) {
      throw usage(option + " must be FIRST:LAST with 1 <= FIRST <= LAST, but is " + text);
    }
    return new Range(first, last);
  }
}
