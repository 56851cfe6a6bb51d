package io.ringflow.paper.harness;

import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One model of an experiment, from its start values to its results: it is trained, its base is
 * refitted, and it is measured, each where there is something to do.
 *
 * <p>It says what to do and does nothing itself, so that trials can run side by side, and a stopped
 * run knows which are left.
 *
 * @param setting as in {@link Result}
 * @param model as in {@link Result}
 * @param seed of the start values; the data's seed is the trial's own business
 * @param architecture what to make
 * @param training null where nothing is trained
 * @param refit rows for {@link FlowModel#refitBase(int[][], int[][])} after training, or instead of
 *     it; null where the base is left as it is
 * @param measurement of the finished model
 */
public record Trial(
    String setting,
    String model,
    long seed,
    Architecture architecture,
    Training training,
    Supplier<Batch> refit,
    Measurement measurement) {
  /** Checks that everything that must be there is. */
  public Trial {
    Objects.requireNonNull(setting, "setting");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(architecture, "architecture");
    Objects.requireNonNull(measurement, "measurement");
  }

  /** Names it for people, such as {@code "K=90, 1 bipartite layer, tau 0.1, seed 2"}. */
  public String label() {
    return setting + ", " + model + ", seed " + seed;
  }

  /** Whether it takes gradient steps; otherwise weights are taken, counted, or as they are made. */
  public boolean takesSteps() {
    return training != null && training.options != null;
  }

  /** Names its files: the label in letters, digits and hyphens. */
  public String slug() {
    return slug(label());
  }

  /** A text in lower-case letters, digits and hyphens. */
  public static String slug(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
  }

  /**
   * How to train.
   *
   * @param options how long and how fast; null to take no steps: the start is all
   * @param batches on what; its description must tell different data apart
   * @param validation rows to choose the weights by, see {@link
   *     io.ringflow.train.Trainer#validation(Batch)}; null to end with the last ones
   * @param start prepares the model, such as its base; left out where a checkpoint knows better
   */
  public record Training(
      TrainingOptions options, Batches batches, Supplier<Batch> validation, Start start) {
    /** Starts with the model as it is made. */
    public Training(TrainingOptions options, Batches batches, Supplier<Batch> validation) {
      this(options, batches, validation, Start.AS_MADE);
    }

    /**
     * No gradient steps: the start is all.
     *
     * @param data what the weights are made from, as in {@link Batches#description}
     */
    public static Training withoutSteps(String data, Start start) {
      Batches none =
          new Batches() {
            @Override
            public Batch batch(long step) {
              throw new IllegalStateException("there are no steps");
            }

            @Override
            public String description() {
              return data;
            }
          };
      return new Training(null, none, null, start);
    }

    /** Ends with the last weights. */
    public Training(TrainingOptions options, Batches batches) {
      this(options, batches, null);
    }

    /**
     * Learns from what the model itself makes.
     *
     * @param data what decides it, as in {@link Batches#description}
     * @param ofModel makes the batches once there is a model, which is borrowed
     */
    public static Training onOwnSamples(
        TrainingOptions options, String data, Function<FlowModel, Batches> ofModel) {
      return new Training(options, new OwnSamples(data, ofModel));
    }

    /** On what a model trains. */
    Batches batches(FlowModel model) {
      return batches instanceof OwnSamples own ? own.ofModel.apply(model) : batches;
    }

    private record OwnSamples(String description, Function<FlowModel, Batches> ofModel)
        implements Batches {
      @Override
      public Batch batch(long step) {
        throw new IllegalStateException("there is no model yet to make batches");
      }
    }
  }

  /**
   * Prepares a model before its training.
   *
   * @param preparation what is done; the time it takes counts as training
   * @param source a trial before this one, whose seconds count as training too; null for none
   * @param transfer what is taken from its model, before the preparation; null for none
   * @param counting what a checkpoint does not have, because training leaves it as it is: done
   *     before all else, also where a training resumes
   */
  public record Start(
      Preparation preparation, Trial source, Transfer transfer, Preparation counting) {
    private static final Preparation NOTHING = model -> {};

    /** Nothing to prepare. */
    public static final Start AS_MADE = prepared(NOTHING);

    /** Something of its own. */
    public static Start prepared(Preparation preparation) {
      return new Start(preparation, null, null, NOTHING);
    }

    /** Data is counted for a network that has statistics. */
    public static Start counted(Preparation counting) {
      return new Start(NOTHING, null, null, counting);
    }

    /** Where another trial ended: with its base's weights. */
    public static Start after(Trial source) {
      return after(source, WarmStart::copyBase);
    }

    /** Where another trial ended, with what is taken from it. */
    public static Start after(Trial source, Transfer transfer) {
      return new Start(NOTHING, source, transfer, NOTHING);
    }
  }

  /** Gives a model weights of another one. */
  @FunctionalInterface
  public interface Transfer {
    /**
     * Gives weights.
     *
     * @param source borrowed
     * @param target borrowed
     */
    void give(FlowModel source, FlowModel target);
  }

  /** What is done before a training. */
  @FunctionalInterface
  public interface Preparation {
    /**
     * Prepares a model.
     *
     * @param model borrowed
     * @throws CancellationException if the thread was interrupted
     */
    void prepare(FlowModel model) throws IOException;
  }

  /** Measures a finished model; called from the thread that trained it. */
  @FunctionalInterface
  public interface Measurement {
    /**
     * Measures a model.
     *
     * @param model borrowed
     */
    List<Measure> measure(FlowModel model);
  }

  /**
   * One measured value of a model.
   *
   * @param metric what was measured, such as {@code nll}
   * @param unit such as {@code nats}
   * @param value what was measured
   * @param standardError of the value, where it is estimated from a sample; null where it is exact
   * @param floor no model can be below this; null where unknown
   * @param paper the paper's result; null where it gives none
   */
  public record Measure(
      String metric, String unit, double value, Double standardError, Double floor, Double paper) {
    /** A value without sampling error. */
    public static Measure exact(
        String metric, String unit, double value, Double floor, Double paper) {
      return new Measure(metric, unit, value, null, floor, paper);
    }

    /** A value estimated from a sample. */
    public static Measure estimated(
        String metric, String unit, Estimate estimate, Double floor, Double paper) {
      return new Measure(metric, unit, estimate.value(), estimate.standardError(), floor, paper);
    }
  }
}
