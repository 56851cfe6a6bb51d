package io.ringflow.cli.command;

import io.ringflow.compress.Compressor;
import io.ringflow.core.ProgressListener;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** {@code ringflow compress MODEL FILE}: a file in as few bits as a model's likelihood promises. */
@Command(
    name = "compress",
    description = {
      "Make a file smaller with the model of a text.",
      "It is exact: ringflow decompress gives back every byte.",
      ""
    },
    customSynopsis = "ringflow compress MODEL FILE [OUT] [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Any file can be compressed; the more it is like what the model was trained on, the smaller it",
      "gets. Compressing is one pass of the network in float64, decompressing as many as sampling",
      "takes (ringflow inspect says how many). Keep the model: nothing else can decompress.",
      "",
      "Exit codes: 0 OUT is there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow compress novel.model chapter.txt",
      "  ringflow decompress novel.model chapter.txt.ringflow chapter.copy"
    })
final class CompressCommand extends CodingCommand {
  @Override
  Path defaultTarget(Path source) {
    return Path.of(source + ENDING);
  }

  @Override
  boolean compresses() {
    return true;
  }

  @Override
  byte[] send(TextModel model, byte[] bytes, ProgressListener progress) throws IOException {
    return new Compressor(model).compress(bytes, progress);
  }
}
