package io.ringflow.cli.command;

import io.ringflow.compress.Compressor;
import io.ringflow.core.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ringflow compress [MODEL] FILE}: a file in as few bits as its likelihood promises. */
@Command(
    name = "compress",
    description = {
      "Make a file smaller, with the model of a text or table or without.",
      "It is exact: ringflow decompress gives back every byte.",
      ""
    },
    customSynopsis = "ringflow compress [MODEL] FILE [OUT] [OPTIONS]",
    sortOptions = false,
    footer = {
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
      "Exit codes: 0 OUT is there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow compress chapter.txt",
      "  ringflow compress novel.model chapter.txt",
      "  ringflow compress orders.model orders.csv",
      "  ringflow decompress novel.model chapter.txt.ringflow chapter.copy"
    })
final class CompressCommand extends CodingCommand {
  @Mixin private MemoryOption memory;

  @Override
  Path defaultTarget(Path source) {
    return Path.of(source + ENDING);
  }

  @Override
  boolean compresses() {
    return true;
  }

  @Override
  Compressor withoutModel() {
    return Compressor.withoutModel(memory.value());
  }

  @Override
  void requireForModel() {
    if (memory.used()) {
      throw usage("--memory is for compressing without a model: MODEL brings its own table");
    }
  }

  @Override
  byte[] send(Compressor compressor, byte[] bytes, ProgressListener progress) throws IOException {
    return compressor.compress(bytes, progress);
  }
}
