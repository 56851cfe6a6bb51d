package io.ringflow.bench;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What {@link SpeedTable} is asked for.
 *
 * @param insert a saved output to put into the page, instead of measuring; null for none
 * @param write whether what is measured goes into the page
 * @param steps of training that are timed, after as many that are not
 * @param batch rows of a step of the large batch
 * @param rows to sample at once
 * @param precisions to sample in
 * @param calls timed, after those that warm up
 * @param bytes of text to compress
 * @param python the peer's interpreter
 * @param peerTraining the peer's script that trains; null for none
 * @param peerSampling the peer's script that samples; null for none
 * @param peerMinutes that the training script is told to train for
 * @param peerLimit after which a script is stopped
 */
record SpeedOptions(
    Device device,
    Set<SpeedPart> parts,
    Path page,
    Path insert,
    boolean write,
    TextArchitectures models,
    int steps,
    int batch,
    List<Integer> rows,
    List<Precision> precisions,
    int calls,
    int bytes,
    String python,
    Path peerTraining,
    Path peerSampling,
    double peerMinutes,
    Duration peerLimit) {
  private static final Set<String> VALUES =
      Set.of(
          "--device",
          "--only",
          "--page",
          "--insert",
          "--width",
          "--layers",
          "--length",
          "--steps",
          "--batch",
          "--rows",
          "--precisions",
          "--calls",
          "--bytes",
          "--python",
          "--peer-training",
          "--peer-sampling",
          "--peer-minutes",
          "--peer-limit");

  /**
   * Reads a command line; what it leaves out is chosen for the device.
   *
   * @throws IllegalArgumentException if it can't be understood, or a script is missing
   */
  static SpeedOptions parse(String... args) {
    Map<String, String> given = new HashMap<>();
    boolean write = false;
    for (int i = 0; i < args.length; i++) {
      String name = args[i];
      if (name.equals("--write")) {
        write = true;
      } else if (!VALUES.contains(name)) {
        throw new IllegalArgumentException(
            "no such option: '"
                + name
                + "'; there are --write and "
                + String.join(", ", VALUES.stream().sorted().toList()));
      } else if (++i == args.length) {
        throw new IllegalArgumentException(name + " needs a value");
      } else {
        given.put(name, args[i]);
      }
    }
    return of(given, write);
  }

  private static SpeedOptions of(Map<String, String> given, boolean write) {
    String insert = given.get("--insert");
    // To put a file into a page takes no device, and none should be looked for.
    Device device = insert == null ? Device.of(given.getOrDefault("--device", "auto")) : Device.CPU;
    boolean gpu = device == Device.CUDA;
    String only = given.get("--only");
    return new SpeedOptions(
        device,
        only == null ? SpeedPart.usual(device) : SpeedPart.parse(only),
        Path.of(given.getOrDefault("--page", "docs/benchmarks.md")),
        insert == null ? null : file(given, "--insert"),
        write,
        new TextArchitectures(
            number(given, "--width", gpu ? 512 : 256),
            number(given, "--layers", gpu ? 12 : 6),
            number(given, "--length", 256)),
        number(given, "--steps", gpu ? 60 : 3),
        number(given, "--batch", gpu ? 128 : 8),
        numbers(given, "--rows", gpu ? "1,16,256" : "1,16"),
        precisions(given, gpu),
        number(given, "--calls", gpu ? 9 : 3),
        number(given, "--bytes", gpu ? 1 << 20 : 1 << 12),
        given.getOrDefault("--python", "python3"),
        file(given, "--peer-training"),
        file(given, "--peer-sampling"),
        decimal(given, "--peer-minutes", 0.6),
        Duration.ofMillis(Math.round(1e3 * decimal(given, "--peer-limit", 300))));
  }

  private static Path file(Map<String, String> given, String name) {
    if (!given.containsKey(name)) {
      return null;
    }
    Path file = Path.of(given.get(name));
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(name + ": there is no file " + file);
    }
    return file;
  }

  private static int number(Map<String, String> given, String name, int usual) {
    return given.containsKey(name) ? number(name, given.get(name)) : usual;
  }

  private static int number(String name, String text) {
    double value = decimal(name, text);
    if (value != (int) value) {
      throw new IllegalArgumentException(name + " must be a whole number, but is '" + text + "'");
    }
    return (int) value;
  }

  private static double decimal(Map<String, String> given, String name, double usual) {
    return given.containsKey(name) ? decimal(name, given.get(name)) : usual;
  }

  private static double decimal(String name, String text) {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " must be a number, but is '" + text + "'", e);
    }
    if (!(value > 0)) {
      throw new IllegalArgumentException(name + " must be above 0, but is " + text);
    }
    return value;
  }

  private static List<Integer> numbers(Map<String, String> given, String name, String usual) {
    return Arrays.stream(given.getOrDefault(name, usual).split(",", -1))
        .map(text -> number(name, text))
        .toList();
  }

  private static List<Precision> precisions(Map<String, String> given, boolean gpu) {
    String usual = gpu ? "bfloat16,float32,float64" : "float32,float64";
    List<Precision> precisions =
        Arrays.stream(given.getOrDefault("--precisions", usual).split(",", -1))
            .map(SpeedOptions::precision)
            .toList();
    if (!gpu && precisions.contains(Precision.BFLOAT16)) {
      // Some virtual machines claim instructions for it that end the process.
      throw new IllegalArgumentException("--precisions: bfloat16 needs --device cuda");
    }
    return precisions;
  }

  private static Precision precision(String name) {
    return Arrays.stream(Precision.values())
        .filter(precision -> label(precision).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--precisions: no such precision: '"
                        + name
                        + "'; there are bfloat16, float32 and float64"));
  }

  /** The name of a precision here, and PyTorch's. */
  static String label(Precision precision) {
    return precision.name().toLowerCase(Locale.ROOT);
  }

  /** What networks are trained in: bfloat16 has matrix units of its own on a GPU alone. */
  Precision trainedIn() {
    return device == Device.CUDA ? Precision.BFLOAT16 : Precision.FLOAT32;
  }
}
