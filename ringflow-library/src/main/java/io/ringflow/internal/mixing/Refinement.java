package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Corrects a probability by what came of such probabilities in the same small context before.
 *
 * <p>For each context a curve through 24 points of log-odds, read by linear interpolation; the
 * nearest point moves towards the bit that came.
 */
final class Refinement {
  private static final int POINTS = 24;
  private static final int STEP_BITS = 8;
  private static final int STEP = 1 << STEP_BITS;
  private static final int ORIGIN = POINTS / 2 * STEP;
  private static final int RATE_BITS = 7;

  private final char[] curves;
  private int nearest;

  Refinement(int contexts) {
    curves = new char[contexts * POINTS];
    for (int i = 0; i < POINTS; i++) {
      curves[i] = (char) Logistic.probability(Logistic.clamp(i * STEP - ORIGIN));
    }
    for (int done = POINTS; done < curves.length; done *= 2) {
      System.arraycopy(curves, 0, curves, done, Math.min(done, curves.length - done));
    }
  }

  private Refinement(char[] curves) {
    this.curves = curves;
  }

  Refinement copy() {
    return new Refinement(curves.clone());
  }

  /** Returns the corrected probability of log-odds, of 16 bits. */
  int refine(int logOdds, int context) {
    int x = Math.min(logOdds + ORIGIN, (POINTS - 1) * STEP - 1);
    int left = context * POINTS + (x >> STEP_BITS);
    int part = x & (STEP - 1);
    nearest = left + (part >> (STEP_BITS - 1));
    return (curves[left] * (STEP - part) + curves[left + 1] * part) >> STEP_BITS;
  }

  /** Learns from the bit that came after {@link #refine}. */
  void update(int bit) {
    int error = bit * (Logistic.ONE - 1) - curves[nearest];
    // Towards zero, so that a point neither leaves its range nor creeps down.
    curves[nearest] += (char) (error / (1 << RATE_BITS));
  }

  void write(DataOutput out) throws IOException {
    ArrayCodec.write(curves, out);
  }

  void read(DataInput in) throws IOException {
    ArrayCodec.read(curves, in);
  }
}
