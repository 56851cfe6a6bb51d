package io.ringflow.cli.command;

import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ringflow decompress [MODEL] FILE}: what {@code ringflow compress} took in. */
@Command(
    name = "decompress",
    description = {
      "Give back the file that ringflow compress made smaller.",
      "It takes the same model, if there was one, and gives every byte or an error.",
      ""
    },
    customSynopsis = "ringflow decompress [MODEL] FILE [OUT] [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 OUT is there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow decompress chapter.txt.ringflow",
      "  ringflow decompress novel.model chapter.txt.ringflow",
      "  ringflow decompress orders.model orders.csv.ringflow some.csv --rows 1000:2000"
    })
final class DecompressCommand extends CodingCommand {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,18}):(\\d{1,18})");

  @Option(
      names = "--rows",
      paramLabel = "FIRST:LAST",
      description =
          "Only these rows of a table compressed with its model, counted from 1 without the header;"
              + " others are not decompressed, but for those of the same 16,384. OUT must be named.")
  private String rows;

  @Override
  boolean isWhole() {
    return rows == null;
  }

  @Override
  Path defaultTarget(Path source) {
    String name = source.toString();
    if (rows != null) {
      throw usage("name OUT: --rows gives a part of a file, not the file");
    }
    if (!name.endsWith(ENDING)) {
      throw usage("name OUT: " + name + " does not end in " + ENDING);
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
  byte[] send(Compressor compressor, byte[] bytes, ProgressListener progress) throws IOException {
    try {
      return rows == null
          ? compressor.decompress(bytes, progress)
          : someRows(compressor, bytes, progress);
    } catch (CompressedFormatException e) {
      throw damaged(e);
    }
  }

  private byte[] someRows(Compressor compressor, byte[] bytes, ProgressListener progress)
      throws IOException {
    Matcher range = RANGE.matcher(rows);
    if (!range.matches()) {
      throw usage("--rows must be FIRST:LAST such as 1000:2000, but is " + rows);
    }
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    if (first < 1 || last < first) {
      throw usage("--rows must be FIRST:LAST with 1 <= FIRST <= LAST, but is " + rows);
    }
    try {
      return compressor.rows(bytes, first - 1, last, progress);
    } catch (IllegalArgumentException e) {
      throw damaged(e);
    }
  }
}
