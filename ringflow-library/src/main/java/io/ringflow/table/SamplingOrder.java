package io.ringflow.table;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.model.Architecture;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * In which order a table's model samples columns, and which earlier ones each was counted to depend
 * on. The model's network sees all earlier columns; these it looks up directly.
 *
 * @param turns in the order of sampling
 */
public record SamplingOrder(List<Turn> turns) {
  /**
   * Columns that are one symbol to the model.
   *
   * @param pass in which they are sampled, from 1; columns of one pass do not see each other
   * @param columns positions in the codec
   * @param parents positions of earlier columns that are looked up directly; may be none
   */
  public record Turn(int pass, List<Integer> columns, List<Integer> parents) {}

  /** Copies the list. */
  public SamplingOrder {
    turns = List.copyOf(turns);
  }

  /** The order of a model; all in one pass where layers move symbols. */
  public static SamplingOrder of(TableModel model) {
    Architecture architecture = model.flow().architecture();
    List<List<Integer>> sources = architecture.positions().sources();
    Base base = architecture.base();
    if (base instanceof GroupBase group) {
      return of(group.groups(), group.network(), sources);
    }
    if (base instanceof AutoregressiveBase one) {
      return of(Groups.singles(one.order()), one.network(), sources);
    }
    return new SamplingOrder(sources.stream().map(own -> new Turn(1, own, List.of())).toList());
  }

  private static SamplingOrder of(Groups groups, Network network, List<List<Integer>> sources) {
    List<Turn> turns = new ArrayList<>();
    for (int pass = 0; pass < groups.count(); pass++) {
      for (int position : groups.groups().get(pass)) {
        turns.add(new Turn(pass + 1, sources.get(position), parents(network, position, sources)));
      }
    }
    return new SamplingOrder(turns);
  }

  private static List<Integer> parents(Network network, int position, List<List<Integer>> sources) {
    if (!(network instanceof Made made) || position >= made.direct().size()) {
      return List.of();
    }
    return made.direct().get(position).stream()
        .flatMap(List::stream)
        .distinct()
        .flatMap(parent -> sources.get(parent).stream())
        .toList();
  }

  /** All positions in the order of sampling. */
  public List<Integer> positions() {
    return turns.stream().flatMap(turn -> turn.columns().stream()).toList();
  }

  /** The number of passes of the network. */
  public int passes() {
    return IntStream.concat(IntStream.of(0), turns.stream().mapToInt(Turn::pass)).max().orElse(0);
  }
}
