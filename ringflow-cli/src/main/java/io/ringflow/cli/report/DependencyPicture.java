package io.ringflow.cli.report;

import io.ringflow.table.ColumnDependencies;
import io.ringflow.table.ColumnDependencies.Node;
import io.ringflow.table.PairComparison;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** Draws what columns know of each other. */
final class DependencyPicture {
  private static final int WIDTH = 600;
  private static final int MAX_NAME = 18;
  private static final int LABELS = 126;

  /** A cell below this would be no different from the page. */
  private static final double MIN_SHARE = 0.005;

  /** The difference that is drawn in full colour. */
  private static final double FULL_DIFFERENCE = 0.2;

  private static final double MAX_CELL = 56;
  private static final double MIN_LABELLED = 9;

  private static final int ROW = 20;
  private static final int MAX_INDENT = 22;
  private static final int TREE = 400;

  private static final int SQUARE = 190;

  private DependencyPicture() {}

  /** What is in a cell of a matrix. */
  @FunctionalInterface
  private interface Cell {
    /** From -1, in the colour of real rows, to 1, in that of samples. */
    double of(int row, int column);
  }

  /** Returns a matrix with real rows below the diagonal, samples above it. */
  static String matrix(String title, ColumnDependencies real, ColumnDependencies sampled) {
    return matrix(
        title,
        sampled,
        1,
        (row, column) -> row > column ? -real.share(row, column) : sampled.share(row, column));
  }

  /** Returns a matrix of samples minus real rows. */
  static String difference(String title, ColumnDependencies real, ColumnDependencies sampled) {
    return matrix(
        title,
        sampled,
        FULL_DIFFERENCE,
        (row, column) -> sampled.share(row, column) - real.share(row, column));
  }

  /** Returns a matrix of samples alone. */
  static String matrix(String title, ColumnDependencies sampled) {
    return matrix(title, sampled, 1, sampled::share);
  }

  private static String matrix(String title, ColumnDependencies names, double full, Cell cells) {
    int size = names.columns().size();
    double cell = Math.min(MAX_CELL, (WIDTH - LABELS) / (double) size);
    boolean labelled = cell >= MIN_LABELLED;
    double left = labelled ? LABELS : (WIDTH - cell * size) / 2;
    var svg = new Svg(WIDTH, cell * size + 2, title);
    svg.bar("field", left, 0, cell * size, cell * size);
    for (int i = 0; i < size; i++) {
      String name = ShownText.of(names.columns().get(i), MAX_NAME);
      if (labelled) {
        svg.text(cell < 12 ? "tiny end" : "end", left - 6, cell * (i + 0.5) + 4, name);
      }
      for (int j = 0; j < size; j++) {
        double value = i == j ? 0 : cells.of(i, j);
        if (i == j) {
          svg.bar("grid", left + cell * j, cell * i, cell, cell);
        } else if (Math.abs(value) >= MIN_SHARE * full) {
          svg.bar(
              value < 0 ? "real" : "sampled",
              Math.min(1, Math.abs(value) / full),
              left + cell * j,
              cell * i,
              cell,
              cell,
              String.format(
                  Locale.ROOT,
                  "%s, %s: %s",
                  name,
                  ShownText.of(names.columns().get(j), MAX_NAME),
                  full < 1
                      ? String.format(Locale.ROOT, "%+.1f %%", 100 * value)
                      : SharesPicture.percent(Math.abs(value))));
        }
      }
    }
    return svg.markup();
  }

  /** Returns the tree of the strongest dependencies, a line for each column. */
  static String tree(String title, ColumnDependencies of) {
    List<Node> nodes = of.tree();
    int depth = nodes.stream().mapToInt(Node::depth).max().orElse(0);
    double most = nodes.stream().mapToDouble(Node::nats).max().orElse(1);
    double indent = Math.min(MAX_INDENT, (TREE - 170.0) / Math.max(1, depth));
    var svg = new Svg(WIDTH, ROW * nodes.size() + 4, title);
    int[] last = new int[depth + 1]; // the row of the last column at each depth
    for (int row = 0; row < nodes.size(); row++) {
      Node node = nodes.get(row);
      double x = 4 + indent * node.depth();
      double y = ROW * row + 12;
      last[node.depth()] = row;
      if (node.depth() > 0) {
        double trunk = x - indent + 3;
        svg.line("branch", trunk, ROW * last[node.depth() - 1] + 18, trunk, y)
            .line("branch", trunk, y, x - 2, y)
            .bar(
                "sampled",
                TREE,
                y - 5,
                node.nats() / Math.max(1e-9, most) * (WIDTH - TREE - 60),
                10)
            .text(
                "soft",
                TREE + node.nats() / Math.max(1e-9, most) * (WIDTH - TREE - 60) + 6,
                y + 4,
                Numbers.fixed(node.nats(), 2));
      }
      svg.text("", x, y + 4, ShownText.of(of.columns().get(node.column()), 2 * MAX_NAME));
    }
    return svg.markup();
  }

  /**
   * Returns two heatmaps side by side, the first column to the right, the second upwards.
   *
   * @param maxFirst how many values of the first column are drawn at most
   * @param maxSecond how many of the second
   */
  static String pair(PairComparison pair, int maxFirst, int maxSecond) {
    double[][] real = corner(pair.real(), maxFirst, maxSecond);
    double[][] sampled = corner(pair.sampled(), maxFirst, maxSecond);
    double most =
        Stream.of(real, sampled)
            .flatMap(Arrays::stream)
            .flatMapToDouble(Arrays::stream)
            .reduce(1e-9, Math::max);
    return new Svg(2 * SQUARE + 20, SQUARE + 22, pair.first() + " and " + pair.second())
        .pixels(png(real, most), 0, 0, SQUARE, SQUARE)
        .pixels(png(sampled, most), SQUARE + 20, 0, SQUARE, SQUARE)
        .text("soft middle", SQUARE / 2.0, SQUARE + 17, "real")
        .text("soft middle", 1.5 * SQUARE + 20, SQUARE + 17, "sampled")
        .markup();
  }

  private static double[][] corner(double[][] shares, int width, int height) {
    return Arrays.stream(shares)
        .limit(width)
        .map(line -> Arrays.copyOf(line, Math.min(height, line.length)))
        .toArray(double[][]::new);
  }

  /** The square root shows what is rare too. */
  private static byte[] png(double[][] shares, double most) {
    int height = shares[0].length;
    var image = new BufferedImage(shares.length, height, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < shares.length; x++) {
      for (int y = 0; y < height; y++) {
        image.setRGB(x, height - 1 - y, Viridis.rgb(Math.sqrt(shares[x][y] / most)));
      }
    }
    var bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never, in memory
    }
    return bytes.toByteArray();
  }
}
