package io.ringflow.base;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.network.Network;
import io.ringflow.spi.Distribution;

/**
 * Independent positions, each with its own categorical distribution: the base of the paper's
 * bipartite flows.
 *
 * <p>Without a network it starts uniform, ignores the condition, and can be set in closed form to
 * the marginals of the data as the layers see it, which is the best it can be. With one, the
 * positions are independent given the condition. Cost: at most one network call either way.
 *
 * @param network sees the condition, and no position; null for free logits
 * @param logitBias added to the logit of symbol 0 at every position. Under a flat base every move
 *     costs the same, and layers have no direction to learn in where the data's marginals are flat;
 *     a bias gives them one. 0 for none
 */
@JsonTypeName("factorized")
public record FactorizedBase(Network network, double logitBias) implements Base {
  /** Free logits that start flat. */
  public FactorizedBase() {
    this(null, 0);
  }

  /** Positions that are independent given the condition. */
  public FactorizedBase(Network network) {
    this(network, 0);
  }

  /** Checks the bias. */
  public FactorizedBase {
    LogitBias.check(logitBias);
  }

  @Override
  public Distribution on(Space space, Space condition) {
    LogitBias bias = new LogitBias(logitBias, space.maxCardinality(), 0);
    return network == null
        ? new MarginalDistribution(space, bias)
        : new ConditionalMarginals(network, space, condition, bias);
  }

  @Override
  public PartSummary summary() {
    return new PartSummary("factorised", "all", network == null ? "" : network.toString(), "");
  }
}
