package io.ringflow.paper.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.store.WholeFile;
import io.ringflow.paper.corpus.Text8Normalizer.Counts;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class Text8NormalizerTest {
  @TempDir Path folder;

  @Test
  void handComputed() {
    Map<String, String> examples =
        Map.ofEntries(
            Map.entry("", ""),
            Map.entry("Hello, World!", "hello world "),
            Map.entry("  two  spaces", " two spaces"),
            Map.entry("1", " one "),
            Map.entry("in 1984 it", "in one nine eight four it"),
            Map.entry("a1b", "a one b"),
            Map.entry("0123456789", " zero one two three four five six seven eight nine "),
            Map.entry("AZ@[`{az", "az az"),
            Map.entry("/0:", " zero "),
            Map.entry("don't", "don t"),
            Map.entry("café", "caf "),
            Map.entry("naïve ÄÖ x", "na ve x"),
            Map.entry("İstanbul", " stanbul"),
            Map.entry("日本😀", " "),
            Map.entry("a\r\n\tb\n", "a b "));
    examples.forEach(
        (text, normal) -> assertThat(Text8Normalizer.normalize(text)).as(text).isEqualTo(normal));
  }

  /** The last lines of the script that made text8, word for word, as regular expressions. */
  private static String script(String text) {
    String[] digits = {
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"
    };
    StringBuilder lower = new StringBuilder();
    text.chars().forEach(c -> lower.append((char) (c >= 'A' && c <= 'Z' ? c + 32 : c)));
    String spelled = lower.toString();
    for (int d = 0; d < 10; d++) {
      spelled = spelled.replace(Integer.toString(d), " " + digits[d] + " ");
    }
    return spelled.replaceAll("[^a-z]+", " ");
  }

  @Property
  void doesWhatTheScriptDoes(@ForAll String text) {
    assertThat(Text8Normalizer.normalize(text)).isEqualTo(script(text));
  }

  @Property
  void doesWhatTheScriptDoesToAscii(@ForAll @CharRange(from = ' ', to = '~') String text) {
    assertThat(Text8Normalizer.normalize(text)).isEqualTo(script(text));
  }

  @Property
  void twiceIsOnce(@ForAll String text) {
    String once = Text8Normalizer.normalize(text);
    assertThat(Text8Normalizer.normalize(once)).isEqualTo(once);
    assertThat(Vocabulary.TEXT8.text(Vocabulary.TEXT8.ids(once))).isEqualTo(once);
  }

  @Test
  void aFileIsReplacedAndCounted() throws IOException {
    Path in = Files.writeString(folder.resolve("in"), "Käse, 2 kg 😀");
    Path out = Files.writeString(folder.resolve("out"), "something else");
    assertThat(Text8Normalizer.normalize(in, out)).isEqualTo(new Counts(12, 12));
    assertThat(Files.readString(out)).isEqualTo("k se two kg ");
    assertThat(Text8Normalizer.normalize(out, out)).isEqualTo(new Counts(12, 12));
    assertThat(Files.readString(out)).isEqualTo("k se two kg ");
    assertFolderHolds(in, out);
  }

  /** A run of spaces goes on from one piece to the next. */
  @Test
  void piecesLeaveNoSeam() throws IOException {
    Path in = folder.resolve("in");
    Path out = folder.resolve("out");
    for (int letters : new int[] {(1 << 16) - 1, 1 << 16}) {
      Files.writeString(in, "x".repeat(letters) + "  Y");
      Text8Normalizer.normalize(in, out);
      assertThat(Files.readString(out).equals("x".repeat(letters) + " y")).isTrue();
    }
  }

  @Test
  void failuresAreOneLineAndLeaveNothing() throws IOException {
    Path in = folder.resolve("in");
    Path out = folder.resolve("out");
    assertThatThrownBy(() -> Text8Normalizer.normalize(in, out))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(in + ": no such file");
    assertThatThrownBy(() -> Text8Normalizer.normalize(folder, out))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(folder + ": is a folder, not a file");
    Files.writeString(in, "a");
    assertThatThrownBy(() -> Text8Normalizer.normalize(in, folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(folder + ": is a folder, not a file");
    assertThatThrownBy(() -> Text8Normalizer.normalize(in, out.resolve("deeper")))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(out + ": no such folder");
    assertFolderHolds(in);
  }

  @Test
  void aFailureHalfWayKeepsTheOldFile() throws IOException {
    Path out = Files.writeString(folder.resolve("out"), "old");
    InputStream failing =
        new InputStream() {
          private int left = 100_000;

          @Override
          public int read() throws IOException {
            if (left-- == 0) {
              throw new IOException("gone");
            }
            return 'a';
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            bytes[offset] = (byte) read();
            return 1;
          }
        };
    assertThatThrownBy(() -> WholeFile.write(out, to -> Text8Normalizer.normalize(failing, to)))
        .hasMessage("gone");
    assertThat(out).hasContent("old");
    assertFolderHolds(out);
  }

  private void assertFolderHolds(Path... files) throws IOException {
    try (Stream<Path> there = Files.list(folder)) {
      assertThat(there).containsExactlyInAnyOrder(files);
    }
  }
}
