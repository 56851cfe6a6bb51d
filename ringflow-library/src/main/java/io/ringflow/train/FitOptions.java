package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.checks.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What to fit, and for how long.
 *
 * <pre>{@code
 * FitOptions options = FitOptions.DEFAULTS.withTime(Duration.ofMinutes(10)).withPasses(8);
 * }</pre>
 *
 * @param family of models
 * @param passes network calls that sampling a row may take; of {@link Family#GROUP} alone
 * @param time after which training ends at the latest
 * @param device where to train
 * @param seed of initial weights, batches and the choice of validation rows
 * @param source name of the data, for {@code training.json}; null for none
 * @param checkpoints folder to write checkpoints to and resume from; null for none
 * @param listener hears how training goes
 * @param length symbols of a piece of a text, which is modelled by itself; shorter where the text
 *     has less than twenty such pieces
 * @param counts whether the contexts of a text are counted after training, so that files of its
 *     kind compress better; takes part of the time, and most of the model's folder
 * @param group the processes that train together, each with the same data and options; borrowed
 */
public record FitOptions(
    Family family,
    int passes,
    Duration time,
    Device device,
    long seed,
    String source,
    Path checkpoints,
    TrainingListener listener,
    int length,
    boolean counts,
    ProcessGroup group) {
  /** Symbols of the shortest piece of a text. */
  public static final int MIN_LENGTH = 2;

  /** Symbols of the longest piece of a text. */
  public static final int MAX_LENGTH = 16_384;

  /** Which models there are to choose from: how sampling goes. */
  public enum Family {
    /** One symbol after the other: the best likelihood. */
    AUTOREGRESSIVE,
    /** Groups of symbols one after the other, in as many passes as one likes. */
    GROUP,
    /** All at once: a layer that sorts half of the symbols by the other half. */
    BIPARTITE
  }

  /** Autoregressive, five minutes on the CPU, seed 1, pieces of 256 symbols. */
  public static final FitOptions DEFAULTS =
      new FitOptions(
          Family.AUTOREGRESSIVE,
          0,
          Duration.ofMinutes(5),
          Device.CPU,
          1,
          null,
          null,
          new TrainingListener() {},
          256,
          true,
          ProcessGroup.single());

  /** Checks that family and passes agree. */
  public FitOptions {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(group, "group");
    if (family == Family.GROUP ? passes < 2 : passes != 0) {
      throw new IllegalArgumentException(
          family == Family.GROUP
              ? "passes must be at least 2, but is " + passes
              : "passes are of groups alone, but there are " + passes);
    }
    Checks.inRange("length", length, MIN_LENGTH, MAX_LENGTH);
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("time must be above 0, but is " + time);
    }
  }

  /** Samples rows in one pass, or in several. */
  public FitOptions withPasses(int passes) {
    return passes == 1 ? with(Family.BIPARTITE, 0) : with(Family.GROUP, passes);
  }

  /** The same for another family; of groups, eight passes. */
  public FitOptions withFamily(Family family) {
    return with(family, family == Family.GROUP ? 8 : 0);
  }

  private FitOptions with(Family family, int passes) {
    return with(
        copy -> {
          copy.family = family;
          copy.passes = passes;
        });
  }

  /** The same for another time. */
  public FitOptions withTime(Duration time) {
    return with(copy -> copy.time = time);
  }

  /** The same on another device. */
  public FitOptions withDevice(Device device) {
    return with(copy -> copy.device = device);
  }

  /** The same with another seed. */
  public FitOptions withSeed(long seed) {
    return with(copy -> copy.seed = seed);
  }

  /** The same with another name of the data. */
  public FitOptions withSource(String source) {
    return with(copy -> copy.source = source);
  }

  /** The same with checkpoints in a folder. */
  public FitOptions withCheckpoints(Path checkpoints) {
    return with(copy -> copy.checkpoints = checkpoints);
  }

  /** The same with another listener. */
  public FitOptions withListener(TrainingListener listener) {
    return with(copy -> copy.listener = listener);
  }

  /** The same with pieces of a text of another length. */
  public FitOptions withLength(int length) {
    return with(copy -> copy.length = length);
  }

  /** The same with the contexts of a text counted after training, or not. */
  public FitOptions withCounts(boolean counts) {
    return with(copy -> copy.counts = counts);
  }

  /** The same by a group of processes. */
  public FitOptions withGroup(ProcessGroup group) {
    return with(copy -> copy.group = group);
  }

  private FitOptions with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  /** Options that change before they are made. */
  private static final class Copy {
    private Family family;
    private int passes;
    private Duration time;
    private Device device;
    private long seed;
    private String source;
    private Path checkpoints;
    private TrainingListener listener;
    private int length;
    private boolean counts;
    private ProcessGroup group;

    Copy(FitOptions options) {
      family = options.family;
      passes = options.passes;
      time = options.time;
      device = options.device;
      seed = options.seed;
      source = options.source;
      checkpoints = options.checkpoints;
      listener = options.listener;
      length = options.length;
      counts = options.counts;
      group = options.group;
    }

    FitOptions options() {
      return new FitOptions(
          family, passes, time, device, seed, source, checkpoints, listener, length, counts, group);
    }
  }
}
