package io.ringflow.cli.command;

import io.ringflow.cli.report.Numbers;
import io.ringflow.train.TrainingListener.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How a training went, as told by the model's {@code training.json}. */
final class ProvenanceText {
  private ProvenanceText() {}

  /** Returns one line, such as {@code 1,500 steps in 12.3 s on cpu; the time was over}. */
  static String of(Map<String, Object> provenance) {
    List<String> words = new ArrayList<>();
    if (provenance.get("steps") instanceof Number steps) {
      words.add(String.format(Locale.ROOT, "%,d steps", steps.longValue()));
    }
    if (provenance.get("seconds") instanceof Number seconds) {
      words.add("in " + Numbers.time(seconds.doubleValue()));
    }
    if (provenance.get("device") instanceof String device) {
      words.add("on " + ShownText.of(device, 20));
    }
    String end = provenance.get("stopReason") instanceof String reason ? "; " + why(reason) : "";
    return String.join(" ", words) + end;
  }

  private static String why(String reason) {
    for (StopReason known : StopReason.values()) {
      if (known.name().equals(reason)) {
        return switch (known) {
          case COMPLETED -> "all planned steps were done";
          case EARLY_STOPPED -> "the likelihood of held-out data no longer grew";
          case TIME_BUDGET -> "the time was over";
          case INTERRUPTED -> "it was interrupted";
        };
      }
    }
    return ShownText.of(reason, 40);
  }
}
