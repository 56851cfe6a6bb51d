package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Experiment.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Loads the corpus that the user named, and keeps the last one: a run asks for it several times.
 */
final class TextCorpus {
  /** What to name as a text of 27 letters. */
  static final String LETTERS_HELP =
      "a text of a-z and spaces: text8 (ringflow download text8), or any text after ringflow"
          + " normalize";

  private final Loader loader;
  private String key;
  private TextData data;

  TextCorpus(Loader loader) {
    this.loader = loader;
  }

  /** Reads a corpus. */
  @FunctionalInterface
  interface Loader {
    /**
     * Reads a corpus.
     *
     * @param length of a row, where the corpus leaves it open
     */
    TextData load(Path path, int length) throws IOException;
  }

  synchronized TextData get(Settings settings, int length) {
    String wanted = settings.data() + " " + length;
    if (!wanted.equals(key)) {
      try {
        data = loader.load(settings.data(), length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      key = wanted;
    }
    return data;
  }
}
