package io.ringflow.cli.command;

import io.ringflow.cli.external.OtherCompressor;
import io.ringflow.compress.CodedBy;
import io.ringflow.compress.Compressor;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringflow compress [MODEL] FILE...}: files in as few bits as a likelihood promises. */
@Command(
    name = "compress",
    description = {
      "Make files smaller, with the model of a text or table or without.",
      "It is exact: ringflow decompress gives back every byte.",
      ""
    },
    customSynopsis = "ringflow compress [MODEL] [FILE...] [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Each FILE stays, and FILE.ringflow with the time and permissions of FILE comes beside it, whole or",
      "not at all. A file that can't be compressed is named, and the others are.",
      "",
      "Any file can be compressed. Without a model, contexts are counted as the file is read: about 300",
      "kB a second, to decompress too. With a model by counting (ringflow train FILE --fast) it is the",
      "same, but begins with the counts of the training text. With a trained model, compressing is one",
      "pass of the network in float64, decompressing as many as sampling takes (ringflow inspect says",
      "how many). With a model of a table, rows are coded by the model and by what was learned from the",
      "rows before them, and every byte comes back: quotes, line ends, broken lines. The more a file is",
      "like what a model was trained on, the smaller it gets. Keep the model: nothing else can",
      "decompress.",
      "",
      "Files may be larger than memory: long ones are coded part by part. Without a model, counting takes",
      "9/8 of --memory beside what Java needs, and twice that with a model by counting.",
      "",
      "Exit codes: 0 every file is there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow compress chapter.txt",
      "  ringflow compress *.txt letters/ --compare",
      "  ringflow compress novel.model chapter.txt",
      "  ringflow compress orders.model orders.csv",
      "  ringflow compress access.log --block 4M     and later: decompress --bytes 9000000:9000999",
      "  tar c project | ringflow compress > project.tar.ringflow"
    })
final class CompressCommand extends CodingCommand {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kKmMgG]?)");

  @Mixin private MemoryOption memory;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      description =
          "Begin anew after so many bytes, such as 500k, 4M or 1G: decompress --bytes then reads some"
              + " without those before. The smaller, the less is learned, and the larger files get.")
  private String block;

  @Option(
      names = "--compare",
      description =
          "Print what others make of the same files: gzip, and zstd, xz, 7z (PPMd) and zpaq where"
              + " they are installed.")
  private boolean compare;

  @Override
  boolean isMeant(Path file) {
    return !file.toString().endsWith(ENDING);
  }

  @Override
  String meant() {
    return "files that are not compressed already";
  }

  @Override
  Path defaultTarget(Path source) throws IOException {
    if (source.toString().endsWith(ENDING) && !overwrites()) {
      throw new DataFormatException(
          source, "is compressed already, by its name; --force does it again");
    }
    return Path.of(source + ENDING);
  }

  @Override
  boolean compresses() {
    return true;
  }

  @Override
  Compressor withoutModel() {
    return Compressor.withoutModel(memory.orElse(Compressor.DEFAULT_MEGABYTES));
  }

  @Override
  void requireOptions(boolean hasTarget) {
    if (hasModel() && memory.used()) {
      throw usage("--memory is for compressing without a model: MODEL brings its own table");
    }
    blockLength();
  }

  @Override
  Compressor configured(Compressor compressor) {
    return block == null ? compressor : compressor.inBlocks(blockLength());
  }

  private int blockLength() {
    if (block == null) {
      return 0;
    }
    Matcher size = SIZE.matcher(block);
    if (!size.matches()) {
      throw usage("--block must be a size such as 500k, 4M or 1G, but is " + block);
    }
    int power = " kmg".indexOf((size.group(2) + " ").toLowerCase(Locale.ROOT).charAt(0));
    long length = Long.parseLong(size.group(1)) << (10 * power);
    if (length < Compressor.MIN_BLOCK || length > Compressor.MAX_BLOCK) {
      throw usage("--block must be 1k to 1G, but is " + block);
    }
    return (int) length;
  }

  @Override
  String send(Compressor compressor, InputStream in, OutputStream out, ProgressListener progress)
      throws IOException {
    Map<CodedBy, Long> bytesBy = compressor.compress(in, out, progress);
    return hasModel() ? otherThanModel(bytesBy) : "";
  }

  /** Such as {@code , by storing, not by the model}; nothing where the model was good for all. */
  private static String otherThanModel(Map<CodedBy, Long> bytesBy) {
    long all = bytes(bytesBy, by -> true);
    long others = bytes(bytesBy, by -> !by.isByModel());
    if (others == 0) {
      return "";
    }
    String ways =
        bytesBy.keySet().stream()
            .filter(by -> !by.isByModel())
            .map(CodedBy::toString)
            .collect(Collectors.joining(" and "));
    String which = others == all ? "" : others + " bytes ";
    return ", " + which + "by " + ways + ", not by the model";
  }

  private static long bytes(Map<CodedBy, Long> bytesBy, Predicate<CodedBy> ways) {
    return bytesBy.entrySet().stream()
        .filter(way -> ways.test(way.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Override
  void finish(List<Path> coded, CodedSizes sum) throws IOException {
    if (compare && !coded.isEmpty()) {
      out().printf("%n%s", new Comparison(OtherCompressor.known()).of(coded, sum).console());
      out().flush();
    }
  }
}
