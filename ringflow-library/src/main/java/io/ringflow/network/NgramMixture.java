package io.ringflow.network;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import java.util.List;

/**
 * Predictions by counted n-grams, mixed in the logistic domain with those of another network.
 *
 * <p>For every length of context from none to {@code order} symbols there are counts of what
 * followed it in the training data, smoothed by those of the next shorter one (absolute
 * discounting, Ney et al. 1994). The logits of a position are
 *
 * <pre>{@code
 * logits = network's + sum over lengths n of w_n * log p_n
 * }</pre>
 *
 * <p>with weights {@code w} that are learned: a set of them for each length of the longest context
 * that is known, how often it was seen and whether it was always followed by the same symbol, and
 * to these the network adds what it thinks of each length at this position. Where a position knows
 * symbols that come behind it, there are counts of what preceded these too. Where symbols are the
 * letters of words, what followed the word so far and the one before it is counted as well.
 *
 * <p>While training, the symbol to predict does not vouch for itself: it is left out of every count
 * (leaving one out). So the weights are those for text that is new, although the counts are of the
 * very text that the network trains on. The counts are set by {@code WarmStart.fitBase}, before
 * training.
 *
 * <p>Costs a look-up for each length of context, whatever the network costs, and memory of {@code
 * contexts} rows of 2 bytes a symbol for each side. Counting takes 18 bytes of Java's memory for
 * each symbol of the data; of more data than a third of that memory has room for, the first rows
 * are counted. Straight-through gradients pass the network alone.
 *
 * @param network whose logits are added; {@link LookupTable} with no neighbours for counts alone
 * @param order symbols of the longest contexts
 * @param contexts how many contexts have counts, the most frequent, on each side; those that were
 *     seen once never have; a third of them for words, where there are words
 * @param separators symbols that stand between words, ascending; none where there are no words
 */
@JsonTypeName("ngram-mixture")
public record NgramMixture(
    Network network,
    int order,
    int contexts,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> separators)
    implements Network {
  /** Longer contexts are hardly ever seen twice. */
  private static final int MAX_ORDER = 8;

  /** Memory of the counts on one side, unless somebody chooses. */
  private static final long MAX_BYTES = 1L << 29;

  /** A mixture without words. */
  public NgramMixture(Network network, int order, int contexts) {
    this(network, order, contexts, List.of());
  }

  /** A mixture as a file has it; separators are left out where there are none. */
  private static final class Stored {
    @JsonProperty Network network;
    @JsonProperty Integer order;
    @JsonProperty Integer contexts;
    @JsonProperty List<Integer> separators = List.of();
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  private static NgramMixture of(Stored stored) {
    return new NgramMixture(stored.network, stored.order, stored.contexts, stored.separators);
  }

  /** Checks the sizes. */
  public NgramMixture {
    Checks.atLeast("order", order, 0);
    Checks.atLeast("contexts", contexts, 1);
    separators = List.copyOf(separators);
    int before = -1;
    for (int separator : separators) {
      if (separator <= before) {
        throw new IllegalArgumentException(
            "separators must be ascending and at least 0, but are " + separators);
      }
      before = separator;
    }
  }

  /**
   * Contexts of up to eight symbols, as many as a text may have and 512 MB hold. The longer a text
   * is, the fewer of its contexts are new, so that half of that is enough for texts of medium
   * length.
   *
   * @param symbols of the alphabet
   * @param length of the text that will be counted
   */
  public static NgramMixture of(Network network, int symbols, long length) {
    long fitting = MAX_BYTES / (Short.BYTES * (symbols + 1L));
    long expected = Math.max(Math.min(length, fitting / 2), length / 2);
    long contexts = Math.max(1, Math.min(fitting, expected));
    return new NgramMixture(
        network, Math.min(MAX_ORDER, NgramTable.maxOrder(symbols)), Math.toIntExact(contexts));
  }

  /** The same n-grams beside another network. */
  public NgramMixture with(Network other) {
    return new NgramMixture(other, order, contexts, separators);
  }

  /**
   * The same with the words that symbols make up.
   *
   * @param between symbols that stand between words, ascending; none for a text without words
   */
  public NgramMixture withWords(List<Integer> between) {
    return new NgramMixture(network, order, contexts, between);
  }

  /** Not to be had: counts predict symbols, and what a layer moves is not sampled by them. */
  @Override
  public Conditioner bipartite(Space space, Mask mask, Space condition, int outputs) {
    throw new IllegalArgumentException(
        "a mixture with n-grams predicts the symbols of a base: in a layer, use its network alone");
  }

  @Override
  public CausalConditioner causal(Space space, Groups groups, Space condition, int outputs) {
    return new NgramMixtureCausal(this, space, groups, condition, outputs);
  }
}
