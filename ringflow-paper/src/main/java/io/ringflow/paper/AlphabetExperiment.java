package io.ringflow.paper;

import io.ringflow.Architecture;
import io.ringflow.Bipartite;
import io.ringflow.FactorizedBase;
import io.ringflow.FlowModel;
import io.ringflow.Mask;
import io.ringflow.Permute;
import io.ringflow.Shift;
import io.ringflow.Space;
import io.ringflow.SymbolMap;
import io.ringflow.network.Transformer;
import io.ringflow.paper.Outcome.LineChart;
import io.ringflow.paper.Outcome.Reference;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Objective;
import io.ringflow.train.TrainingOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The question the paper leaves open: large vocabularies. Two symbols out of 5,000, of which the
 * second depends on the first in a way that can only be learned by heart.
 *
 * <p>Nothing here has K x K entries: the network has a vector for each symbol at either end, and a
 * layer needs K numbers for a symbol it moves. Every figure is the exact cross entropy over all
 * pairs that occur. Training data is drawn afresh for every step.
 */
final class AlphabetExperiment implements Experiment {
  private static final String NAME = "alphabet";
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

  /**
   * One kind of data and the layer that can make its symbols independent.
   *
   * @param name in front of the size of the alphabet
   * @param flow what the model with the layer is called
   */
  private record Task(String name, String flow, AlphabetPairs pairs, SymbolMap map) {
    String setting() {
      return name + ", K=" + pairs.k();
    }

    Architecture factorised() {
      return Architecture.of(Space.uniform(2, pairs.k()), new FactorizedBase());
    }

    Architecture layered() {
      return factorised()
          .with(new Bipartite(Mask.even(2), new Transformer(WIDTH, 1, 1, WIDTH), map));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Pairs of symbols out of an alphabet of 5,000 (a question the paper leaves open)";
  }

  private static List<Task> tasks(Settings settings) {
    int k = settings.effort() == Effort.QUICK ? QUICK_SYMBOLS : SYMBOLS;
    return List.of(
        new Task(
            "scattered", "1 sorting layer", AlphabetPairs.scattered(k, DATA_SEED), new Permute()),
        new Task(
            "neighbours", "1 shift layer", AlphabetPairs.neighbours(k, DATA_SEED), new Shift()));
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
      trials.add(
          new Trial(
              task.setting(),
              task.flow,
              seed,
              task.layered(),
              training(pairs, seed, settings),
              null,
              model -> measure(model, pairs)));
    }
    return trials;
  }

  private static Trial.Training training(AlphabetPairs pairs, long seed, Settings settings) {
    TrainingOptions options =
        TrainingOptions.builder(steps(settings.effort()))
            .learningRate(RATE)
            .objective(Objective.ALIGNED)
            .build();
    return new Trial.Training(
        options,
        Batches.drawn(BATCH + " pairs", seed, random -> Batch.of(pairs.sample(BATCH, random))));
  }

  private static int steps(Effort effort) {
    return switch (effort) {
      case QUICK -> QUICK_STEPS;
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
    return new Outcome(
        Finished.results(finished),
        tasks.stream().flatMap(task -> references(task).stream()).toList(),
        List.of(),
        tasks.stream().map(task -> learning(task, settings, finished)).toList(),
        List.of(),
        notes(tasks.get(0)));
  }

  private static List<Reference> references(Task task) {
    double factorised = task.pairs.factorised();
    return List.of(
        new Reference(task.setting(), FACTORISED, factorised, factorised, ""),
        new Reference(task.setting(), task.flow, factorised, task.pairs.entropy(), ""));
  }

  private static LineChart learning(Task task, Settings settings, List<Finished> finished) {
    Map<String, Double> levels = new LinkedHashMap<>();
    levels.put("factorised", task.pairs.factorised());
    levels.put("entropy", task.pairs.entropy());
    return CurveChart.of(
        NAME + "-" + task.name,
        "Training loss, " + task.name + ", first seed",
        finished,
        settings.seed(),
        task.setting(),
        levels);
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
                + " nats, against a floor of %.3f.",
            scattered.pairs.shifted(),
            scattered.pairs.entropy()),
        "Layers are trained as classifiers of the symbol they move, and the base learns beside them; straight-through"
            + " gradients are not used.",
        "No model has K x K numbers: the network has a vector of 64 numbers for each symbol it reads and each it"
            + " predicts.",
        "Steps, batch, width and learning rate were chosen on other data (an alphabet of 1,000, and of 5,000 drawn from"
            + " another seed) with seeds 101 and 102.");
  }
}
