package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import java.util.List;

/**
 * A perceptron for packed symbols, with weights masked as those of {@link Made}. It reads the
 * digits of a symbol, and its logits are log-linear in the digits of the symbol that they are of: a
 * sum of main effects, of interactions of two digits, of three, and so on.
 *
 * <p>A packed symbol of eight bits has 256 values. Where each has an input and a logit of its own,
 * a network must meet every one of them often. Here a bit that pulls another along is one
 * coefficient.
 *
 * @param hidden units of the hidden layer; they are spread over the groups
 * @param digits how many values each digit of a symbol has, as {@code Pack} has them: the first
 *     counts most
 * @param order how many digits interact at most; with all of them, a group of one symbol can have
 *     any distribution
 * @param direct for each position, others whose digits add to its coefficients directly, past the
 *     hidden units, where it may see them; so what neighbours do to each other is learned fast.
 *     Empty for none
 */
@JsonTypeName("log-linear-made")
public record LogLinearMade(int hidden, List<Integer> digits, int order, List<List<Integer>> direct)
    implements Network {
  /** The most values that a symbol may have: each coefficient has a weight for all of them. */
  private static final int MAX_VALUES = 4096;

  /** Without direct coefficients. */
  public LogLinearMade(int hidden, List<Integer> digits, int order) {
    this(hidden, digits, order, List.of());
  }

  /** Checks the sizes and copies the lists. */
  public LogLinearMade {
    Checks.atLeast("hidden", hidden, 1);
    digits = List.copyOf(digits);
    direct = direct.stream().map(List::copyOf).toList();
    for (List<Integer> others : direct) {
      for (int other : others) {
        if (other < 0 || other >= direct.size()) {
          throw new IllegalArgumentException(
              "direct must name positions from 0 to "
                  + (direct.size() - 1)
                  + ", but names "
                  + other);
        }
      }
    }
    if (order < 1 || order > digits.size()) {
      throw new IllegalArgumentException(
          "order must be from 1 to the " + digits.size() + " digits, but is " + order);
    }
    long values = 1;
    for (int digit : digits) {
      Checks.atLeast("digits", digit, 2);
      values *= digit;
      if (values > MAX_VALUES) {
        throw new IllegalArgumentException(
            "digits must make at most " + MAX_VALUES + " values, but make more: " + digits);
      }
    }
  }

  /** How many values a symbol has. */
  int values() {
    return digits.stream().mapToInt(Integer::intValue).reduce(1, (a, b) -> a * b);
  }

  /** Not to be had: no layer moves packed symbols by their digits. */
  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
    throw new IllegalArgumentException(
        "a log-linear network predicts symbols, and does not say how to move them: use Made");
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
    if (!space.isUniform() || space.maxCardinality() != values()) {
      throw new IllegalArgumentException(
          "digits " + digits + " make " + values() + " values, but the space is " + space);
    }
    if (!direct.isEmpty() && direct.size() != space.size()) {
      throw new IllegalArgumentException(
          "direct is of " + direct.size() + " positions, but the space has " + space.size());
    }
    if (width != values()) {
      throw new IllegalArgumentException(
          "a log-linear network has a logit for each of "
              + values()
              + " symbols, but is asked for "
              + width);
    }
    return new LogLinearConditioner(this, groups, condition);
  }
}
