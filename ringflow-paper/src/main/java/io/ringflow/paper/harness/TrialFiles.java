package io.ringflow.paper.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringflow.internal.store.ConfigFile;
import io.ringflow.internal.store.Json;
import io.ringflow.internal.natives.Versions;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
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
 *   trials/SLUG.json         its figures, written after the model
 *   checkpoints/SLUG-ID      how far its training is; deleted when the figures are there
 * </pre>
 *
 * <p>Its identity is a fingerprint of everything that decides its figures, as far as it can be
 * told: architecture, options, the data's description, what it starts from, seed, device, effort
 * and versions. What an earlier run left is taken only where it has the same. The code of a
 * measurement has no fingerprint: whoever changes one must start afresh.
 */
final class TrialFiles {
  private static final String FORMAT = "ringflow-trial";
  private static final int VERSION = 2;
  private static final String RECORDS = "trials";
  private static final String CHECKPOINTS = "checkpoints";
  private static final Pattern DIGITS = Pattern.compile("\\d+");

  /** Enough of the identity to tell the checkpoints of one folder apart. */
  private static final int SHORT = 12;

  /**
   * What {@code trials/SLUG.json} holds; curve and seconds are null where nothing was trained, and
   * version 1 had no seconds.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(
      String format,
      int version,
      String identity,
      List<Result> results,
      Series curve,
      double[] seconds) {
    /** The seconds, or in version 1 what they would be if every step had taken as long. */
    double[] reached() {
      if (curve == null || seconds != null) {
        return seconds;
      }
      double[] steps = curve.x();
      double whole = results.isEmpty() ? 0 : results.get(0).seconds();
      return Arrays.stream(steps).map(step -> step / steps[steps.length - 1] * whole).toArray();
    }
  }

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
      double preparedSeconds,
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
                Versions.ringflow(),
                Versions.libtorch(),
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
                training == null ? 0 : training.start().seconds(),
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

  private Path record() {
    return out.resolve(RECORDS).resolve(trial.slug() + ".json");
  }

  /** The figures of all trials that a run folder holds, by their files' names, 4 before 16. */
  static List<Result> results(Path out) throws IOException {
    List<Result> results = new ArrayList<>();
    List<Path> files = new ArrayList<>(entries(out.resolve(RECORDS)));
    files.sort(Comparator.comparing(TrialFiles::withLongNumbers));
    for (Path file : files) {
      JsonNode json = Json.read(file, JsonNode.class);
      if (isOurs(json)) {
        results.addAll(kept(file, json).results);
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
    if (!Files.exists(record()) || !Files.exists(model().resolve(ConfigFile.NAME))) {
      return Optional.empty();
    }
    JsonNode json = Json.read(record(), JsonNode.class);
    if (!isOurs(json) || !json.path("identity").asText().equals(identity)) {
      return Optional.empty();
    }
    Kept kept = kept(record(), json);
    return Optional.of(new Finished(trial, kept.results, kept.curve, kept.reached()));
  }

  /** The model is saved: keeps the figures and forgets the checkpoint. */
  void keep(Finished finished) throws IOException {
    Files.createDirectories(record().getParent());
    Json.write(
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
          && isOurs(Json.read(file, JsonNode.class))) {
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

  private static Kept kept(Path file, JsonNode json) throws IOException {
    if (json instanceof ObjectNode object && json.path("version").asInt() == 1) {
      object.putNull("seconds");
    }
    return ResultsFile.bind(file, json, Kept.class);
  }

  private static boolean isOurs(JsonNode json) {
    int version = json.path("version").asInt();
    return json.path("format").asText().equals(FORMAT) && version >= 1 && version <= VERSION;
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
      byte[] text = Json.plain(facts).toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
