package io.ringflow.paper.experiment;

import java.util.function.Supplier;

/** Keeps the last corpus that was loaded: a run asks for its own several times. */
final class LastCorpus {
  private String key;
  private TextData data;

  /**
   * The corpus of a key, loaded only if the last one was another.
   *
   * @param of names file and form
   */
  synchronized TextData get(String of, Supplier<TextData> load) {
    if (!of.equals(key)) {
      data = load.get();
      key = of;
    }
    return data;
  }
}
