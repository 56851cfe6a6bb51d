package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;
import io.ringflow.infer.InferenceListener;
import java.io.PrintWriter;

/** Shows how an inference goes: how far it is, and how near the model has come to the target. */
public final class InferenceProgress implements InferenceListener, AutoCloseable {
  private static final long WHOLE = 1000;

  private final ProgressDisplay display;

  InferenceProgress(ProgressDisplay display) {
    this.display = display;
    display.begin("infer", 0, WHOLE);
  }

  /** Shows an inference on this process's terminal, or by plain lines where it has none. */
  public static InferenceProgress of(PrintWriter err) {
    return new InferenceProgress(ProgressDisplay.of(err));
  }

  @Override
  public void progressed(Progress progress) {
    String time = Numbers.time(progress.seconds() / progress.share() - progress.seconds());
    String near =
        Double.isFinite(progress.bound())
            ? "bound %s, ESS/M %s"
                .formatted(Numbers.fixed(progress.bound()), Numbers.fixed(progress.ess()))
            : "no possible state found yet";
    display.show(
        Math.round(WHOLE * progress.share()),
        time + " left  " + near,
        () ->
            "step %d, %d %% done; %s; %s left"
                .formatted(progress.step(), (int) (100 * progress.share()), near, time));
  }

  @Override
  public void close() {
    display.close();
  }
}
