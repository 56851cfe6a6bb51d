package io.ringflow.internal.mixing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** Texts with something to learn: words of a small vocabulary, the next often told by the last. */
public final class WordText {
  private static final List<String> WORDS =
      List.of("ring", "flow", "Ringe", "fl\u00fcsse", "der", "the", "of", "exact", "42", "token");

  private WordText() {}

  /** The bytes of some words. */
  public static byte[] of(int words, long seed) {
    var random = new SplittableRandom(seed);
    var text = new StringBuilder();
    int last = 0;
    for (int i = 0; i < words; i++) {
      last = random.nextInt(3) == 0 ? random.nextInt(WORDS.size()) : (last * 7 + 3) % WORDS.size();
      text.append(WORDS.get(last)).append(random.nextInt(9) == 0 ? ".\n" : " ");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
