package io.ringflow.internal.natives;

import java.util.Map;

/** Which GPU of its machine a process uses. */
public final class LocalGpu {
  private LocalGpu() {}

  /**
   * Which of the GPUs that a process sees is its own. One that sees a single GPU was given it, and
   * need not count those of its neighbours.
   */
  public static int index(Map<String, String> environment, int count) {
    // Slurm numbers processes whether or not they are a group, which has a place to meet.
    String name =
        environment.containsKey("LOCAL_RANK") || !environment.containsKey("MASTER_ADDR")
            ? "LOCAL_RANK"
            : "SLURM_LOCALID";
    String localRank = environment.getOrDefault(name, "").strip();
    if (localRank.isEmpty()) {
      return 0;
    }
    try {
      return Integer.parseUnsignedInt(localRank) % Math.max(1, count);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          name + " must be a whole number, but is '" + localRank + "'", e);
    }
  }
}
