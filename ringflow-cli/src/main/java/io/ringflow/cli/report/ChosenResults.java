package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of several runs, of which each row comes whole from one: of two runs with the same
 * row the better by {@link KeptRun#better}, so that seeds of different runs are never mixed.
 */
final class ChosenResults {
  /** What distinguishes rows. */
  private record Key(String experiment, String setting, String model, String metric) {
    static Key of(Result result) {
      return new Key(result.experiment(), result.setting(), result.model(), result.metric());
    }
  }

  private final Map<Key, KeptRun> sources = new LinkedHashMap<>();
  private final Map<Key, ModelRuns> rows = new LinkedHashMap<>();

  /**
   * Chooses.
   *
   * @param runs in the order they were named
   */
  ChosenResults(List<KeptRun> runs) {
    for (KeptRun run : runs) {
      Map<Key, List<Result>> own = new LinkedHashMap<>();
      for (Result result : run.results()) {
        own.computeIfAbsent(Key.of(result), key -> new ArrayList<>()).add(result);
      }
      own.forEach(
          (key, results) -> {
            KeptRun other = sources.get(key);
            if (other == null || KeptRun.better().compare(other, run) <= 0) {
              sources.put(key, run);
              rows.put(key, new ModelRuns(results));
            }
          });
    }
  }

  /** One entry for each row, in the order of the runs. */
  List<ModelRuns> rows() {
    return List.copyOf(rows.values());
  }

  /** The rows of an experiment. */
  List<ModelRuns> of(String experiment) {
    return rows.values().stream()
        .filter(row -> row.first().experiment().equals(experiment))
        .toList();
  }

  /** The run that a result was taken from. */
  KeptRun source(Result result) {
    return sources.get(Key.of(result));
  }

  /** What the run that a result was taken from compares its model with. */
  Optional<Reference> reference(Result result) {
    return source(result).references().stream()
        .filter(reference -> reference.setting().equals(result.setting()))
        .filter(reference -> reference.model().equals(result.model()))
        .findFirst();
  }

  Optional<ModelRuns> find(String experiment, String setting, String model, String metric) {
    return Optional.ofNullable(rows.get(new Key(experiment, setting, model, metric)));
  }
}
