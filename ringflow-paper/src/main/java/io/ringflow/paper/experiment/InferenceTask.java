package io.ringflow.paper.experiment;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Order;
import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.Inference;
import io.ringflow.infer.InferenceOptions;
import io.ringflow.infer.InferredModel;
import io.ringflow.infer.Symmetry;
import io.ringflow.infer.WeightedSamples;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Inverse;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.Trial.Measure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

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
 * @param architecture of the model; null for the one that suits the target
 */
record InferenceTask(
    String setting,
    String model,
    FactorGraph graph,
    Symmetry symmetry,
    int passes,
    InferenceOptions options,
    long steps,
    Architecture architecture) {
  static final String GAP = "gap of the bound";
  static final String BOUND = "bound";
  static final String LOG_Z = "log Z";
  static final String ESS = "ESS/M";
  static final String PASSES = "passes";

  static final String SHIFTED_ALIKE = "shifted alike";

  private static final int SHIFTED = 5000;
  private static final int INVERSE_LAYERS = 4;
  private static final int INVERSE_UNITS = 64;
  private static final double INVERSE_RATE = 0.1;
  private static final double INVERSE_ANNEALED = 0.4;

  /** The paper's way, as tables name it. */
  static final String INVERSE = "inverse flow, " + INVERSE_LAYERS + " layers";

  /** What readers must know of it. */
  static final String INVERSE_NOTE =
      "An inverse flow is what the paper announces: layers whose networks read what they have made so"
          + " far, so that a sample takes one call of each, over a factorised base. They learn by"
          + " straight-through gradients of the target's weight, without a symmetry, which they can't"
          + " be trained with. How many of its samples the layers shift alike is measured too: where"
          + " all are, the model is its factorised base.";

  /** Of the architecture that suits the target. */
  InferenceTask(
      String setting,
      String model,
      FactorGraph graph,
      Symmetry symmetry,
      int passes,
      InferenceOptions options,
      long steps) {
    this(setting, model, graph, symmetry, passes, options, steps, null);
  }

  /**
   * The same target and as many steps the way that the paper announces: inverse autoregressive
   * layers over a factorised base, which learn by straight-through gradients.
   *
   * @param batch samples of a step
   */
  InferenceTask inverse(int batch) {
    Architecture layers = Architecture.of(graph.space(), new FactorizedBase());
    int size = graph.space().size();
    for (int i = 0; i < INVERSE_LAYERS; i++) {
      Order order = i % 2 == 0 ? Order.natural(size) : Order.reversed(size);
      layers =
          layers.with(
              new Inverse(new Autoregressive(order, new Made(INVERSE_UNITS, 1), new Shift())));
    }
    return new InferenceTask(
        setting,
        INVERSE,
        graph,
        Symmetry.NONE,
        INVERSE_LAYERS,
        new InferenceOptions(batch, INVERSE_RATE, INVERSE_ANNEALED, 1),
        steps,
        layers);
  }

  /**
   * What is measured of an inverse flow's layers: which share of samples they shift alike. Where it
   * is 1 they do nothing, and the model is as good as its factorised base.
   */
  List<Measure> ofLayers(FlowModel flow, long seed) {
    if (architecture == null) {
      return List.of();
    }
    int[][] rows = flow.sample(SHIFTED, seed);
    int[][] base = flow.encode(rows);
    Map<List<Integer>, Integer> shifts = new HashMap<>();
    for (int i = 0; i < rows.length; i++) {
      List<Integer> shift = new ArrayList<>();
      for (int d = 0; d < rows[i].length; d++) {
        shift.add(Math.floorMod(rows[i][d] - base[i][d], graph.space().cardinality(d)));
      }
      shifts.merge(shift, 1, Integer::sum);
    }
    double share = (double) Collections.max(shifts.values()) / rows.length;
    return List.of(Measure.exact(SHIFTED_ALIKE, "", share, null, null));
  }

  /** The trial that trains it and measures by a number of samples of the model. */
  Trial trial(long seed, int samples, Function<WeightedSamples, List<Measure>> measurement) {
    return trial(
        seed,
        flow ->
            Stream.concat(
                    measurement.apply(inferred(flow).draw(samples, seed)).stream(),
                    ofLayers(flow, seed).stream())
                .toList());
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
    Inference inference = Inference.of(graph).symmetry(symmetry).steps(steps).seed(seed);
    if (architecture == null) {
      inference.passes(passes);
    } else {
      inference.architecture(architecture);
    }
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
