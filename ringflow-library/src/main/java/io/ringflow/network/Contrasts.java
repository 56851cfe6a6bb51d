package io.ringflow.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Functions of the digits of a number in mixed radix, in which any function of it is a sum: main
 * effects of a digit, and interactions, which are products of these.
 *
 * <p>A digit of k values has k - 1 main effects, Helmert's contrasts: how it differs from all below
 * it. All functions have mean 0 and variance 1 over all numbers, and are uncorrelated.
 */
final class Contrasts {
  private Contrasts() {}

  /**
   * The values of all such functions, function by function.
   *
   * @param digits how many values each digit has, the first counts most
   * @param order how many digits interact at most
   */
  static List<double[]> of(List<Integer> digits, int order) {
    List<double[]> functions = new ArrayList<>();
    int numbers = digits.stream().mapToInt(Integer::intValue).reduce(1, (a, b) -> a * b);
    // A number's digits say which contrast of each digit is a factor; 0 for none.
    for (int function = 1; function < numbers; function++) {
      int[] factors = digits(function, digits);
      if (Arrays.stream(factors).filter(factor -> factor > 0).count() <= order) {
        double[] values = new double[numbers];
        for (int number = 0; number < numbers; number++) {
          values[number] = product(factors, digits(number, digits), digits);
        }
        functions.add(values);
      }
    }
    return functions;
  }

  /** The values of functions number by number: what {@link #of} gives, transposed. */
  static double[] byNumber(List<double[]> functions, int numbers) {
    int count = functions.size();
    double[] values = new double[numbers * count];
    Arrays.setAll(values, i -> functions.get(i % count)[i / count]);
    return values;
  }

  private static double product(int[] factors, int[] number, List<Integer> digits) {
    double product = 1;
    for (int i = 0; i < factors.length; i++) {
      product *= factors[i] == 0 ? 1 : helmert(digits.get(i), factors[i], number[i]);
    }
    return product;
  }

  /** How a value differs from those below a level: alike below it, opposite at it, 0 above. */
  private static double helmert(int values, int level, int value) {
    double scale = Math.sqrt(values / (level * (level + 1.0)));
    return value > level ? 0 : value == level ? -level * scale : scale;
  }

  private static int[] digits(int number, List<Integer> digits) {
    int[] result = new int[digits.size()];
    int rest = number;
    for (int i = result.length - 1; i >= 0; i--) {
      result[i] = rest % digits.get(i);
      rest /= digits.get(i);
    }
    return result;
  }
}
