package io.ringflow.paper.experiment;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Transformer;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.AlphabetPairs;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The question the paper leaves open: large vocabularies. Two symbols out of 5,000, of which the
 * second depends on the first in a way that can only be learned by heart.
 *
 * <p>Nothing here has K x K entries: the network has a vector for each symbol at either end, and a
 * layer needs K logits for a symbol it moves. Every result is the exact cross entropy over all
 * pairs that occur. Training data is sampled anew for every step.
 */
final class AlphabetExperiment extends PaperExperiment {
  private static final int SYMBOLS = 5000;
  private static final int QUICK_SYMBOLS = 500;
  private static final int BATCH = 512;
  private static final int STEPS = 1500;
  private static final int QUICK_STEPS = 100;
  private static final int FULL_STEPS = 6000;
  private static final double RATE = 0.02;
  private static final int WIDTH = 64;
  private static final int REFIT_ROWS_PER_SYMBOL = 200;

  /** Of the data: the same whatever the models' seeds, so that all runs have the same floors. */
  static final long DATA_SEED = 1;

  private static final String FACTORISED = "factorised base";
  private static final String NEIGHBOURS = "neighbours";

  /** An alphabet in which a layer can afford a choice for every pair of symbols. */
  private static final int FEW_SYMBOLS = 12;

  /**
   * One kind of layer.
   *
   * @param name of the model with it
   * @param objective it learns by
   */
  private record Mover(String name, SymbolMap map, Objective objective) {}

  private static final Mover SORTING =
      new Mover("1 sorting layer", new Permute(), Objective.LAYERWISE_CROSS_ENTROPY);
  private static final Mover SHIFT =
      new Mover("1 shift layer", new Shift(), Objective.LAYERWISE_CROSS_ENTROPY);
  private static final Mover SINKHORN =
      new Mover("1 Sinkhorn layer", new Sinkhorn(), Objective.STRAIGHT_THROUGH);

  /**
   * One kind of data and the layers to try on it.
   *
   * @param name in front of the size of the alphabet
   */
  private record Task(String name, AlphabetPairs pairs, List<Mover> movers) {
    String setting() {
      return name + ", K=" + pairs.k();
    }

    Architecture factorised() {
      return Architecture.of(Space.uniform(2, pairs.k()), new FactorizedBase());
    }

    Architecture layered(Mover mover) {
      return factorised()
          .with(new Bipartite(Mask.even(2), new Transformer(WIDTH, 1, 1, WIDTH), mover.map));
    }
  }

  AlphabetExperiment() {
    super(
        "alphabet",
        "Pairs of symbols out of an alphabet of 5,000 (a question the paper leaves open)",
        1);
  }

  private static List<Task> tasks(Settings settings) {
    int k = settings.effort() == Effort.QUICK ? QUICK_SYMBOLS : SYMBOLS;
    AlphabetPairs few = AlphabetPairs.scattered(FEW_SYMBOLS, DATA_SEED);
    return List.of(
        new Task("scattered", AlphabetPairs.scattered(k, DATA_SEED), List.of(SORTING)),
        new Task(NEIGHBOURS, AlphabetPairs.neighbours(k, DATA_SEED), List.of(SHIFT)),
        new Task("scattered", few, List.of(SHIFT, SORTING, SINKHORN)));
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (Task task : tasks(settings)) {
      AlphabetPairs pairs = task.pairs;
      int refitRows = REFIT_ROWS_PER_SYMBOL * pairs.k();
      trials.add(
          new Trial(
              task.setting(),
              FACTORISED,
              seed,
              task.factorised(),
              null,
              () -> Batch.of(pairs.sample(refitRows, Batches.random(seed, 0))),
              model -> measure(model, pairs)));
      for (Mover mover : task.movers) {
        trials.add(
            new Trial(
                task.setting(),
                mover.name,
                seed,
                task.layered(mover),
                training(pairs, mover, seed, settings),
                null,
                model -> measure(model, pairs)));
      }
    }
    return trials;
  }

  private static Trial.Training training(
      AlphabetPairs pairs, Mover mover, long seed, Settings settings) {
    TrainingOptions options =
        TrainingOptions.builder(steps(pairs, settings.effort()))
            .learningRate(RATE)
            .objective(mover.objective)
            .temperature(Temperature.annealed(5, 0.1))
            .build();
    return new Trial.Training(
        options,
        Batches.sampled(BATCH + " pairs", seed, random -> Batch.of(pairs.sample(BATCH, random))));
  }

  private static int steps(AlphabetPairs pairs, Effort effort) {
    return switch (effort) {
      case QUICK -> pairs.k() == FEW_SYMBOLS ? QUICK_STEPS / 5 : QUICK_STEPS;
      case DEFAULT -> STEPS;
      case FULL -> FULL_STEPS;
    };
  }

  private static List<Trial.Measure> measure(FlowModel model, AlphabetPairs pairs) {
    double nll = pairs.crossEntropy(model.logProb(pairs.pairs()));
    double floor = pairs.entropy();
    return List.of(
        Trial.Measure.exact("nll", "nats", nll, floor, null),
        Trial.Measure.exact("above the floor", "%", 100 * (nll / floor - 1), null, null));
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) {
    List<Task> tasks = tasks(settings);
    List<Reference> references = new ArrayList<>();
    List<LineChart> charts = new ArrayList<>();
    for (Task task : tasks) {
      references.addAll(references(task));
      charts.add(
          learning(
              settings,
              finished,
              task.setting(),
              List.of(
                  new Level("factorised", task.pairs.factorised()),
                  new Level("entropy", task.pairs.entropy()))));
    }
    return new Outcome(
        Finished.results(finished), references, List.of(), charts, List.of(), notes(tasks.get(0)));
  }

  private static List<Reference> references(Task task) {
    double factorised = task.pairs.factorised();
    List<Reference> references = new ArrayList<>();
    references.add(new Reference(task.setting(), FACTORISED, factorised, factorised, ""));
    for (Mover mover : task.movers) {
      boolean reachesFloor = !mover.equals(SHIFT) || task.name.equals(NEIGHBOURS);
      Double optimum = reachesFloor ? task.pairs.entropy() : null;
      references.add(new Reference(task.setting(), mover.name, factorised, optimum, ""));
    }
    return references;
  }

  private static List<String> notes(Task scattered) {
    return List.of(
        "Every NLL is exact: the sum over all pairs that occur, four for each first symbol, not a sample's. The floor is"
            + " the data's own entropy, by formula.",
        "The first symbol follows Zipf's law. After it come four symbols, each half as likely as the one before:"
            + " scattered over the alphabet at random, or neighbours modulo K from a random one on. In both, what follows"
            + " one symbol tells nothing of what follows another, and must be learned by heart.",
        "The family optimum is the floor: sorting by the true probabilities, or shifting the likeliest symbol to 0 where"
            + " the others are its neighbours, makes the two symbols independent.",
        String.format(
            Locale.ROOT,
            "Scattered symbols are beyond a layer that only shifts: with every likeliest symbol at 0 it would be at %.3f"
                + " nats, compared with a floor of %.3f.",
            scattered.pairs.shifted(),
            scattered.pairs.entropy()),
        "Layers are trained as classifiers of the symbol they move, and the base learns beside them; but a Sinkhorn layer,"
            + " whose network has a logit for every pair of symbols, by straight-through gradients, its temperature"
            + " falling from 5 to 0.1.",
        "No other model has K x K weights: the network has a vector of 64 weights for each symbol it reads and each it"
            + " predicts.",
        "Steps, batch, width and learning rate were chosen on other data (an alphabet of 1,000, and of 5,000 sampled with"
            + " another seed) with seeds 101 and 102.");
  }
}
