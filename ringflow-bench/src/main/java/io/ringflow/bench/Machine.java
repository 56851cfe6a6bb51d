package io.ringflow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;

/** Says where and when something was measured. */
final class Machine {
  private Machine() {}

  /** One line for people. */
  static String describe() throws IOException {
    return String.format(
        "%s, %d cores, %d threads in libtorch; %s %s; JDK %s; libtorch %s; %s",
        processor(),
        Runtime.getRuntime().availableProcessors(),
        torch.get_num_threads(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.version"),
        libtorch(),
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

  /** The binding's version is libtorch's, a dash, and JavaCPP's. */
  private static String libtorch() throws IOException {
    return Loader.getVersion("org.bytedeco", "pytorch").replaceFirst("-.*", "");
  }
}
