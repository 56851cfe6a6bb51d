package io.ringflow.core;

import io.ringflow.internal.natives.Versions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where and when something is measured: hardware and versions, for whoever reads the result. */
public final class Machine {
  private Machine() {}

  /** One line for people: CPU, cores, system, versions, date. */
  public static String describe() {
    return String.format(
        "%s, %d cores%s; %s %s; Java %s; libtorch %s; %s",
        cpu(),
        Runtime.getRuntime().availableProcessors(),
        graphics(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.version"),
        Versions.libtorch(),
        LocalDate.now(ZoneOffset.UTC));
  }

  /** The version of this library. */
  public static String ringflowVersion() {
    return Versions.ringflow();
  }

  /** The version of libtorch; asking does not load it. */
  public static String libtorchVersion() {
    return Versions.libtorch();
  }

  private static String cpu() {
    return field(Path.of("/proc/cpuinfo"), "model name").orElse(System.getProperty("os.arch"));
  }

  /** The NVIDIA GPUs the driver lists, with a comma before each; nothing where there are none. */
  private static String graphics() {
    try (Stream<Path> gpus = Files.list(Path.of("/proc/driver/nvidia/gpus"))) {
      return gpus.sorted()
          .flatMap(gpu -> field(gpu.resolve("information"), "Model").stream())
          .map(", "::concat)
          .collect(Collectors.joining());
    } catch (IOException e) {
      return "";
    }
  }

  /** The first value of that name in one of Linux's lists; other systems have no such file. */
  private static Optional<String> field(Path list, String name) {
    try (Stream<String> lines = Files.lines(list)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
