package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Experiment;
import java.util.List;

/** The list of all experiments, in the order people should meet them. */
public final class Experiments {
  private Experiments() {}

  /** Returns one of each; names are distinct. */
  public static List<Experiment> all() {
    return List.of(
        new ReceptiveFieldsExperiment(),
        new XorExperiment(),
        new RingExperiment(),
        new FullRankExperiment(),
        new FullRankSigns(),
        new AdditionExperiment(),
        new PottsExperiment(),
        new AlphabetExperiment(),
        new PtbExperiment(),
        new Text8Experiment(),
        new AblationExperiment(),
        new PassesExperiment(),
        new PassesAblation(),
        new TablesExperiment(),
        new GhzExperiment(),
        new IsingExperiment(),
        new SkExperiment(),
        new BayesExperiment());
  }
}
