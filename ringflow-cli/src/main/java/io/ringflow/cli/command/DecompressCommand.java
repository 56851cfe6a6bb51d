package io.ringflow.cli.command;

import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;

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
      "  ringflow decompress novel.model chapter.txt.ringflow"
    })
final class DecompressCommand extends CodingCommand {
  @Override
  Path defaultTarget(Path source) {
    String name = source.toString();
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
      return compressor.decompress(bytes, progress);
    } catch (CompressedFormatException e) {
      throw damaged(e);
    }
  }
}
