package io.ringflow.internal.natives;

import java.util.List;
import java.util.Map;
import java.util.Scanner;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * How many threads OpenBLAS has, beside those of libtorch.
 *
 * <p>The two know nothing of each other. Attention multiplies small matrices in each of libtorch's
 * threads, and where OpenBLAS cuts these products up again, its threads and those that wait for
 * them take the cores from each other, above all where other programs run beside. One thread for a
 * product is slower than two on idle cores, and does not collapse on busy ones. On more cores large
 * products gain too much by threads to go without.
 */
public final class BlasThreads {
  /** So many cores are few: those of a product would only be in the way of libtorch's. */
  private static final int FEW_CORES = 2;

  /** What OpenBLAS reads its number from: the first that has one. */
  private static final List<String> VARIABLES =
      List.of("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS");

  private static int most;

  private BlasThreads() {}

  /** Chooses their number once, when OpenBLAS has been loaded. */
  static void choose() {
    int cores = Runtime.getRuntime().availableProcessors();
    most = chosen(openblas_nolapack.blas_get_num_threads(), cores, System.getenv());
    openblas_nolapack.blas_set_num_threads(most);
  }

  /**
   * The number to begin with: the program's, that of the environment, or ours.
   *
   * @param set by the program through the binding; -1 where it set none
   */
  static int chosen(int set, int cores, Map<String, String> environment) {
    if (set > 0) {
      return set;
    }
    return VARIABLES.stream()
        .mapToInt(variable -> leadingNumber(environment.getOrDefault(variable, "")))
        .filter(threads -> threads > 0)
        .map(threads -> Math.min(threads, cores))
        .findFirst()
        .orElse(cores <= FEW_CORES ? 1 : cores);
  }

  /** As OpenBLAS reads: "4" and "4,2" are 4, and what is no number is 0. */
  private static int leadingNumber(String text) {
    var digits = new Scanner(text).useDelimiter("\\D");
    return digits.hasNextInt() ? digits.nextInt() : 0;
  }

  /** Lets products take this share of the cores from now on, in the whole process. */
  public static void share(int cores) {
    NativeLibraries.load();
    openblas_nolapack.blas_set_num_threads(Math.min(cores, most));
  }
}
