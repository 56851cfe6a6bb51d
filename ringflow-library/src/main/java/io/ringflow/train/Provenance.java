package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.internal.torch.Versions;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code training.json} says of a training. */
final class Provenance {
  private Provenance() {}

  static Map<String, Object> of(
      TrainingReport report, TrainingOptions options, String data, Device device) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("ringflow", Versions.ringflow());
    details.put("libtorch", Versions.libtorch());
    details.put("java", Runtime.version().toString());
    details.put("device", device.toString());
    details.put("finishedAt", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    details.put("data", data);
    details.put("steps", report.steps());
    details.put("seconds", report.seconds());
    details.put("loss", report.loss());
    report.bestValidation().ifPresent(best -> details.put("bestValidation", best));
    details.put("stopReason", report.reason().name());
    details.put("options", options);
    return details;
  }
}
