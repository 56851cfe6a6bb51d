package io.ringflow.infer;

import io.ringflow.core.Device;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.core.Torus;
import io.ringflow.internal.checks.Checks;
import io.ringflow.internal.engine.TrainingMemory;
import io.ringflow.layer.Chain;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * Trains a flow to be like a target that is known up to a constant (variational inference).
 *
 * <pre>{@code
 * FactorGraph graph = FactorGraph.read(Path.of("asia.bif")).given(Map.of("xray", "yes"));
 * try (InferredModel posterior = Inference.of(graph).time(Duration.ofMinutes(1)).train()) {
 *   WeightedSamples samples = posterior.draw(10_000, 1);
 *   System.out.println(samples.logZ() + ", ESS/M " + samples.ess());
 * }
 * }</pre>
 *
 * <p>The model learns from its own samples alone: {@link InferenceOptions} says how. Use from one
 * thread.
 */
public final class Inference {
  private static final int WARMUP = 50;
  private static final double MINIMUM_RATE = 0.01;
  private static final int LOG_EVERY = 20;
  private static final int CHECKPOINT_EVERY = 200;

  private final Space space;
  private final Target target;
  private final Target softened;
  private final Symmetry found;
  private IntFunction<Architecture> byPasses;
  private int suitedPasses;
  private Architecture architecture;
  private int passes; // 0 for those that suit the target
  private Symmetry symmetry; // null for the one found, where the model can be trained with it
  private InferenceOptions options; // null for those that suit the architecture
  private Device device = Device.CPU;
  private long seed = 1;
  private long steps = 2000;
  private Duration time;
  private double patience;
  private InferenceListener listener = progress -> {};
  private Path checkpoints;

  private Inference(
      Space space,
      Target target,
      Target softened,
      Symmetry found,
      int suitedPasses,
      IntFunction<Architecture> byPasses) {
    this.space = space;
    this.target = target;
    this.softened = softened;
    this.found = found;
    this.byPasses = byPasses;
    this.suitedPasses = suitedPasses;
  }

  /** Of a target of which nothing is known but what it says of rows. */
  public static Inference of(Space space, Target target) {
    return new Inference(
        space,
        target,
        target,
        Symmetry.NONE,
        space.size(),
        passes -> InferenceNetwork.of(space, passes));
  }

  /** Of a graph, whose factors tell which positions to look at. */
  public static Inference of(FactorGraph graph) {
    return new Inference(
        graph.space(),
        graph,
        graph.softened(VariationalBatches.IMPOSSIBLE),
        Symmetry.ofSymbols(graph),
        InferenceNetwork.passes(graph),
        passes -> InferenceNetwork.of(graph, passes));
  }

  /**
   * How many network calls a sample takes. Unless set, one for each position; of a graph that is
   * the same everywhere, such as a lattice on a torus, so many that more would gain little. Fewer
   * are faster, and lose what positions of one call know of each other.
   */
  public Inference passes(int count) {
    Checks.inRange("passes", count, 1, space.size());
    passes = count;
    return this;
  }

  /**
   * Says that the target is the same everywhere on a torus, whose positions are those of rows: they
   * then share what they learn. Of a graph it is found without being said.
   */
  public Inference torus(Torus torus) {
    if (torus.size() != space.size() || !space.isUniform()) {
      throw new IllegalArgumentException(
          "positions of a torus of sides "
              + torus.sides()
              + " must be those of the space, and alike, but the space is "
              + space);
    }
    byPasses = chosen -> InferenceNetwork.of(space, torus, chosen);
    suitedPasses = InferenceNetwork.passes(torus);
    return this;
  }

  /** The model to train, unconditional; made for the target unless set. */
  public Inference architecture(Architecture chosen) {
    if (!chosen.space().equals(space) || chosen.condition().size() > 0) {
      throw new IllegalArgumentException(
          "the architecture must be unconditional and of the target's space, " + space);
    }
    architecture = chosen;
    return this;
  }

  /**
   * What leaves the target's weights as they are. Unless set, the permutations of the symbols of a
   * graph, where {@link Symmetry#ofSymbols(FactorGraph)} finds that they do.
   */
  public Inference symmetry(Symmetry group) {
    symmetry = group;
    return this;
  }

  /**
   * How to train; unless set, {@link InferenceOptions#DEFAULT}, or {@link
   * InferenceOptions#FOR_TABLES} where the model is made of tables.
   */
  public Inference options(InferenceOptions chosen) {
    options = chosen;
    return this;
  }

  /** Where to compute; on the CPU unless set. */
  public Inference device(Device chosen) {
    device = chosen;
    return this;
  }

  /** Of the initial weights and the samples; 1 unless set. */
  public Inference seed(long number) {
    seed = number;
    return this;
  }

  /** How many steps to train; 2000 unless set. */
  public Inference steps(long count) {
    Checks.atLeast("steps", count, 1);
    steps = count;
    time = null;
    return this;
  }

  /** How long to train, instead of a number of steps. */
  public Inference time(Duration budget) {
    time = budget;
    return this;
  }

  /**
   * Stops early, when the bound has not grown beyond its error for some share of the training; the
   * target is no longer annealed then, and forward divergence has begun unless nearly every sample
   * counts already. Never unless set: all steps are done, or all the time is taken.
   *
   * @param share 0 for never, less than 1
   */
  public Inference patience(double share) {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException(
          "patience must be at least 0 and below 1, but is " + share);
    }
    patience = share;
    return this;
  }

  /** Who hears how it goes; nobody unless set. */
  public Inference listener(InferenceListener heard) {
    listener = heard;
    return this;
  }

  /** Where to write checkpoints, and to resume from the one that is there; nowhere unless set. */
  public Inference checkpoints(Path folder) {
    checkpoints = folder;
    return this;
  }

  /**
   * Trains a model. An interrupt of the thread ends training after the step at hand; the model is
   * what was learned until then, and the thread stays interrupted.
   *
   * @return the model, to be closed
   * @throws IllegalArgumentException if no row of a graph is possible because of a single factor,
   *     or the model's weights outgrow the memory
   * @throws IllegalStateException if the target answers by something else than logarithms, or holds
   *     all rows of the first step for impossible
   * @throws IOException if a checkpoint can't be read or written
   */
  public InferredModel train() throws IOException {
    if (target instanceof FactorGraph graph) {
      graph.requirePossible();
    }
    Architecture chosen = architecture();
    TrainingMemory.check(chosen.space(), chosen.layers(), chosen.base());
    FlowModel flow = FlowModel.create(chosen, device, seed);
    try {
      InferredModel model = inferred(flow);
      VariationalBatches batches = batches(model);
      TrainingOptions training = trainingOptions();
      BoundPlateau plateau = new BoundPlateau(options(), isPathwise(), patience);
      Trainer trainer =
          new Trainer(flow, training)
              .until(plateau::isReached)
              .listener(reporting(batches, training, plateau));
      if (checkpoints != null) {
        trainer.checkpoints(checkpoints);
      }
      trainer.train(batches);
      return model;
    } catch (IOException | RuntimeException | Error e) {
      flow.close();
      throw e;
    }
  }

  /** Whether the layers learn by gradients from base to data, because they are inverse ones. */
  private boolean isPathwise() {
    Architecture chosen = architecture();
    boolean pathwise =
        chosen.movesSymbols()
            && new Chain(chosen.layers()).trainableBy().contains(Objective.PATHWISE);
    if (pathwise && symmetry != null && symmetry.size() > 1) {
      throw new IllegalArgumentException("inverse layers can't be trained with a symmetry");
    }
    return pathwise;
  }

  /** What {@link #train} makes a model of: the architecture set, or the one for the passes set. */
  public Architecture architecture() {
    return architecture != null
        ? architecture
        : byPasses.apply(passes == 0 ? suitedPasses : passes);
  }

  /** How {@link #train} trains: the options set, or those that suit the architecture. */
  public InferenceOptions options() {
    return options == null ? InferenceNetwork.options(architecture()) : options;
  }

  /**
   * What {@link #train} trains a model on, for a {@link Trainer} of one's own: samples of the
   * model, weighted. Asked for from the thread that trains.
   *
   * @param flow of {@link #architecture()}; borrowed
   */
  public Batches batches(FlowModel flow) {
    return batches(inferred(flow));
  }

  private VariationalBatches batches(InferredModel model) {
    return new VariationalBatches(model, softened, options(), seed, isPathwise());
  }

  /**
   * A model of {@link #architecture()} beside the target, made symmetric; closing it closes both.
   */
  public InferredModel inferred(FlowModel flow) {
    Symmetry known = symmetry != null ? symmetry : isPathwise() ? Symmetry.NONE : found;
    return new InferredModel(flow, target, known);
  }

  /** How {@link #train} trains, for a {@link Trainer} of one's own. */
  public TrainingOptions trainingOptions() {
    TrainingOptions.Builder builder =
        TrainingOptions.builder(time == null ? steps : 10_000_000)
            .learningRate(options().learningRate())
            .warmupSteps(WARMUP)
            .minimumRate(MINIMUM_RATE)
            .objective(isPathwise() ? Objective.PATHWISE : Objective.STRAIGHT_THROUGH)
            .logEvery(LOG_EVERY)
            .checkpointEvery(CHECKPOINT_EVERY);
    return (time == null ? builder : builder.timeBudget(time)).build();
  }

  private TrainingListener reporting(
      VariationalBatches batches, TrainingOptions training, BoundPlateau plateau) {
    return new TrainingListener() {
      @Override
      public void progressed(Progress progress) {
        VariationalBatches.Means means = batches.takeMeans();
        double share =
            Math.min(
                1,
                Math.max(
                    (double) progress.step() / training.steps(),
                    progress.seconds() / training.timeBudgetSeconds()));
        plateau.add(share, means.bound(), means.ess());
        listener.progressed(
            new InferenceListener.Progress(
                progress.step(), share, progress.seconds(), means.bound().value(), means.ess()));
      }
    };
  }
}
