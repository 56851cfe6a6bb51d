package io.ringflow.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Pointer;

/** How much memory some work takes at its highest, by the kernel's own account; Linux alone. */
public final class PeakMemory {
  private static final Path STATUS = Path.of("/proc/self/status");

  private PeakMemory() {}

  /**
   * Kilobytes of resident memory at the peak of some work, beyond what was there before: the median
   * of five times, for the virtual machine's own threads take and return memory meanwhile.
   */
  public static long kilobytesOf(Runnable work) throws IOException {
    long[] peaks = new long[5];
    for (int i = 0; i < peaks.length; i++) {
      peaks[i] = once(work);
    }
    Arrays.sort(peaks);
    return peaks[peaks.length / 2];
  }

  private static long once(Runnable work) throws IOException {
    Pointer.trimMemory(); // what earlier work has freed would be used again, unseen
    long before = kilobytes("VmRSS");
    forgetThePeak();
    work.run();
    return kilobytes("VmHWM") - before;
  }

  /** The kernel keeps the highest value there ever was, until told to start anew. */
  private static void forgetThePeak() throws IOException {
    Files.writeString(Path.of("/proc/self/clear_refs"), "5");
  }

  private static long kilobytes(String name) throws IOException {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(name + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElseThrow();
    }
  }
}
