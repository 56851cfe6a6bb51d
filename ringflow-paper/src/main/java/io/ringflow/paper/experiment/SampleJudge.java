package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.corpus.KnownWords;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.oracle.NgramEntropy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Judges rows of text, samples or real ones, without asking the model they come from.
 *
 * <p>No measure says enough by itself: a text of one common word over and over is spelled well and
 * cheap to a model. Its entropies tell.
 *
 * @param words of the training text
 * @param model an exact model of the same text and rows; null for none. Borrowed
 * @param cardinality of a row's symbols
 * @param show a row as people read it
 */
record SampleJudge(
    KnownWords words, FlowModel model, int cardinality, Function<int[], String> show) {
  private static final int LONG = 4;

  /**
   * What is said of rows.
   *
   * @param spelling whole words, and those that the training text has
   * @param bits per character under the judge's model, and their standard error over rows, NaN of
   *     one; null without a model
   * @param unigram entropy of single characters, in bits
   * @param fourGram entropy of a character given the three before it, in bits: Shannon's
   */
  record Verdict(KnownWords.Count spelling, Estimate bits, double unigram, double fourGram) {}

  /** Judges rows of the model's space, at least one. */
  Verdict judge(int[][] rows) {
    List<String> lines = Arrays.stream(rows).map(show).toList();
    return new Verdict(
        words.count(lines),
        model == null ? null : bits(rows),
        NgramEntropy.bits(rows, 1, cardinality),
        NgramEntropy.bits(rows, LONG, cardinality));
  }

  private Estimate bits(int[][] rows) {
    double bit = rows[0].length * Math.log(2);
    double[] bits = Arrays.stream(model.logProb(rows)).map(nats -> -nats / bit).toArray();
    return bits.length == 1 ? new Estimate(bits[0], Double.NaN) : Estimate.mean(bits);
  }
}
