package io.ringflow.table;

import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.layer.Rearrangement;
import io.ringflow.model.FlowModel;
import io.ringflow.table.TableModel.Explanation;
import io.ringflow.table.TableModel.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes the log-likelihoods of rows apart, by the columns that are sampled together. */
final class RowExplanations {
  private final FlowModel flow;
  private final TableCodec codec;

  RowExplanations(FlowModel flow, TableCodec codec) {
    this.flow = flow;
    this.codec = codec;
  }

  /**
   * The parts of rows.
   *
   * @param scores of the rows
   */
  List<Explanation> of(TableCodec.Encoded rows, double[] scores) {
    var conditionals = new Conditionals(EngineAccess.of(flow));
    List<List<Integer>> sources = informative(flow.architecture().positions());
    List<Map<List<String>, Double>> parts = new ArrayList<>();
    for (int row = 0; row < scores.length; row++) {
      parts.add(new LinkedHashMap<>());
    }
    conditionals.visit(
        rows.symbols(),
        (row, turn, symbol, logProbs, from) -> {
          double nats = logProbs[from + symbol];
          List<Integer> columns = sources.get(conditionals.position(turn));
          if (!columns.isEmpty()
              && columns.stream().noneMatch(rows.unseen(row)::contains)
              && !rows.missing(row).containsAll(columns)) {
            parts.get(row).merge(names(columns), nats, Double::sum); // of a column in two parts
          }
        });
    List<Explanation> result = new ArrayList<>();
    for (int row = 0; row < scores.length; row++) {
      List<Integer> unseen = rows.unseen(row);
      List<Part> own =
          parts.get(row).entrySet().stream()
              .map(entry -> new Part(entry.getKey(), entry.getValue()))
              .sorted(Comparator.comparingDouble(Part::nats))
              .toList();
      result.add(new Explanation(scores[row], names(unseen), own));
    }
    return result;
  }

  /** The columns of each base position, without the constant ones, which have nothing to say. */
  private static List<List<Integer>> informative(Rearrangement positions) {
    return positions.sources().stream()
        .map(own -> own.stream().filter(d -> positions.dataSpace().cardinality(d) > 1).toList())
        .toList();
  }

  private List<String> names(List<Integer> columns) {
    return columns.stream().map(column -> codec.columns().get(column).name()).toList();
  }
}
