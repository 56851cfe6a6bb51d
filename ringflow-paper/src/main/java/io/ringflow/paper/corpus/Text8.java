package io.ringflow.paper.corpus;

import io.ringflow.text.Text;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * text8: the first hundred million characters of a Wikipedia of 2006, in 27 symbols (section 4.5 of
 * the paper).
 *
 * <p>{@link Text8Normalizer} makes a text of the same kind of any other.
 */
public final class Text8 {
  private static final double SHARE = 0.05;

  private static final ZippedText PUBLISHED =
      new ZippedText(
          URI.create("https://mattmahoney.net/dc/text8.zip"),
          "a6640522afe85d1963ad56c05b0ede0a0c000dddc9671758a6cc09b7a38e5232",
          100_000_000,
          "text8",
          100_000_000,
          "3bea1919949baf155f99411df5fada7e",
          Duration.ofSeconds(30));

  private Text8() {}

  /**
   * Gets text8 from its author's site, 31 MB, and unpacks it, unless it is there: a file {@code
   * text8} of the right size is taken as it is, one of another size is replaced. Zip and text are
   * compared with known checksums; a failure leaves no file behind.
   *
   * @param folder where to put it; made if needed
   * @param progress told from time to time how far it is
   * @return the file {@code text8} in the folder
   * @throws io.ringflow.core.DataFormatException if the connection fails, or what came is not text8
   * @throws IOException if the disk refuses
   */
  public static Path download(Path folder, Consumer<String> progress)
      throws IOException, InterruptedException {
    return PUBLISHED.download(folder, progress);
  }

  /**
   * Reads text8, or another text of its symbols: the first 90 % to train on, the next 5 % for
   * validation, the last 5 % for the test, as in the paper.
   *
   * @throws io.ringflow.core.DataFormatException if the file is missing, empty, or has other
   *     symbols
   * @throws IOException if the disk refuses
   */
  public static Text.Split split(Path file) throws IOException {
    Text text =
        Text.read(
            file, Vocabulary.TEXT8, "; `ringflow normalize IN OUT` makes a text of those alone");
    return Text.Split.of(text, SHARE, SHARE);
  }
}
