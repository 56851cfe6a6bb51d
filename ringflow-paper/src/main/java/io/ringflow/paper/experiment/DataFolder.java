package io.ringflow.paper.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Where the data of experiments stands in one folder, under the names that it is published with.
 */
final class DataFolder {
  private static final List<String> LETTERS = List.of("text8", "text8.txt", "wiki27.txt");
  private static final List<String> SENTENCES = List.of("", "ptb", "simple-examples/data");
  private static final List<String> TABLES = List.of("DEBD/datasets", "debd", "tables");
  private static final List<String> MEASUREMENTS = List.of("ghz-n10.txt");
  private static final List<String> NETWORKS = List.of("bif", "networks");

  private DataFolder() {}

  /** Finds an experiment's data; nothing where it is not there, or the experiment needs none. */
  static Optional<Path> find(String experiment, Path folder) {
    return switch (experiment) {
      case "text8", "ablation", "passes", "passes-ablation" ->
          first(folder, LETTERS, Files::isRegularFile);
      case "ptb" ->
          first(folder, SENTENCES, found -> Files.exists(found.resolve("ptb.char.train.txt")));
      case "tables" -> first(folder, TABLES, Files::isDirectory);
      case "ghz" -> first(folder, MEASUREMENTS, Files::isRegularFile);
      case "bayes" -> first(folder, NETWORKS, Files::isDirectory);
      default -> Optional.empty();
    };
  }

  private static Optional<Path> first(Path folder, List<String> names, Predicate<Path> isData) {
    Stream<Path> candidates = names.stream().map(folder::resolve);
    return candidates.filter(isData).findFirst();
  }
}
