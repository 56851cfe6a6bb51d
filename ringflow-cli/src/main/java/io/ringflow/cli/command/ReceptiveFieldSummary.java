package io.ringflow.cli.command;

import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import io.ringflow.model.ReceptiveField;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How many symbols of the data each symbol of the base depends on, through the layers.
 *
 * @param field what was found
 */
record ReceptiveFieldSummary(ReceptiveField field) {
  /** A source that two rows do not show is one that hardly ever matters. */
  private static final int TRIED_ROWS = 2;

  /** Symbols to send through layers with networks without being asked to. */
  private static final long FEW_SYMBOLS = 1 << 18;

  /** Whether the field can be found in a moment. */
  static boolean isQuick(FlowModel model) {
    Space space = model.architecture().space();
    long variants = space.cardinalities().stream().mapToLong(k -> k - 1).sum();
    return model.parameterCounts().keySet().stream().noneMatch(name -> name.startsWith("layers."))
        || variants * space.size() <= FEW_SYMBOLS;
  }

  /** Finds the field by changing one symbol of the data at a time. */
  static ReceptiveFieldSummary of(FlowModel model) {
    int condition = model.architecture().condition().size();
    if (condition == 0) {
      return new ReceptiveFieldSummary(ReceptiveField.of(model, model.sample(TRIED_ROWS, 1)));
    }
    int[][] zeros = new int[TRIED_ROWS][condition];
    return new ReceptiveFieldSummary(ReceptiveField.of(model, model.sample(zeros, 1), zeros));
  }

  /** Such as {@code 1 to 4 symbols of the data, the median 2}. */
  String line() {
    int[] sizes = field.sources().stream().mapToInt(List::size).sorted().toArray();
    int min = sizes[0];
    int max = sizes[sizes.length - 1];
    String range = min == max ? "" + min : min + " to " + max;
    return range
        + (max == 1 ? " symbol" : " symbols")
        + " of the data"
        + (min == max ? "" : ", the median " + sizes[sizes.length / 2]);
  }

  /** A line for each position of the base. */
  List<String> lines(IntFunction<String> name) {
    return IntStream.range(0, field.sources().size())
        .mapToObj(
            base ->
                "  "
                    + base
                    + " <- "
                    + field.sources().get(base).stream()
                        .map(name::apply)
                        .collect(Collectors.joining(", ")))
        .toList();
  }
}
