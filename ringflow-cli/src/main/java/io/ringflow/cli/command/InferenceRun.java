package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.progress.InferenceProgress;
import io.ringflow.infer.Inference;
import io.ringflow.infer.InferredModel;
import io.ringflow.infer.WeightedSamples;
import io.ringflow.model.Provenance;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CancellationException;

/**
 * A model trained and sampled for one answer. Where the user stops it, the answer is of what was
 * learned until then, from as many samples as a few seconds make: the process will not live long.
 */
final class InferenceRun {
  private static final double SECONDS_WHEN_STOPPED = 3;
  private static final int FIRST_WHEN_STOPPED = 200;

  /**
   * What an answer is made of.
   *
   * @param training of the model
   * @param stopped whether the user stopped it
   */
  record Drawn(WeightedSamples samples, Provenance training, boolean stopped) {}

  private final Inference inference;
  private final InferredModelOptions place;
  private final PrintWriter err;

  InferenceRun(Inference inference, InferredModelOptions place, PrintWriter err) {
    this.inference = inference;
    this.place = place;
    this.err = err;
  }

  /**
   * Trains and draws.
   *
   * @throws CancellationException if it was stopped before anything was learned
   */
  Drawn draw(int count, long seed) throws IOException {
    place.prepare(inference);
    try (InferredModel model = trained()) {
      Provenance training = model.flow().provenance().orElseThrow();
      if (Thread.interrupted()) {
        if (training.steps() == 0) {
          throw new CancellationException("stopped before the first step");
        }
        return new Drawn(drawnQuickly(model, count, seed), training, true);
      }
      place.save(model);
      try (var progress = CountProgress.of(err, "samples", count)) {
        return new Drawn(model.draw(count, seed, progress), training, false);
      } catch (CancellationException e) {
        Thread.interrupted(); // heard
        return new Drawn(drawnQuickly(model, count, seed), training, true);
      }
    }
  }

  /** Trains, and takes the progress bar away before anything is written to the screen. */
  private InferredModel trained() throws IOException {
    try (var progress = InferenceProgress.of(err)) {
      return inference.listener(progress).train();
    }
  }

  private static WeightedSamples drawnQuickly(InferredModel model, int count, long seed) {
    int few = Math.min(count, FIRST_WHEN_STOPPED);
    long began = System.nanoTime();
    WeightedSamples first = model.draw(few, seed);
    double seconds = Math.max(1e-9, (System.nanoTime() - began) * 1e-9);
    int affordable = (int) Math.min(count, few * SECONDS_WHEN_STOPPED / seconds);
    return affordable > few ? model.draw(affordable, seed) : first;
  }
}
