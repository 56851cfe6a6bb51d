package io.ringflow.paper.harness;

import io.ringflow.core.Device;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.torch.ComputeThreads;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Experiment.Monitor;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.train.Batch;
import io.ringflow.train.MetricsLog;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Runs the trials of an experiment, some at a time, and can take up a run that was stopped.
 *
 * <p>Each trial has a model of its own and is worked on by one thread. What it found is on disk
 * before the next begins, and a training that is interrupted or killed leaves a checkpoint: a
 * resumed run ends in the same results as one that was not disturbed.
 */
public final class TrialRunner {
  private final String experiment;
  private final Settings settings;
  private final int jobs;
  private final Path metrics;
  private final List<Trial> trials;

  /** What the trials of this run will have found, by their slugs. */
  private final Map<String, Future<Finished>> ends = new HashMap<>();

  /**
   * Will run an experiment.
   *
   * @param jobs how many trials to work on at a time; on a CPU they share its cores. 1 in a process
   *     group, which does everything in the same order
   * @param metrics the log of all trainings, made if missing; a run that is to be resumed must find
   *     it again
   * @throws IllegalArgumentException if two trials would write the same files, or one starts from
   *     another that comes after it
   */
  public TrialRunner(Experiment experiment, Settings settings, int jobs, Path metrics) {
    if (jobs < 1) {
      throw new IllegalArgumentException("jobs must be at least 1, but is " + jobs);
    }
    if (jobs > 1 && settings.group() != ProcessGroup.single()) {
      throw new IllegalArgumentException("jobs must be 1 in a process group, but is " + jobs);
    }
    this.experiment = experiment.name();
    this.settings = settings;
    this.jobs = jobs;
    this.metrics = metrics;
    this.trials = experiment.trials(settings).stream().filter(settings::wants).toList();
    if (trials.isEmpty()) {
      throw new IllegalArgumentException(
          "no model of "
              + experiment.name()
              + " has '"
              + String.join("' or '", settings.only())
              + "' in its name");
    }
    Set<String> slugs = new HashSet<>();
    for (Trial trial : trials) {
      if (!slugs.add(trial.slug())) {
        throw new IllegalArgumentException("two trials are named " + trial.slug());
      }
    }
    TrialSources.requireFirst(jobs == 1 ? trials : seedBySeed(trials, trial -> trial));
  }

  /**
   * Checks, before anything is deleted or trained, that every trial has what it starts from: in
   * this run, or finished in the run folder if that is resumed.
   *
   * @param resume as for {@link #run}
   * @throws IllegalArgumentException if one has not, with what to do about it
   */
  public void requireSources(boolean resume) throws IOException {
    TrialSources.requireAll(trials, trial -> resume && files(trial).find().isPresent());
  }

  private TrialFiles files(Trial trial) {
    return new TrialFiles(experiment, settings, trial);
  }

  /**
   * Runs every trial. An interrupt of the calling thread stops them all, and so does the first that
   * fails; trainings then leave a checkpoint each.
   *
   * <p>In a process group every process trains and measures, and rank 0 alone reads and writes the
   * run folder: it says what is left to do.
   *
   * @param resume whether to take what an earlier run left in the run folder: finished trials as
   *     they are, trainings from their checkpoints. Otherwise that is deleted first
   * @return one for each trial, in their order; nothing on processes other than rank 0
   * @throws IllegalArgumentException as {@link #requireSources} does
   * @throws CancellationException if the thread was interrupted, and it stays so
   */
  public List<Finished> run(boolean resume, Monitor monitor) throws IOException {
    Finished[] finished = new Finished[trials.size()];
    if (isRankZero()) {
      requireSources(resume);
      if (!resume) {
        TrialFiles.clear(settings.out());
      }
      List<Finished> done = new ArrayList<>();
      for (int i = 0; i < finished.length; i++) {
        TrialFiles files = files(trials.get(i));
        finished[i] = resume ? files.find().orElse(null) : null;
        if (finished[i] != null) {
          files.deleteCheckpoint(); // a kill may have left one
          done.add(finished[i]);
          ends.put(trials.get(i).slug(), CompletableFuture.completedFuture(finished[i]));
        }
      }
      monitor.started(trials, done);
    }
    List<Work> left = left(finished);
    if (!left.isEmpty()) {
      workOff(left, monitor);
      for (Work work : left) {
        finished[work.index] = finished(work.trial);
      }
    }
    if (!isRankZero()) {
      return List.of();
    }
    TrialFiles.tidy(settings.out());
    return Arrays.asList(finished);
  }

  private boolean isRankZero() {
    return settings.group().isRankZero();
  }

  /** What rank 0 has not found finished. */
  private List<Work> left(Finished[] finished) {
    double[] done = Arrays.stream(finished).mapToDouble(one -> one == null ? 0 : 1).toArray();
    done = settings.group().allReduce(done);
    List<Work> left = new ArrayList<>();
    for (int i = 0; i < done.length; i++) {
      if (done[i] == 0) {
        left.add(new Work(i, trials.get(i), files(trials.get(i))));
      }
    }
    return left;
  }

  /** One trial that is still to be run, and its place in the list. */
  private record Work(int index, Trial trial, TrialFiles files) {}

  /**
   * The first trial of every seed, then the second, and so on. A long one would else be begun last
   * where it is the first of the last seed, and leave one worker busy and the others idle.
   */
  private static <T> List<T> seedBySeed(List<T> all, Function<T, Trial> trial) {
    Map<Long, Integer> seen = new HashMap<>();
    Map<Integer, List<T>> byPlace = new TreeMap<>();
    for (T one : all) {
      int place = seen.merge(trial.apply(one).seed(), 1, Integer::sum);
      byPlace.computeIfAbsent(place, key -> new ArrayList<>()).add(one);
    }
    return byPlace.values().stream().flatMap(List::stream).toList();
  }

  private void workOff(List<Work> left, Monitor monitor) throws IOException {
    Device device = Device.of(settings.device());
    int workers = Math.min(jobs, left.size());
    ExecutorService pool =
        Executors.newFixedThreadPool(workers, work -> worker(work, device, workers));
    CompletionService<Finished> completed = new ExecutorCompletionService<>(pool);
    var queued = new CountDownLatch(1); // a trial looks for the end of another
    // No trial begins after one that failed, but may be heard before it: so it tells the same.
    var failure = new AtomicReference<Throwable>();
    try {
      for (Work work : jobs == 1 ? left : seedBySeed(left, Work::trial)) {
        ends.put(
            work.trial.slug(),
            completed.submit(
                () -> {
                  queued.await();
                  if (failure.get() != null) {
                    throw rethrown(failure.get());
                  }
                  try {
                    return run(work, device, monitor);
                  } catch (IOException | RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                    throw e;
                  }
                }));
      }
      queued.countDown();
      for (int i = 0; i < left.size(); i++) {
        completed.take().get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } finally {
      stop(pool);
      ComputeThreads.release(device, workers);
    }
  }

  /**
   * What a trial starts from. It comes before it in the list, so that somebody is working on it, or
   * an earlier run did. Where it fails, its failure is this one's too: whichever worker is heard
   * first, the cause is told.
   */
  private Finished finished(Trial source) throws IOException {
    Future<Finished> end = ends.get(source.slug());
    if (end == null) {
      return files(source)
          .find()
          .orElseThrow(
              () -> new IOException("'" + source.label() + "' is no longer in " + settings.out()));
    }
    try {
      return end.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    }
  }

  private Finished run(Work work, Device device, Monitor monitor) throws IOException {
    Trial trial = work.trial;
    try (FlowModel model = FlowModel.create(trial.architecture(), device, trial.seed())) {
      double seconds = 0;
      Series loss = null;
      double[] reached = null;
      if (trial.training() != null) {
        Trial.Start start = trial.training().start();
        // The other processes get what it gives from rank 0.
        Finished source = start.source() == null || !isRankZero() ? null : finished(start.source());
        seconds = (source == null ? 0 : source.trainingSeconds()) + prepare(model, work, source);
        if (start.source() != null && !trial.takesSteps()) {
          WarmStart.broadcast(model, settings.group());
        }
      }
      if (trial.takesSteps()) {
        double before = seconds;
        seconds += train(model, work, monitor).seconds();
        if (isRankZero()) {
          LearningCurve curve = LearningCurve.read(metrics, trial.label(), trial.model());
          loss = curve.loss();
          reached = Arrays.stream(curve.seconds()).map(since -> before + since).toArray();
        }
      }
      if (trial.refit() != null) {
        Batch rows = trial.refit().get();
        WarmStart.fitBase(model, rows.rows(), rows.condition());
      }
      requireNoInterrupt(); // measuring may take long, and can be done after resuming too
      List<Result> results = new ArrayList<>();
      for (Trial.Measure measure : trial.measurement().measure(model)) {
        results.add(result(trial, measure, seconds));
      }
      if (!isRankZero()) {
        return null;
      }
      model.save(work.files.model());
      Finished finished = new Finished(trial, results, loss, reached);
      work.files.keep(finished);
      return finished;
    }
  }

  /**
   * Gives a model the weights that its training starts from, unless a checkpoint has better ones.
   *
   * @return the seconds it took; a trial that resumes from a checkpoint knows those of counting
   *     alone
   */
  private double prepare(FlowModel model, Work work, Finished source) throws IOException {
    long started = System.nanoTime();
    work.trial.training().start().counting().prepare(model);
    if (work.trial.takesSteps() && (!isRankZero() || Files.exists(work.files.checkpoint()))) {
      return (System.nanoTime() - started) * 1e-9;
    }
    if (source != null) {
      try (FlowModel other = source.load(settings)) {
        work.trial.training().start().transfer().give(other, model);
      }
    }
    work.trial.training().start().preparation().prepare(model);
    return (System.nanoTime() - started) * 1e-9;
  }

  private TrainingReport train(FlowModel model, Work work, Monitor monitor) throws IOException {
    Trial.Training training = work.trial.training();
    Trainer trainer =
        new Trainer(model, training.options())
            .group(settings.group())
            .checkpoints(work.files.checkpoint())
            .listener(new MetricsLog(metrics, work.trial.label()))
            .listener(monitor.training(work.trial));
    if (training.validation() != null) {
      trainer.validation(training.validation().get());
    }
    TrainingReport report = trainer.train(training.batches(model));
    if (report.reason() == StopReason.INTERRUPTED) {
      throw new CancellationException("interrupted"); // half a training is no result
    }
    return report;
  }

  private Result result(Trial trial, Trial.Measure measure, double seconds) {
    return new Result(
        experiment,
        trial.setting(),
        trial.model(),
        measure.metric(),
        measure.unit(),
        measure.value(),
        measure.standardError(),
        measure.floor(),
        measure.paper(),
        trial.seed(),
        seconds,
        settings.device());
  }

  private static void requireNoInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted");
    }
  }

  private static Thread worker(Runnable work, Device device, int workers) {
    Runnable sharing =
        () -> {
          ComputeThreads.share(device, workers);
          work.run();
        };
    Thread thread = new Thread(sharing, "trials");
    thread.setDaemon(true);
    return thread;
  }

  /** Waits for every worker: none may compute while libtorch ends, and each saves its training. */
  private static void stop(ExecutorService pool) {
    pool.shutdownNow();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = pool.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A worker's failure as the caller's own. */
  private static RuntimeException rethrown(Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }
}
