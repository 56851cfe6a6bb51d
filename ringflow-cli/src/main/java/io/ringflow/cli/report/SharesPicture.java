package io.ringflow.cli.report;

import io.ringflow.table.ColumnComparison.Value;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Draws how often values are there in real rows, and how often in samples. */
final class SharesPicture {
  private static final int WIDTH = 400;
  private static final int MAX_BARS = 9;
  private static final int MAX_LABEL = 16;
  private static final int MAX_TICK = 12;
  private static final String BETWEEN = " to ";

  // Bars to the right, of named values.
  private static final int LABELS = 118;
  private static final int PERCENTS = 42;
  private static final int ROW = 26;
  private static final int BAR = 10;

  // Steps upwards, of ordered values.
  private static final int LEFT = 52; // six characters and a gap
  private static final int TOP = 8;
  private static final int HEIGHT = 150;
  private static final int TICKS = 24;
  private static final int MAX_ALL_TICKS = 9;

  private SharesPicture() {}

  /** Returns a pair of bars for each value; of many values the first ones, the others together. */
  static String bars(String title, List<Value> values) {
    List<Value> shown = shown(values);
    double most = most(shown);
    var svg = new Svg(WIDTH, ROW * shown.size(), title);
    double unit = (WIDTH - LABELS - PERCENTS) / most;
    for (int i = 0; i < shown.size(); i++) {
      Value value = shown.get(i);
      double y = ROW * i + 2;
      svg.text("end", LABELS - 8, y + 14, ShownText.of(value.text(), MAX_LABEL));
      bar(svg, "real", y, value.real() * unit, value, value.real());
      bar(svg, "sampled", y + BAR, value.sampled() * unit, value, value.sampled());
    }
    return svg.markup();
  }

  private static void bar(
      Svg svg, String cssClass, double y, double length, Value value, double share) {
    svg.bar(cssClass, 1, LABELS, y, length, BAR, tip(value))
        .text("tiny", LABELS + length + 5, y + BAR - 1.5, percent(share));
  }

  private static List<Value> shown(List<Value> values) {
    if (values.size() <= MAX_BARS) {
      return values;
    }
    List<Value> rest = values.subList(MAX_BARS - 1, values.size());
    Value others =
        new Value(
            rest.size() + " others",
            rest.stream().mapToDouble(Value::real).sum(),
            rest.stream().mapToDouble(Value::sampled).sum());
    return Stream.concat(values.stream().limit(MAX_BARS - 1), Stream.of(others)).toList();
  }

  /** Returns real rows as an area of steps, samples as a line of steps, from left to right. */
  static String steps(String title, List<Value> values) {
    double most = most(values);
    double step = (WIDTH - LEFT - 4.0) / values.size();
    var svg = new Svg(WIDTH, TOP + HEIGHT + TICKS, title);
    for (double level : new double[] {0, 0.5, 1}) {
      double y = y(level);
      svg.line("grid", LEFT, y, WIDTH - 4, y)
          .text("soft end", LEFT - 6, y + 4, percent(level * most));
    }
    svg.path("real", outline(values, Value::real, most, step))
        .path("sampled", outline(values, Value::sampled, most, step));
    for (int i = 0; i < values.size(); i++) {
      svg.bar("tip", 1, LEFT + step * i, TOP, step, HEIGHT, tip(values.get(i)));
    }
    ticks(svg, values, step);
    return svg.markup();
  }

  /** From the ground up, along all values and down again. */
  private static double[] outline(
      List<Value> values, ToDoubleFunction<Value> share, double most, double step) {
    DoubleStream.Builder points = DoubleStream.builder();
    points.add(LEFT).add(y(0));
    for (int i = 0; i < values.size(); i++) {
      double height = y(share.applyAsDouble(values.get(i)) / most);
      points.add(LEFT + step * i).add(height).add(LEFT + step * (i + 1)).add(height);
    }
    return points.add(LEFT + step * values.size()).add(y(0)).build().toArray();
  }

  private static double y(double share) {
    return TOP + HEIGHT * (1 - share);
  }

  /** Names the first value, the last one and some between them. */
  private static void ticks(Svg svg, List<Value> values, double step) {
    int count = values.size() <= MAX_ALL_TICKS ? values.size() : 5;
    for (int tick = 0; tick < count; tick++) {
      int i = count == 1 ? 0 : Math.round((values.size() - 1f) * tick / (count - 1));
      boolean first = tick == 0 && values.size() > count;
      boolean last = tick == count - 1 && values.size() > count;
      double x = first ? LEFT : last ? WIDTH - 4 : LEFT + step * (i + 0.5);
      svg.text(
          first ? "soft" : last ? "soft end" : "soft middle",
          x,
          TOP + HEIGHT + 17,
          ShownText.of(number(values.get(i).text(), last), MAX_TICK));
    }
  }

  /** Of numbers such as {@code 17 to 21} the smallest, or the largest. */
  private static String number(String text, boolean largest) {
    int between = text.indexOf(BETWEEN);
    if (between < 0) {
      return text;
    }
    return largest ? text.substring(between + BETWEEN.length()) : text.substring(0, between);
  }

  private static double most(List<Value> values) {
    return values.stream()
        .mapToDouble(value -> Math.max(value.real(), value.sampled()))
        .reduce(1e-9, Math::max);
  }

  private static String tip(Value value) {
    return ShownText.of(value.text(), 60)
        + ": real "
        + percent(value.real())
        + ", sampled "
        + percent(value.sampled());
  }

  /** Such as {@code 42 %}, {@code 4.2 %}, {@code 0.42 %}. */
  static String percent(double share) {
    double percent = 100 * share;
    int decimals = percent == 0 || percent >= 9.95 ? 0 : percent >= 0.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f %%", percent);
  }
}
