package io.ringflow.paper.harness;

import io.ringflow.core.Device;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Outcome.Series;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What a trial left. Its model is on disk.
 *
 * @param trial what ran
 * @param results its results
 * @param curve training loss over steps, named after the model; null where nothing was trained
 * @param seconds at each point of the curve, the preparation's included; null where nothing was
 *     trained
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Finished(Trial trial, List<Result> results, Series curve, double[] seconds) {
  /** Copies the list. */
  public Finished {
    results = List.copyOf(results);
  }

  /** The results of several trials, in their order. */
  public static List<Result> results(List<Finished> trials) {
    return trials.stream().flatMap(finished -> finished.results.stream()).toList();
  }

  /** How long its training took, what it started from included. */
  public double trainingSeconds() {
    return results.isEmpty() ? 0 : results.get(0).seconds();
  }

  /**
   * Reads the model that a trial left in the run folder, in this run or in an earlier part of it;
   * to be closed by the caller.
   *
   * @return empty where none has finished it
   */
  public static Optional<FlowModel> findModel(Experiment.Settings settings, Trial trial)
      throws IOException {
    return TrialFiles.isFinished(settings.out(), trial)
        ? Optional.of(
            FlowModel.load(TrialFiles.model(settings.out(), trial), Device.of(settings.device())))
        : Optional.empty();
  }

  /** Reads the model, to be closed by the caller. */
  public FlowModel load(Experiment.Settings settings) throws IOException {
    return FlowModel.load(TrialFiles.model(settings.out(), trial), Device.of(settings.device()));
  }
}
