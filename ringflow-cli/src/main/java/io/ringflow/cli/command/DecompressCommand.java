package io.ringflow.cli.command;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ringflow decompress MODEL FILE}: what {@code ringflow compress} took in. */
@Command(
    name = "decompress",
    description = {
      "Give back the file that ringflow compress made smaller.",
      "It takes the same model, and gives every byte or an error.",
      ""
    },
    customSynopsis = "ringflow decompress MODEL FILE [OUT] [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 OUT is there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Example:",
      "  ringflow decompress novel.model chapter.txt.ringflow"
    })
final class DecompressCommand extends ToolCommand {
  @Mixin private CodingArguments arguments;

  @Override
  public Integer call() throws IOException {
    arguments.run(
        arguments.out() != null ? arguments.out() : withoutEnding(arguments.file()),
        false,
        this::decompress,
        out(),
        err());
    return CommandLine.ExitCode.OK;
  }

  private Path withoutEnding(Path file) {
    String name = file.toString();
    if (!name.endsWith(CodingArguments.ENDING)) {
      throw usage("name OUT: " + name + " does not end in " + CodingArguments.ENDING);
    }
    return Path.of(name.substring(0, name.length() - CodingArguments.ENDING.length()));
  }

  private byte[] decompress(TextModel model, byte[] bytes, ProgressListener progress)
      throws IOException {
    try {
      return model.decompress(bytes, progress);
    } catch (CompressedFormatException e) {
      throw new DataFormatException(arguments.file(), e.getMessage(), e);
    }
  }
}
