package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Experiment.Settings;

/** The text of 27 letters that several experiments learn from, wherever the user has it. */
final class LettersCorpus {
  /** What to name as data. */
  static final String HELP =
      "a text of a-z and spaces: text8 (ringflow download text8), or any text after ringflow"
          + " normalize";

  private final LastCorpus corpus = new LastCorpus();

  /** The text in rows of a length. */
  TextData get(Settings settings, int length) {
    return corpus.get(
        settings.data() + " " + length, () -> TextData.text8(settings.data(), length));
  }

  /** Names the data: a figure on another text is not one of text8. */
  static String setting(Settings settings, int length) {
    String file = settings.data().getFileName().toString().replaceFirst("[.][^.]*$", "");
    return file + ", length " + length;
  }
}
