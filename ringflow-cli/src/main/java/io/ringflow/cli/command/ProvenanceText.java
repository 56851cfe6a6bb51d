package io.ringflow.cli.command;

import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ShownText;
import io.ringflow.model.Provenance;
import io.ringflow.train.TrainingListener.StopReason;
import java.util.Locale;

/** How a training went, as told by the model's {@code training.json}. */
final class ProvenanceText {
  private ProvenanceText() {}

  /** Returns one line, such as {@code 1,500 steps in 12.3 s on cpu; the time was over}. */
  static String of(Provenance training) {
    return String.format(
        Locale.ROOT,
        "%,d steps in %s on %s; %s",
        training.steps(),
        Numbers.time(training.seconds()),
        ShownText.of(training.device(), 20),
        why(training));
  }

  private static String why(Provenance training) {
    String reason = training.stopReason();
    for (StopReason known : StopReason.values()) {
      if (known.name().equals(reason)) {
        return switch (known) {
          case COMPLETED -> "all planned steps were done";
          case EARLY_STOPPED ->
              training.bestValidation() == null // learned from no data
                  ? "the lower bound no longer grew"
                  : "the likelihood of held-out data no longer grew";
          case TIME_BUDGET -> "the time was over";
          case INTERRUPTED -> "it was interrupted";
        };
      }
    }
    return ShownText.of(reason, 40);
  }
}
