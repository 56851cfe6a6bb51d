package io.ringflow.infer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a file's bytes are, reading it ends in a graph or in one kind of exception. {@code
 * -Dringflow.fuzz.files=1000000} tries more files.
 */
@Tag("slow")
final class NetworkFileFuzzTest {
  private static final int FILES = Integer.getInteger("ringflow.fuzz.files", 10_000);
  private static final String[] TOKENS = {
    "0",
    "1",
    "9",
    "99999999",
    "1e308",
    "-",
    ".",
    "e",
    " ",
    "\n",
    "\"",
    "/*",
    "*/",
    "//",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    "|",
    "\0",
    "é",
    "yes",
    "table",
    "default",
    "property",
    "\u0085",
    "\u2028"
  };

  /** Reads a file, or refuses it. */
  @FunctionalInterface
  private interface Reader {
    void read(Path file) throws IOException;
  }

  @TempDir Path folder;
  private final SplittableRandom random = new SplittableRandom(18);
  private int graphs;
  private int refusals;

  @Test
  void bif() {
    String whole =
        "network n { property p; } variable \"a b\" { type discrete [ 3 ] { x, y, z }; }"
            + " variable c { type discrete[2] { 0 1 }; } probability ( \"a b\" ) { table .2 .3 .5; }"
            + " probability ( c | \"a b\" ) { table 0.1, 0.2, 0.3, 0.9, 0.8, 0.7; }";
    fuzz("net.bif", FactorGraph::read, Asia.BIF, whole);
  }

  @Test
  void uai() {
    fuzz(
        "net.uai",
        FactorGraph::read,
        RandomNetworks.of(1).uai("MARKOV"),
        RandomNetworks.of(2).uai("BAYES"),
        RandomNetworks.of(3).uai("MARKOV"));
  }

  @Test
  void evidence() {
    fuzz("net.uai.evid", FactorGraph::readEvidence, "2 1 0 5 1\n", "1\n3 1 0 5 1 6 12\n", "0\n");
  }

  private void fuzz(String name, Reader reader, String... texts) {
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(5),
        () -> {
          for (int i = 0; i < FILES; i++) {
            byte[] sound = texts[i % texts.length].getBytes(UTF_8);
            byte[] bytes = i < texts.length ? sound : damaged(sound);
            read(folder.resolve(name), reader, bytes);
            assertThat(i < texts.length ? refusals : 0).isZero();
          }
        });
    // Neither side may die out unnoticed.
    assertThat(graphs).isGreaterThan(FILES / 50);
    assertThat(refusals).isGreaterThan(FILES / 4);
  }

  private void read(Path file, Reader reader, byte[] bytes) throws IOException {
    Files.deleteIfExists(file); // a new file is faster than an emptied one
    Files.write(file, bytes);
    try {
      reader.read(file);
      graphs++;
    } catch (DataFormatException e) {
      refusals++;
      assertThat(e.getMessage())
          .matches("\\Q" + file + "\\E: (line \\d+, column \\d+: .+|is not UTF-8 text.*)");
    } catch (RuntimeException e) {
      throw new AssertionError(new String(bytes, UTF_8), e);
    }
  }

  private byte[] damaged(byte[] sound) {
    byte[] bytes = sound;
    for (int hits = random.nextInt(3); hits >= 0; hits--) {
      int from = random.nextInt(bytes.length + 1);
      int to = Math.min(bytes.length, from + random.nextInt(12));
      bytes =
          switch (random.nextInt(6)) {
            case 0 -> spliced(bytes, from, to, new byte[0]);
            case 1 -> spliced(bytes, from, from, Arrays.copyOfRange(bytes, from, to));
            case 2 -> spliced(bytes, from, from, token());
            case 3 -> spliced(bytes, from, Math.min(bytes.length, from + 1), token());
            case 4 -> flipped(bytes, Math.min(from, bytes.length - 1));
            default -> random.nextInt(4) > 0 ? bytes : Arrays.copyOf(bytes, from);
          };
    }
    return bytes;
  }

  private byte[] token() {
    return TOKENS[random.nextInt(TOKENS.length)].getBytes(UTF_8);
  }

  private byte[] flipped(byte[] bytes, int at) {
    byte[] result = bytes.clone();
    if (at >= 0) {
      result[at] ^= (byte) (1 << random.nextInt(8));
    }
    return result;
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] middle) {
    byte[] result = Arrays.copyOf(bytes, from + middle.length + bytes.length - to);
    System.arraycopy(middle, 0, result, from, middle.length);
    System.arraycopy(bytes, to, result, from + middle.length, bytes.length - to);
    return result;
  }
}
