package io.ringflow.paper.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.core.Machine;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What one trial has in the run folder:
 *
 * <pre>
 *   models/SLUG              its model, once it is finished
 *   trials/SLUG.json         its results, written after the model
 *   checkpoints/SLUG-ID      how far its training is; deleted when the results are there
 * </pre>
 *
 * <p>Its identity is a fingerprint of everything that decides its results, as far as it can be
 * told: architecture, options, the data's description, what it starts from, seed, device, effort
 * and versions. What an earlier run left is taken only where it has the same. The code of a
 * measurement has no fingerprint: whoever changes one must start anew.
 */
final class TrialFiles {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FORMAT = "ringflow-trial";
  private static final int VERSION = 2;
  private static final String RECORDS = "trials";
  private static final String CHECKPOINTS = "checkpoints";
  private static final Pattern DIGITS = Pattern.compile("\\d+");

  /** Enough of the identity to tell the checkpoints of one folder apart. */
  private static final int SHORT = 12;

  /** What {@code trials/SLUG.json} holds; curve and seconds are null where nothing was trained. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(
      String format,
      int version,
      String identity,
      List<Result> results,
      Series curve,
      double[] seconds) {}

  /** What the identity is made of; options and data are null where nothing is trained. */
  private record Facts(
      String ringflow,
      String libtorch,
      String experiment,
      String setting,
      String model,
      long seed,
      String device,
      Effort effort,
      Architecture architecture,
      TrainingOptions options,
      String data,
      boolean validated,
      boolean refitted,
      String startsFrom) {}

  private final Path out;
  private final Trial trial;
  private final String identity;

  TrialFiles(String experiment, Settings settings, Trial trial) {
    this.out = settings.out();
    this.trial = trial;
    Trial.Training training = trial.training();
    this.identity =
        sha256(
            new Facts(
                Machine.ringflowVersion(),
                Machine.libtorchVersion(),
                experiment,
                trial.setting(),
                trial.model(),
                trial.seed(),
                settings.device(),
                settings.effort(),
                trial.architecture(),
                training == null ? null : training.options(),
                training == null ? null : training.batches().description(),
                training != null && training.validation() != null,
                trial.refit() != null,
                startsFrom(experiment, settings, training)));
  }

  /** The identity of the trial that another one starts from; null for none. */
  private static String startsFrom(String experiment, Settings settings, Trial.Training training) {
    Trial source = training == null ? null : training.start().source();
    return source == null ? null : new TrialFiles(experiment, settings, source).identity;
  }

  static Path model(Path out, Trial trial) {
    return out.resolve("models").resolve(trial.slug());
  }

  Path model() {
    return model(out, trial);
  }

  /** Named by the identity too: a training with other options begins anew beside it. */
  Path checkpoint() {
    return out.resolve(CHECKPOINTS).resolve(trial.slug() + "-" + identity.substring(0, SHORT));
  }

  private static Path record(Path out, Trial trial) {
    return out.resolve(RECORDS).resolve(trial.slug() + ".json");
  }

  private Path record() {
    return record(out, trial);
  }

  /** Whether a trial of this name has left results and a model, by whichever options. */
  static boolean isFinished(Path out, Trial trial) {
    return Files.exists(record(out, trial)) && Files.isDirectory(model(out, trial));
  }

  /** The results of all trials that a run folder holds, by their files' names, 4 before 16. */
  static List<Result> results(Path out) throws IOException {
    List<Result> results = new ArrayList<>();
    List<Path> files = new ArrayList<>(entries(out.resolve(RECORDS)));
    files.sort(Comparator.comparing(TrialFiles::withLongNumbers));
    for (Path file : files) {
      JsonNode json = ResultsFile.tree(file);
      if (isOurs(json)) {
        results.addAll(ResultsFile.bind(file, json, Kept.class).results);
      }
    }
    return results;
  }

  /** A name whose numbers sort as numbers do. */
  private static String withLongNumbers(Path file) {
    return DIGITS
        .matcher(file.getFileName().toString())
        .replaceAll(
            number -> "0".repeat(Math.max(0, 12 - number.group().length())) + number.group());
  }

  /** What a finished trial of this identity left, if there is one. */
  Optional<Finished> find() throws IOException {
    if (!isFinished(out, trial)) {
      return Optional.empty();
    }
    JsonNode json = ResultsFile.tree(record());
    if (!isOurs(json) || !json.path("identity").asText().equals(identity)) {
      return Optional.empty();
    }
    Kept kept = ResultsFile.bind(record(), json, Kept.class);
    return Optional.of(new Finished(trial, kept.results, kept.curve, kept.seconds));
  }

  /** The model is saved: keeps the results and deletes the checkpoint. */
  void keep(Finished finished) throws IOException {
    Files.createDirectories(record().getParent());
    ResultsFile.writeObject(
        record(),
        new Kept(
            FORMAT, VERSION, identity, finished.results(), finished.curve(), finished.seconds()));
    deleteCheckpoint();
  }

  void deleteCheckpoint() throws IOException {
    Trainer.deleteCheckpoint(checkpoint());
  }

  /** No trial runs any more: takes away the folder of checkpoints if none is left. */
  static void tidy(Path out) throws IOException {
    deleteIfEmpty(out.resolve(CHECKPOINTS));
  }

  /** Forgets all trials of earlier runs; leaves alone what is none. */
  static void clear(Path out) throws IOException {
    for (Path file : entries(out.resolve(RECORDS))) {
      if (Files.isRegularFile(file)
          && file.toString().endsWith(".json")
          && isOurs(ResultsFile.tree(file))) {
        Files.delete(file);
      }
    }
    deleteIfEmpty(out.resolve(RECORDS));
    for (Path folder : entries(out.resolve(CHECKPOINTS))) {
      try {
        Trainer.deleteCheckpoint(folder);
      } catch (FileAlreadyExistsException e) {
        // Somebody else's: it stays.
      }
    }
    tidy(out);
  }

  private static boolean isOurs(JsonNode json) {
    return json.path("format").asText().equals(FORMAT) && json.path("version").asInt() == VERSION;
  }

  private static List<Path> entries(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }

  private static void deleteIfEmpty(Path folder) throws IOException {
    if (Files.isDirectory(folder) && entries(folder).isEmpty()) {
      Files.delete(folder);
    }
  }

  private static String sha256(Facts facts) {
    try {
      // Fields keep their declared order, so the same facts give the same text.
      byte[] text = JSON.writeValueAsBytes(facts);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException | JsonProcessingException e) {
      throw new AssertionError(e); // every Java has SHA-256
    }
  }
}
