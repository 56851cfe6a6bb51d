package io.ringflow.internal.engine;

import io.ringflow.layer.Rearrangement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which base symbols agree with chosen symbols at some data positions, for models whose layers only
 * rearrange positions.
 *
 * <p>Restricting every conditional distribution of the base to these symbols, and dividing by their
 * mass, makes a distribution of rows in which the chosen symbols are certain.
 */
public final class Constraint {
  private final boolean[][] allowed; // [base position][symbol]; null where all are

  private Constraint(boolean[][] allowed) {
    this.allowed = allowed;
  }

  /**
   * The constraint of chosen symbols.
   *
   * @param positions which data positions each base position stands for
   * @param chosen symbols by data position
   */
  public static Constraint of(Rearrangement positions, Map<Integer, Integer> chosen) {
    List<Integer> cardinalities = positions.baseSpace().cardinalities();
    boolean[][] allowed = new boolean[cardinalities.size()][];
    for (int p = 0; p < allowed.length; p++) {
      List<Integer> wanted = new ArrayList<>(); // of each digit; null where any will do
      for (Rearrangement.Digit digit : positions.digits().get(p)) {
        Integer symbol = chosen.get(digit.position());
        wanted.add(symbol == null ? null : Integer.valueOf(digit.ofSymbols()[symbol]));
      }
      if (wanted.stream().anyMatch(Objects::nonNull)) {
        allowed[p] = new boolean[cardinalities.get(p)];
        for (int k = 0; k < allowed[p].length; k++) {
          allowed[p][k] = agrees(wanted, positions.digits(p, k));
        }
      }
    }
    return new Constraint(allowed);
  }

  private static boolean agrees(List<Integer> wanted, int[] digits) {
    for (int i = 0; i < digits.length; i++) {
      if (wanted.get(i) != null && wanted.get(i) != digits[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether a base position is restricted at all. */
  public boolean restricts(int position) {
    return allowed[position] != null;
  }

  /** Whether a base position may have a symbol. */
  public boolean allows(int position, int symbol) {
    return allowed[position] == null || allowed[position][symbol];
  }

  /** The only symbol that a base position may have; -1 if there are several. */
  public int only(int position, int cardinality) {
    int found = -1;
    for (int k = 0; k < cardinality; k++) {
      if (allows(position, k)) {
        if (found >= 0) {
          return -1;
        }
        found = k;
      }
    }
    return found;
  }

  /**
   * Log-probabilities given that the symbol is an allowed one; minus infinity for the others.
   *
   * @param logProbs of many positions
   * @param from where those of this position begin
   */
  public double[] conditional(int position, double[] logProbs, int from, int cardinality) {
    double[] own = new double[cardinality];
    double mass = 0;
    int choices = 0;
    for (int k = 0; k < cardinality; k++) {
      if (allows(position, k)) {
        mass += Math.exp(logProbs[from + k]);
        choices++;
      }
    }
    for (int k = 0; k < cardinality; k++) {
      double possible = mass > 0 ? logProbs[from + k] - Math.log(mass) : -Math.log(choices);
      own[k] = allows(position, k) ? possible : Double.NEGATIVE_INFINITY;
    }
    return own;
  }
}
