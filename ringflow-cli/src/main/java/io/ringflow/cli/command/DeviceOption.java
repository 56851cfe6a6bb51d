package io.ringflow.cli.command;

import io.ringflow.core.Device;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --device}, the same for every command that computes. */
final class DeviceOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "auto",
      description =
          "Where to compute: auto, cpu or cuda (default: ${DEFAULT-VALUE}; cuda where there is one).")
  private String name;

  /**
   * Returns the device the user chose.
   *
   * @throws ParameterException if there is no device of that name anywhere
   * @throws IllegalArgumentException if there is none here
   */
  Device resolve() {
    if (!List.of("auto", "cpu", "cuda").contains(name)) {
      throw new ParameterException(
          command.commandLine(), "--device must be auto, cpu or cuda, but is '" + name + "'");
    }
    return Device.of(name);
  }
}
