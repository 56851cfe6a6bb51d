package io.ringflow.cli;

/** Decides which device a user's {@code auto}, {@code cpu} or {@code cuda} stands for. */
@FunctionalInterface
interface DeviceChoice {
  /** What this build and machine offer. The single place that asks the library. */
  DeviceChoice INSTALLED =
      wanted -> {
        // Stands in for io.ringflow.torch.Device.of(wanted), until the library has it.
        if (wanted.equals("cuda")) {
          throw new IllegalArgumentException(
              "no CUDA device: this build has no CUDA support (build with -Pcuda), use --device cpu");
        }
        return "cpu";
      };

  /**
   * Returns {@code cpu} or {@code cuda}.
   *
   * @param wanted {@code auto}, {@code cpu} or {@code cuda}
   * @throws IllegalArgumentException for people to read, if there is no such device here
   */
  String resolve(String wanted);
}
