package io.ringflow.paper.experiment;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Space;
import io.ringflow.core.WeightedRows;
import io.ringflow.paper.corpus.BitsPerCharacter;
import io.ringflow.paper.corpus.CutSentences;
import io.ringflow.paper.corpus.KnownWords;
import io.ringflow.paper.corpus.PennTreebank;
import io.ringflow.paper.corpus.Text8;
import io.ringflow.text.Text;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A corpus as text experiments want it: rows of one length.
 *
 * @param space of a row
 * @param batches training data by batch size and seed
 * @param counted all training rows, a part of them at a time
 * @param characters of the training text
 * @param refit training rows, enough to count marginals by
 * @param validation rows to choose weights by
 * @param test rows, scored once
 * @param show a row as people read it
 * @param words collects those of the training text, at every call anew
 */
record TextData(
    Space space,
    Source batches,
    Iterable<WeightedRows> counted,
    long characters,
    Rows refit,
    Rows validation,
    Rows test,
    Function<int[], String> show,
    Supplier<KnownWords> words) {
  private static final int GAME_ROWS = 1024;

  /** Makes training batches. */
  @FunctionalInterface
  interface Source {
    Batches of(int batchSize, long seed);
  }

  /**
   * Rows, and how many real characters they hold.
   *
   * @see BitsPerCharacter
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Rows(int[][] rows, long characters) {
    static Rows full(int[][] rows) {
      return new Rows(rows, Arrays.stream(rows).mapToLong(row -> row.length).sum());
    }

    /** At most so many, spread evenly. */
    Rows some(int most) {
      if (rows.length <= most) {
        return this;
      }
      int[][] chosen = new int[most][];
      Arrays.setAll(chosen, i -> rows[(int) ((long) i * rows.length / most)]);
      return new Rows(chosen, Math.max(1, Math.round((double) characters * most / rows.length)));
    }

    Batch batch() {
      return Batch.of(rows);
    }

    double charactersPerRow() {
      return (double) characters / rows.length;
    }
  }

  /**
   * Validation rows by which it is told what predictions are worth.
   *
   * @param most at most so many; 0 for as many as it takes
   */
  Rows gameRows(int most) {
    return validation.some(most == 0 ? GAME_ROWS : Math.min(most, GAME_ROWS));
  }

  /** The 27 letters of text8 in rows of some length: first 90 %, next 5 %, last 5 %. */
  static TextData text8(Path file, int length) throws IOException {
    Text.Split split = Text8.split(file);
    if (split.validation().length() < length || split.test().length() < length) {
      throw new DataFormatException(
          file,
          "is too short: its last 5 % must hold at least one row of " + length + " characters");
    }
    Text train = split.train();
    Text counted = train.slice(0, Math.min(train.length(), 20_000_000L));
    return new TextData(
        Space.uniform(length, train.vocabulary().size()),
        (batchSize, seed) -> train.windows(batchSize, length, seed),
        train.rowsInParts(length),
        train.length(),
        Rows.full(counted.rows(length)),
        Rows.full(split.validation().rows(length)),
        Rows.full(split.test().rows(length)),
        train.vocabulary()::text,
        () -> KnownWords.of(train));
  }

  /** The sentences of the Penn Tree Bank, padded to 288. */
  static TextData pennTreebank(Path folder) throws IOException {
    PennTreebank corpus = PennTreebank.read(folder);
    return of(corpus, sentences(corpus));
  }

  /** The same, with training sentences that are cut at random at first. */
  static TextData cutPennTreebank(Path folder) throws IOException {
    PennTreebank corpus = PennTreebank.read(folder);
    int end = corpus.vocabulary().id(PennTreebank.END);
    int padding = corpus.vocabulary().id(PennTreebank.PADDING);
    Source whole = sentences(corpus);
    return of(
        corpus,
        (batchSize, seed) -> new CutSentences(whole.of(batchSize, seed), end, padding, seed));
  }

  private static Source sentences(PennTreebank corpus) {
    return (batchSize, seed) -> Batches.shuffled(corpus.train().rows(), batchSize, seed);
  }

  private static TextData of(PennTreebank corpus, Source batches) {
    return new TextData(
        Space.uniform(PennTreebank.LENGTH, corpus.vocabulary().size()),
        batches,
        List.of(WeightedRows.once(corpus.train().rows(), new int[0][])),
        corpus.train().characters(),
        rows(corpus.train()),
        rows(corpus.validation()),
        rows(corpus.test()),
        corpus::text,
        () -> KnownWords.of(lines(corpus)));
  }

  /** The training sentences, which nothing has cut: all of their words count. */
  private static List<String> lines(PennTreebank corpus) {
    return Arrays.stream(corpus.train().rows()).map(row -> " " + corpus.text(row) + " ").toList();
  }

  private static Rows rows(PennTreebank.Sentences sentences) {
    return new Rows(sentences.rows(), sentences.characters());
  }
}
