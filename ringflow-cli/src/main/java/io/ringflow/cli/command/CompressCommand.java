package io.ringflow.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class CompressCommand extends ToolCommand {
  @Mixin private CodingArguments arguments;

  @Override
  public Integer call() throws IOException {
    Path out =
        arguments.out() != null
            ? arguments.out()
            : Path.of(arguments.file() + CodingArguments.ENDING);
    arguments.run(
        out,
        true,
        (model, bytes, progress) -> model.compress(bytes, progress),
        out(),
        err());
    return CommandLine.ExitCode.OK;
  }
}
