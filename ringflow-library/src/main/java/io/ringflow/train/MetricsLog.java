package io.ringflow.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * {@code metrics.jsonl}: one JSON object a line for every event of a training.
 *
 * <p>Every line is on its way to the disk when the event returns, so a run can be followed and a
 * killed one read. When a training resumes from a checkpoint, the lines of steps that will be done
 * again are cut off first: in the end the file is what an undisturbed run would have written, times
 * apart. A fresh start cuts off all lines.
 *
 * <p>Trainings of one process may share a file, also at the same time, each with a label of its
 * own; they leave each other's lines alone. A number that JSON does not know (not a number,
 * infinite) is written as null.
 */
public final class MetricsLog implements TrainingListener {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Held while any log writes: who cuts a file must not lose the line that another appends. Lines
   * are few, so one lock serves all files.
   */
  private static final Object WRITING = new Object();

  private final Path file;
  private final String label; // null for none

  /**
   * The log of a training that has the file to itself.
   *
   * @param file made if missing; its folder must exist
   */
  public MetricsLog(Path file) {
    this(file, null);
  }

  /**
   * The log of one of several trainings.
   *
   * @param file made if missing; its folder must exist
   * @param label stands in every line
   */
  public MetricsLog(Path file, String label) {
    this.file = file;
    this.label = label;
  }

  @Override
  public void started(long fromStep, long totalSteps) {
    synchronized (WRITING) {
      try {
        cut(fromStep);
      } catch (IOException e) {
        throw failed(e);
      }
    }
    if (fromStep == 0) {
      append(event("started").put("totalSteps", totalSteps));
    }
  }

  @Override
  public void progressed(Progress progress) {
    append(event("progress").setAll(JSON.<ObjectNode>valueToTree(progress)));
  }

  @Override
  public void evaluated(Evaluation evaluation) {
    append(event("evaluation").setAll(JSON.<ObjectNode>valueToTree(evaluation)));
  }

  @Override
  public void finished(TrainingReport report) {
    ObjectNode event =
        event("finished")
            .put("steps", report.steps())
            .put("seconds", report.seconds())
            .put("loss", report.loss());
    report.bestValidation().ifPresent(best -> event.put("bestValidation", best));
    append(event.put("reason", report.reason().name()));
  }

  private ObjectNode event(String kind) {
    ObjectNode event = JSON.createObjectNode().put("event", kind);
    return label == null ? event : event.put("label", label);
  }

  private void append(JsonNode event) {
    // A plain stream, because an interrupted thread, which may still train its last step, can't
    // write through a channel.
    synchronized (WRITING) {
      try (OutputStream out = new FileOutputStream(file.toFile(), true)) {
        for (Map.Entry<String, JsonNode> field : event.properties()) {
          if (field.getValue().isDouble() && !Double.isFinite(field.getValue().doubleValue())) {
            field.setValue(JSON.nullNode());
          }
        }
        // One call for the whole line: a kill leaves all of it or, at worst, a beginning without
        // end.
        out.write((JSON.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  private void cut(long fromStep) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    String text = Files.readString(file);
    // What a kill left of its last line has no end.
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    StringBuilder kept = new StringBuilder();
    for (String line : whole.lines().toList()) {
      if (isKept(line, fromStep)) {
        kept.append(line).append('\n');
      }
    }
    if (kept.length() < text.length()) {
      Path part = file.resolveSibling(file.getFileName() + ".cut");
      Files.writeString(part, kept);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private boolean isKept(String line, long fromStep) throws IOException {
    JsonNode event;
    try {
      event = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new IOException("it is not a log of metrics: " + e.getOriginalMessage(), e);
    }
    String kind = event.path("event").asText();
    if (kind.isEmpty()) {
      throw new IOException("it is not a log of metrics: a line has no event");
    }
    boolean ours = label == null ? !event.has("label") : event.path("label").asText().equals(label);
    // Nothing is written between a checkpoint and its next step but the end of the training.
    return !ours
        || (fromStep > 0 && !kind.equals("finished") && event.path("step").asLong() <= fromStep);
  }

  private UncheckedIOException failed(IOException e) {
    return new UncheckedIOException("can't write " + file + ": " + e.getMessage(), e);
  }
}
