package io.ringflow.base;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.network.Network;
import io.ringflow.spi.Distribution;

/**
 * One position after the other, each given those before it: the base of the paper's autoregressive
 * flows, and with no layers on top an ordinary autoregressive model.
 *
 * <p>Cost: {@code logProb} is one network call; {@code sample} takes D steps, each of one
 * position's work.
 *
 * @param order in which positions are visited
 * @param network sees earlier positions
 * @param logitBias added to the logit of symbol 0 at every position: gives layers a direction to
 *     learn in, see {@link FactorizedBase}; 0 for none
 */
@JsonTypeName("autoregressive")
public record AutoregressiveBase(Order order, Network network, double logitBias) implements Base {
  /** Without a bias. */
  public AutoregressiveBase(Order order, Network network) {
    this(order, network, 0);
  }

  /** Checks the bias. */
  public AutoregressiveBase {
    LogitBias.check(logitBias);
  }

  @Override
  public Distribution on(Space space, Space condition) {
    return new GroupedDistribution(Groups.singles(order), network, logitBias, space, condition);
  }

  @Override
  public PartSummary summary() {
    return new PartSummary("autoregressive", order.summary(), network.toString(), "");
  }
}
