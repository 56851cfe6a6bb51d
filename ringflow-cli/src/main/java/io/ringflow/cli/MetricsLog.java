package io.ringflow.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringflow.train.TrainingListener;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * {@code metrics.jsonl}: one JSON object per event of every training, each with the training's
 * label.
 *
 * <p>Each line is flushed, so that a run can be followed and a killed one read; the file takes its
 * final name when the run is {@linkplain #complete complete}. Safe for use by several trainings at
 * once.
 */
final class MetricsLog implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path part;
  private final Path file;
  private final BufferedWriter writer;

  MetricsLog(Path part, Path file) throws IOException {
    this.part = part;
    this.file = file;
    writer = Files.newBufferedWriter(part);
  }

  void started(String label, long fromStep, long totalSteps) {
    write(event("started", label).put("fromStep", fromStep).put("totalSteps", totalSteps));
  }

  void progressed(String label, TrainingListener.Progress progress) {
    write(event("progress", label).setAll(JSON.<ObjectNode>valueToTree(progress)));
  }

  void evaluated(String label, TrainingListener.Evaluation evaluation) {
    write(event("evaluation", label).setAll(JSON.<ObjectNode>valueToTree(evaluation)));
  }

  void finished(String label, TrainingListener.TrainingReport report) {
    ObjectNode event =
        event("finished", label)
            .put("steps", report.steps())
            .put("seconds", report.seconds())
            .put("loss", report.loss());
    report.bestValidation().ifPresent(best -> event.put("bestValidation", best));
    write(event.put("reason", report.reason().name()));
  }

  private static ObjectNode event(String kind, String label) {
    return JSON.createObjectNode().put("event", kind).put("label", label);
  }

  private synchronized void write(JsonNode event) {
    try {
      writer.write(JSON.writeValueAsString(event));
      writer.newLine();
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("can't write " + part + ": " + e.getMessage(), e);
    }
  }

  /** The run succeeded: gives the file its final name. */
  synchronized void complete() throws IOException {
    writer.close();
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public synchronized void close() throws IOException {
    writer.close();
  }
}
