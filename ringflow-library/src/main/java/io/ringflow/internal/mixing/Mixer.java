package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Adds log-odds with weights that a small context chooses, and learns the weights from the bits.
 *
 * <p>One step of gradient descent on the bits' code length: a weight grows by its input times the
 * error of the probability times a rate. A prediction that was nearly right teaches next to
 * nothing, and is passed over to save time.
 */
final class Mixer {
  private static final int ONE = 1 << 16;

  /** So that a product with the largest input fits in an int. */
  private static final int MAX_WEIGHT = (1 << 19) - 1;

  private static final int LEARNING_SHIFT = 18;
  private static final int HALF = 1 << (LEARNING_SHIFT - 1);

  private final int inputs;
  private int rate;
  private final int minError;
  private final int[] weights;
  private int at;
  private int probability;

  /**
   * Weights that are all the same.
   *
   * @param inputs how many, a multiple of four
   * @param contexts how many sets of weights
   * @param start of all weights, in units of 2^-16
   * @param rate of learning: 1 changes a weight by the error times the input, both around 1, times
   *     2^-10
   * @param minError of the probability, of 16 bits, that anything is learned from
   */
  Mixer(int inputs, int contexts, int start, int rate, int minError) {
    this(inputs, rate, minError, new int[inputs * contexts]);
    Arrays.fill(weights, start);
  }

  private Mixer(int inputs, int rate, int minError, int[] weights) {
    this.inputs = inputs;
    this.rate = rate;
    this.minError = minError;
    this.weights = weights;
  }

  Mixer copy() {
    return new Mixer(inputs, rate, minError, weights.clone());
  }

  /** Learns faster or slower from now on; 16 at most, so that products fit in an int. */
  void setRate(int rate) {
    this.rate = rate;
  }

  /** Returns the log-odds of a one, from those of the inputs. */
  int mix(int[] logOdds, int context) {
    at = context * inputs;
    int a = 0;
    int b = 0;
    int c = 0;
    int d = 0;
    for (int i = 0; i < inputs; i += 4) {
      a += (logOdds[i] * weights[at + i]) >> 8;
      b += (logOdds[i + 1] * weights[at + i + 1]) >> 8;
      c += (logOdds[i + 2] * weights[at + i + 2]) >> 8;
      d += (logOdds[i + 3] * weights[at + i + 3]) >> 8;
    }
    return mixed(a + b + c + d);
  }

  /**
   * Mixes the same inputs by three mixers, in one pass over them.
   *
   * @param contexts of the mixers
   * @param mixed set to what {@link #mix} of each would return
   */
  static void mixThree(int[] logOdds, Mixer[] mixers, int[] contexts, int[] mixed) {
    int count = logOdds.length;
    int[] first = mixers[0].weights;
    int[] second = mixers[1].weights;
    int[] third = mixers[2].weights;
    int i = contexts[0] * count;
    int j = contexts[1] * count;
    int k = contexts[2] * count;
    mixers[0].at = i;
    mixers[1].at = j;
    mixers[2].at = k;
    int a = 0;
    int b = 0;
    int c = 0;
    for (int at = 0; at < count; at++) {
      int input = logOdds[at];
      a += (input * first[i + at]) >> 8;
      b += (input * second[j + at]) >> 8;
      c += (input * third[k + at]) >> 8;
    }
    mixed[0] = mixers[0].mixed(a);
    mixed[1] = mixers[1].mixed(b);
    mixed[2] = mixers[2].mixed(c);
  }

  private int mixed(int sum) {
    int mixed = Logistic.clamp(sum >> 8);
    probability = Logistic.probability(mixed);
    return mixed;
  }

  /** Learns from the bit that came after {@link #mix} of the same inputs. */
  void update(int[] logOdds, int bit) {
    int step = step(bit, probability, rate, minError);
    if (step != 0) {
      learn(logOdds, step);
    }
  }

  /** What a weight learns from a bit, for an input of one; 0 for nothing. */
  static int step(int bit, int probability, int rate, int minError) {
    int error = bit * ONE - probability;
    return Math.abs(error) >= minError ? error * rate : 0;
  }

  private void learn(int[] logOdds, int step) {
    int first = at;
    for (int i = 0; i < inputs; i += 4) {
      learn(first + i, logOdds[i] * step);
      learn(first + i + 1, logOdds[i + 1] * step);
      learn(first + i + 2, logOdds[i + 2] * step);
      learn(first + i + 3, logOdds[i + 3] * step);
    }
  }

  private void learn(int index, int product) {
    weights[index] = learned(weights[index], product);
  }

  /** A weight after it has learned: by its input times {@link #step}. */
  static int learned(int weight, int product) {
    int moved = weight + ((product + HALF) >> LEARNING_SHIFT);
    return Math.max(-MAX_WEIGHT, Math.min(MAX_WEIGHT, moved));
  }

  void write(DataOutput out) throws IOException {
    ArrayCodec.write(weights, out);
  }

  void read(DataInput in) throws IOException {
    ArrayCodec.read(weights, in);
  }
}
