package io.ringflow.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.spi.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bytedeco.pytorch.global.torch;

/**
 * Figures that must not change, and the file that keeps them: one line a figure, under the name of
 * the processor they were made on.
 *
 * <p>Vectorised arithmetic rounds by the processor's instructions. On the kind of processor that
 * made the file every bit is compared; elsewhere integers are, doubles to ten digits, and what was
 * computed or trained in float32 to three.
 *
 * <p>With the environment variable {@code RINGFLOW_GOLDEN} the files are written anew, to the
 * folder that it names.
 */
public final class Golden {
  private static final double TOLERANCE = 1e-10;
  private static final double FLOAT_TOLERANCE = 1e-3;

  private final List<String> lines = new ArrayList<>();

  /** Adds integers, of which no bit may change anywhere. */
  public void integers(String name, int[][] rows) {
    MessageDigest digest = sha256();
    for (int[] row : rows) {
      ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * row.length);
      bytes.asIntBuffer().put(row);
      digest.update(bytes);
    }
    lines.add(name + " ids " + HexFormat.of().formatHex(digest.digest(), 0, 8));
  }

  /** Adds real numbers: a digest of all bits, and their sum. */
  public void reals(String name, double... values) {
    add(name, "reals", values);
  }

  /** Adds real numbers that float32 had a part in. */
  public void floats(String name, double... values) {
    add(name, "floats", values);
  }

  private void add(String name, String kind, double... values) {
    ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * values.length);
    bytes.asDoubleBuffer().put(values);
    lines.add(
        String.format(
            "%s %s %s %s",
            name,
            kind,
            HexFormat.of().formatHex(sha256().digest(bytes.array()), 0, 8),
            Double.toHexString(Arrays.stream(values).sum())));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private static String processor() throws IOException {
    String instructions;
    try (Scope scope = Scope.inference()) {
      instructions = torch.get_cpu_capability().getString();
    }
    return kind() + ", " + instructions;
  }

  /** What the processor calls itself, with its family and model: a name alone may be of several. */
  private static String kind() throws IOException {
    Path cpuinfo = Path.of("/proc/cpuinfo");
    if (!Files.exists(cpuinfo)) {
      return System.getProperty("os.arch");
    }
    List<String> firsts =
        Files.readAllLines(cpuinfo).stream().takeWhile(line -> !line.isBlank()).toList();
    return Stream.of("model name", "cpu family", "model")
        .flatMap(key -> firsts.stream().filter(line -> line.split("\\s*:", -1)[0].equals(key)))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .collect(Collectors.joining(", "));
  }

  /** Compares all figures with those of a resource beside a class, or writes them. */
  public void check(Class<?> owner, String resource) throws IOException {
    String folder = System.getenv("RINGFLOW_GOLDEN");
    if (folder != null) {
      List<String> all = new ArrayList<>(List.of(processor()));
      all.addAll(lines);
      Files.write(Files.createDirectories(Path.of(folder)).resolve(resource), all);
      return;
    }
    try (InputStream in = owner.getResourceAsStream("/golden/" + resource)) {
      List<String> kept = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      List<String> wanted = kept.subList(1, kept.size());
      if (kept.get(0).equals(processor())) {
        assertThat(lines).containsExactlyElementsOf(wanted);
        return;
      }
      assertThat(lines).hasSameSizeAs(wanted);
      for (int i = 0; i < lines.size(); i++) {
        requireClose(lines.get(i), wanted.get(i));
      }
    }
  }

  private static void requireClose(String line, String wanted) {
    String[] found = line.split(" ", -1);
    String[] kept = wanted.split(" ", -1);
    if (kept[1].equals("ids")) {
      assertThat(line).isEqualTo(wanted);
      return;
    }
    double value = Double.parseDouble(kept[3]);
    assertThat(found[0]).isEqualTo(kept[0]);
    double tolerance = kept[1].equals("reals") ? TOLERANCE : FLOAT_TOLERANCE;
    assertThat(Math.abs(Double.parseDouble(found[3]) - value))
        .as(wanted)
        .isLessThanOrEqualTo(tolerance * Math.max(1, Math.abs(value)));
  }
}
