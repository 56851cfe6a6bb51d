package io.ringflow.internal.mixing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * What is remembered of the bits that followed a context, in one byte.
 *
 * <p>The first three bits are remembered as they came. After that a history is how many zeros and
 * ones there were, and which came last if there were both. Counts are bounded, the more tightly the
 * more there is of the other bit; and a bit that contradicts a long run shortens it, since a
 * context whose habits change is better predicted by what it did lately. What a history means for
 * the next bit is not computed from the counts but learned, by {@link AdaptiveProbabilities}.
 *
 * <p>States are numbered by how many bits they have seen; 0 has seen none.
 */
final class BitHistory {
  private static final int EXACT_BITS = 3;

  /** The largest count of one bit, by the count of the other. */
  private static final int[] MAX_COUNTS = {40, 30, 11, 7, 5, 5};

  private static final byte[] NEXT;
  private static final int[] START;

  /**
   * A state.
   *
   * @param order of the bits, behind a leading 1, while all are remembered; else the last bit if
   *     there were both
   */
  private record State(int zeros, int ones, boolean exact, int order) {
    State next(int bit) {
      if (exact && zeros + ones < EXACT_BITS) {
        return new State(zeros + 1 - bit, ones + bit, true, 2 * order + bit);
      }
      int same = (bit == 0 ? zeros : ones) + 1;
      int other = shortened(bit == 0 ? ones : zeros);
      while (Math.max(same, other) > MAX_COUNTS[Math.min(same, other)]) {
        if (same > other) {
          same--;
        } else {
          other--;
        }
      }
      boolean both = same > 0 && other > 0;
      return new State(bit == 0 ? same : other, bit == 0 ? other : same, false, both ? bit : 0);
    }

    private static int shortened(int count) {
      if (count <= 3) {
        return Math.min(count, 2);
      }
      return count > 25 ? 6 : count > 12 ? 5 : count > 6 ? 4 : 3;
    }

    int bits() {
      return zeros + ones;
    }
  }

  static {
    Map<State, List<State>> successors = new HashMap<>();
    List<State> states = new ArrayList<>();
    Queue<State> open = new ArrayDeque<>(List.of(new State(0, 0, true, 1)));
    while (!open.isEmpty()) {
      State state = open.remove();
      if (!successors.containsKey(state)) {
        successors.put(state, List.of(state.next(0), state.next(1)));
        states.add(state);
        open.addAll(successors.get(state));
      }
    }
    states.sort(Comparator.comparingInt(State::bits)); // stable: the same everywhere
    Map<State, Integer> numbers = new HashMap<>();
    states.forEach(state -> numbers.put(state, numbers.size()));
    NEXT = new byte[2 * states.size()];
    START = new int[256];
    Arrays.fill(START, Logistic.ONE / 2);
    for (int i = 0; i < states.size(); i++) {
      State state = states.get(i);
      NEXT[2 * i] = numbers.get(state.next(0)).byteValue();
      NEXT[2 * i + 1] = numbers.get(state.next(1)).byteValue();
      START[i] = (int) ((5L * state.ones + 2) * Logistic.ONE / (5L * state.bits() + 4));
    }
  }

  private BitHistory() {}

  /** How many states there are, at most 256. */
  static int count() {
    return NEXT.length / 2;
  }

  /** The state after one more bit; states of 128 and more are negative bytes. */
  static byte next(byte state, int bit) {
    return NEXT[2 * (state & 0xFF) + bit];
  }

  /** The probability of a one that a state has before anything is learned, of 16 bits. */
  static int start(int state) {
    return START[state];
  }
}
