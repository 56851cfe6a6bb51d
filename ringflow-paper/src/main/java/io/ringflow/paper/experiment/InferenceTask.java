package io.ringflow.paper.experiment;

import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.Inference;
import io.ringflow.infer.InferenceOptions;
import io.ringflow.infer.InferredModel;
import io.ringflow.infer.Symmetry;
import io.ringflow.infer.WeightedSamples;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.Trial.Measure;
import java.util.List;
import java.util.function.Function;

/**
 * A target whose log Z is known exactly, and the model that learns it from its own samples.
 *
 * @param setting as in {@link Trial}
 * @param model as in {@link Trial}
 * @param graph the target
 * @param symmetry that is divided out
 * @param passes network calls that sampling takes
 * @param options of the training; null for those that suit the model
 * @param steps of the training
 */
record InferenceTask(
    String setting,
    String model,
    FactorGraph graph,
    Symmetry symmetry,
    int passes,
    InferenceOptions options,
    long steps) {
  static final String GAP = "gap of the bound";
  static final String BOUND = "bound";
  static final String LOG_Z = "log Z";
  static final String ESS = "ESS/M";
  static final String PASSES = "passes";

  /** The trial that trains it and measures by a number of samples of the model. */
  Trial trial(long seed, int samples, Function<WeightedSamples, List<Measure>> measurement) {
    return trial(seed, flow -> measurement.apply(inferred(flow).draw(samples, seed)));
  }

  /** The trial that trains it and measures it in a way of its own. */
  Trial trial(long seed, Trial.Measurement measurement) {
    Inference inference = inference(seed);
    return new Trial(
        setting,
        model,
        seed,
        inference.architecture(),
        Trial.Training.onOwnSamples(
            inference.trainingOptions(),
            inference.options() + ", seed " + seed,
            inference::batches),
        null,
        measurement);
  }

  /** Whether a trial is of this, with whatever seed. */
  boolean names(Trial trial) {
    return trial.setting().equals(setting) && trial.model().equals(model);
  }

  private Inference inference(long seed) {
    Inference inference =
        Inference.of(graph).symmetry(symmetry).passes(passes).steps(steps).seed(seed);
    return options == null ? inference : inference.options(options);
  }

  /** A trained model beside the target; the flow stays borrowed. */
  InferredModel inferred(FlowModel flow) {
    return new InferredModel(flow, graph, symmetry);
  }

  /**
   * What every model is measured by.
   *
   * @param exact log Z, which the bound is below: the floor of the gap is 0
   */
  List<Measure> measures(WeightedSamples samples, double exact) {
    var bound = samples.bound();
    var logZ = samples.logZ();
    return List.of(
        Measure.estimated(
            GAP, "nats", new Estimate(exact - bound.value(), bound.standardError()), 0.0, null),
        new Measure(BOUND, "nats", bound.value(), bound.standardError(), null, null),
        new Measure(LOG_Z, "nats", logZ.value(), logZ.standardError(), null, null),
        Measure.exact(ESS, "", samples.ess(), null, null),
        Measure.exact(PASSES, PASSES, passes, null, null));
  }
}
