package io.ringflow.paper.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.paper.harness.Outcome.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A training's loss over steps and time, out of its {@link io.ringflow.train.MetricsLog}: the log
 * of a resumed training knows its beginning too.
 *
 * @param loss over steps
 * @param seconds of training at each of its points
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LearningCurve(Series loss, double[] seconds) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The curve of one training.
   *
   * @param label of the training in the log
   * @param name of the curve
   */
  static LearningCurve read(Path metrics, String label, String name) throws IOException {
    List<JsonNode> points = new ArrayList<>();
    try (Stream<String> lines = Files.lines(metrics)) {
      for (String line : (Iterable<String>) lines::iterator) {
        JsonNode event = JSON.readTree(line);
        if (event.path("event").asText().equals("progress")
            && event.path("label").asText().equals(label)) {
          points.add(event);
        }
      }
    }
    return new LearningCurve(
        new Series(name, numbers(points, "step"), numbers(points, "loss")),
        numbers(points, "seconds"));
  }

  private static double[] numbers(List<JsonNode> points, String field) {
    return points.stream().mapToDouble(point -> point.path(field).asDouble()).toArray();
  }
}
