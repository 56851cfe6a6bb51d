package io.ringflow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this process takes. */
final class ProcessMemory {
  private ProcessMemory() {}

  /** The most memory that this process ever had, in bytes; 0 where the system does not tell. */
  static long peak() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElse(0);
  }
}
