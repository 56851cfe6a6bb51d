package io.ringflow.cli.report;

/**
 * The colour map viridis: dark to bright, evenly so to the eye, and safe for the colour-blind.
 *
 * <p>Interpolates linearly between nine of its colours; nobody sees the difference from the full
 * table.
 */
final class Viridis {
  private static final int[][] COLOURS = {
    {68, 1, 84},
    {71, 44, 122},
    {59, 81, 139},
    {44, 113, 142},
    {33, 144, 141},
    {39, 173, 129},
    {92, 200, 99},
    {170, 220, 50},
    {253, 231, 37}
  };

  private Viridis() {}

  /**
   * Returns {@code 0xRRGGBB} for a value in {@code [0, 1]}; values outside take the nearest end,
   * NaN grey.
   */
  static int rgb(double value) {
    if (Double.isNaN(value)) {
      return 0x808080;
    }
    double position = Math.max(0, Math.min(1, value)) * (COLOURS.length - 1);
    int below = Math.min((int) position, COLOURS.length - 2);
    double fraction = position - below;
    int rgb = 0;
    for (int channel = 0; channel < 3; channel++) {
      double level =
          COLOURS[below][channel] * (1 - fraction) + COLOURS[below + 1][channel] * fraction;
      rgb = rgb << 8 | (int) Math.round(level);
    }
    return rgb;
  }
}
