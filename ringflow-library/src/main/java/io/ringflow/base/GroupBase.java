package io.ringflow.base;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Groups;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.network.Network;
import io.ringflow.spi.Distribution;

/**
 * Groups of positions one after the other, each in one pass given those before it: between a
 * factorised base, which is one group, and an autoregressive one, whose groups are of one position.
 *
 * <p>Cost: {@code logProb} is one network call; {@code sample} takes as many passes as there are
 * groups, each of its group's work alone.
 *
 * @param groups which positions are sampled together
 * @param network sees earlier groups
 */
@JsonTypeName("group")
public record GroupBase(Groups groups, Network network) implements Base {
  @Override
  public Distribution on(Space space, Space condition) {
    return new GroupedDistribution(groups, network, 0, space, condition);
  }

  @Override
  public PartSummary summary() {
    return groups.areSingles()
        ? new AutoregressiveBase(groups.order(), network).summary()
        : new PartSummary(
            "group",
            groups.positions() + " in " + groups.count() + " groups",
            network.toString(),
            "");
  }
}
