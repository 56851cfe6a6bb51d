package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** A text of random letters and blanks, as long as the rows of text experiments need it. */
final class RandomLetters {
  private RandomLetters() {}

  /** Settings of a run on such a text, which is written into the run's folder. */
  static Settings settings(Path folder, long seed, Effort effort) throws IOException {
    var random = new SplittableRandom(1);
    var text = new StringBuilder();
    while (text.length() < 8000) { // 256 letters in 5 %
      text.append(random.nextInt(4) == 0 ? ' ' : (char) ('a' + random.nextInt(26)));
    }
    Path data = Files.writeString(folder.resolve("letters.txt"), text);
    return new Settings(folder, seed, 1, "cpu", effort, data, null, List.of());
  }
}
