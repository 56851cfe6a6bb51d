package io.ringflow.train;

/** Muon in plain Java and float64, matrix by matrix. */
final class PlainMuon {
  private PlainMuon() {}

  /** The odd polynomial of Jordan et al. 2024, five times, on a matrix of Frobenius norm one. */
  static double[][] orthogonalized(double[][] matrix) {
    double square = 0;
    for (double[] row : matrix) {
      for (double element : row) {
        square += element * element;
      }
    }
    double[][] x = sum(1 / (Math.sqrt(square) + 1e-7), matrix, 0, matrix);
    for (int i = 0; i < 5; i++) {
      double[][] cubic = product(product(x, transposed(x)), x);
      double[][] quintic = product(product(x, transposed(x)), cubic);
      x = sum(1, sum(3.4445, x, -4.7750, cubic), 2.0315, quintic);
    }
    return x;
  }

  /** The matrix after a step, and its momentum, which this changes. */
  static double[][] step(
      double[][] matrix, double[][] gradient, double[][] momentum, double rate, double decay) {
    for (int r = 0; r < matrix.length; r++) {
      for (int c = 0; c < matrix[r].length; c++) {
        momentum[r][c] = 0.95 * momentum[r][c] + 0.05 * gradient[r][c];
      }
    }
    double[][] direction = orthogonalized(sum(0.05, gradient, 0.95, momentum));
    double scale = Math.sqrt(Math.max(1, (double) matrix.length / matrix[0].length));
    return sum(1 - rate * decay, matrix, -rate * scale, direction);
  }

  static double[][] transposed(double[][] matrix) {
    double[][] result = new double[matrix[0].length][matrix.length];
    for (int r = 0; r < matrix.length; r++) {
      for (int c = 0; c < matrix[r].length; c++) {
        result[c][r] = matrix[r][c];
      }
    }
    return result;
  }

  private static double[][] product(double[][] left, double[][] right) {
    double[][] result = new double[left.length][right[0].length];
    for (int r = 0; r < left.length; r++) {
      for (int i = 0; i < right.length; i++) {
        for (int c = 0; c < right[i].length; c++) {
          result[r][c] += left[r][i] * right[i][c];
        }
      }
    }
    return result;
  }

  private static double[][] sum(double a, double[][] one, double b, double[][] other) {
    double[][] result = new double[one.length][one[0].length];
    for (int r = 0; r < one.length; r++) {
      for (int c = 0; c < one[r].length; c++) {
        result[r][c] = a * one[r][c] + b * other[r][c];
      }
    }
    return result;
  }
}
