package io.ringflow.cli.report;

/**
 * The colour map viridis: dark to bright, evenly so to the eye, and safe for the colour-blind.
 *
 * <p>Interpolates linearly between nine of its colours; nobody sees the difference from the full
 * table.
 */
final class Viridis {
  private static final int[] COLOURS = {
    0x440154, 0x472c7a, 0x3b518b, 0x2c718e, 0x21908d, 0x27ad81, 0x5cc863, 0xaadc32, 0xfde725
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
    for (int shift = 16; shift >= 0; shift -= 8) {
      int low = COLOURS[below] >> shift & 0xff;
      int high = COLOURS[below + 1] >> shift & 0xff;
      rgb = rgb << 8 | (int) Math.round(low * (1 - fraction) + high * fraction);
    }
    return rgb;
  }
}
