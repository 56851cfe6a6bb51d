package io.ringflow.cli.report;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A text whose figures come from the runs: {@code ${EXPERIMENT|SETTING|MODEL|METRIC|PART}} stands
 * for a part of that row, such as its mean.
 *
 * <p>A placeholder that no run fills is an error: a figure in the text is one that was measured.
 */
final class SummaryTemplate {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

  private static final Map<String, Function<ModelRuns, String>> PARTS =
      Map.of(
          "mean", row -> row.shown(row.mean()),
          "worst", row -> row.shown(row.highest()),
          "lowest", row -> row.shown(row.lowest()),
          "floor", row -> row.shown(row.floor()),
          "above", row -> row.shown(row.aboveFloor()),
          "worst-above", row -> row.shown(row.worstAboveFloor()),
          "paper", row -> row.first().paper() == null ? "" : row.shown(row.first().paper()),
          "seconds", row -> Numbers.fixed(row.seconds(), 0),
          "seeds", ModelRuns::seeds);

  private final Path file;
  private final ChosenResults results;

  SummaryTemplate(Path file, ChosenResults results) {
    this.file = file;
    this.results = results;
  }

  /**
   * The text with every placeholder filled.
   *
   * @throws DataFormatException naming the first placeholder that can't be
   */
  String filled() throws IOException {
    var text = new StringBuilder();
    Matcher found = PLACEHOLDER.matcher(Files.readString(file));
    while (found.find()) {
      found.appendReplacement(text, Matcher.quoteReplacement(value(found.group())));
    }
    return found.appendTail(text).toString();
  }

  private String value(String placeholder) throws DataFormatException {
    String[] words = placeholder.substring(2, placeholder.length() - 1).split("\\|", -1);
    if (words.length != 5) {
      throw new DataFormatException(
          file, placeholder + " must be ${EXPERIMENT|SETTING|MODEL|METRIC|PART}");
    }
    ModelRuns row =
        results
            .find(words[0], words[1], words[2], words[3])
            .orElseThrow(() -> new DataFormatException(file, noSuch(placeholder, words)));
    Function<ModelRuns, String> part = PARTS.get(words[4]);
    if (part == null) {
      throw new DataFormatException(
          file,
          "%s: no such part: %s; there are %s"
              .formatted(
                  placeholder,
                  words[4],
                  PARTS.keySet().stream().sorted().collect(Collectors.joining(", "))));
    }
    String value = part.apply(row);
    if (value.isEmpty()) {
      throw new DataFormatException(file, placeholder + ": the row has no " + words[4]);
    }
    return value;
  }

  /** Says which part of the name is wrong, and what there is. */
  private String noSuch(String placeholder, String[] words) {
    List<Function<ModelRuns, String>> names =
        List.of(
            row -> row.first().experiment(),
            row -> row.first().setting(),
            row -> row.first().model(),
            row -> row.first().metric());
    List<String> kinds = List.of("experiment", "setting", "model", "metric");
    List<ModelRuns> left = results.rows();
    for (int i = 0; i < names.size(); i++) {
      Function<ModelRuns, String> name = names.get(i);
      String wanted = words[i];
      List<ModelRuns> matching =
          left.stream().filter(row -> name.apply(row).equals(wanted)).toList();
      if (matching.isEmpty()) {
        return "%s: no finished run has the %s '%s'; there are: %s"
            .formatted(
                placeholder,
                kinds.get(i),
                wanted,
                left.stream().map(name).distinct().collect(Collectors.joining("; ")));
      }
      left = matching;
    }
    throw new AssertionError(placeholder); // every part was found, so the row is there
  }
}
