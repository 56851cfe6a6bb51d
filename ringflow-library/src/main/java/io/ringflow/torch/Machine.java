package io.ringflow.torch;

import io.ringflow.Versions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;

/** Says where and when something was measured, for whoever reads the figure later. */
public final class Machine {
  private Machine() {}

  /** One line for people: processor, cores, system, versions, date. */
  public static String describe() {
    return String.format(
        "%s, %d cores; %s %s; Java %s; libtorch %s; %s",
        processor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.version"),
        Versions.libtorch(),
        LocalDate.now(ZoneOffset.UTC));
  }

  private static String processor() {
    Path list = Path.of("/proc/cpuinfo"); // Linux; other systems have no file to ask
    try (Stream<String> lines = Files.lines(list)) {
      Optional<String> model = lines.filter(line -> line.startsWith("model name")).findFirst();
      return model.map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("unknown");
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
