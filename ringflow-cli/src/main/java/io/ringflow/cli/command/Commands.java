package io.ringflow.cli.command;

import io.ringflow.paper.harness.Experiment;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/** All commands of the tool. */
public final class Commands {
  private Commands() {}

  /**
   * Adds the commands, and what reads their numbers and times.
   *
   * @param tool the command line without commands
   * @param experiments those that {@code reproduce} knows
   * @return the tool
   */
  public static CommandLine addTo(CommandLine tool, List<Experiment> experiments) {
    return tool.addSubcommand("train", new TrainCommand())
        .addSubcommand("score", new ScoreCommand())
        .addSubcommand("sample", new SampleCommand())
        .addSubcommand("probability", new ProbabilityCommand())
        .addSubcommand("predict", new PredictCommand())
        .addSubcommand("complete", new CompleteCommand())
        .addSubcommand("compress", new CompressCommand())
        .addSubcommand("decompress", new DecompressCommand())
        .addSubcommand("infer", new InferCommand())
        .addSubcommand("inspect", new InspectCommand())
        .addSubcommand("example", new ExampleCommand())
        .addSubcommand("download", new DownloadCommand())
        .addSubcommand("normalize", new NormalizeCommand())
        .addSubcommand("reproduce", ReproduceCommand.line(experiments))
        .addSubcommand("launch", LaunchCommand.line())
        .addSubcommand("results", new ResultsCommand())
        .addSubcommand("roundtrip", new RoundtripCommand())
        .addSubcommand("verify", new VerifyCommand())
        .addSubcommand("completion", new CompletionCommand())
        .registerConverter(Long.class, new WholeNumber())
        .registerConverter(long.class, new WholeNumber())
        .registerConverter(Integer.class, WholeNumber::integer)
        .registerConverter(int.class, WholeNumber::integer)
        .registerConverter(Share.class, new Share.Converter())
        .registerConverter(Duration.class, new Minutes());
  }
}
