package io.ringflow.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** All permutations of a few symbols, for looking through them one by one. */
public final class Permutations {
  private Permutations() {}

  /** Of the greatest value; where several are, the first in the order of the dictionary. */
  public static <T extends Comparable<T>> int[] best(int size, Function<int[], T> value) {
    int[] best = null;
    T greatest = null;
    for (int[] permutation : all(size)) {
      T found = value.apply(permutation);
      if (best == null || found.compareTo(greatest) > 0) {
        best = permutation;
        greatest = found;
      }
    }
    return best;
  }

  /** Of the greatest total weight {@code [symbol][image]}, summed in doubles. */
  public static int[] best(double[][] weights) {
    return best(
        weights.length,
        permutation -> {
          double total = 0;
          for (int i = 0; i < permutation.length; i++) {
            total += weights[i][permutation[i]];
          }
          return total;
        });
  }

  /** In the order of the dictionary. */
  public static List<int[]> all(int size) {
    List<int[]> found = new ArrayList<>();
    extend(new int[size], 0, new boolean[size], found);
    return found;
  }

  private static void extend(int[] images, int length, boolean[] taken, List<int[]> found) {
    if (length == images.length) {
      found.add(images.clone());
      return;
    }
    for (int image = 0; image < images.length; image++) {
      if (!taken[image]) {
        taken[image] = true;
        images[length] = image;
        extend(images, length + 1, taken, found);
        taken[image] = false;
      }
    }
  }
}
