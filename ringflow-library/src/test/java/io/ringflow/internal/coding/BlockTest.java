package io.ringflow.internal.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.compress.Compressors;
import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
final class BlockTest {
  private static final int TURNS = 64;

  /** Of two symbols, such that the second begins at a chosen place before rounding. */
  private static double[] beginningAt(double place) {
    double first = (place - 1) / (Cumulative.TOTAL - 2);
    return new double[] {Math.log(first), Math.log1p(-first)};
  }

  /**
   * Encoded by one set of numbers and decoded by another that differs in the thirteenth digit. Some
   * places are so close to where the first offset rounds that noise pushes half of them over.
   */
  @Test
  void noiseDoesNotMatter() {
    int rows = 500;
    var random = new SplittableRandom(4);
    double[][] logProbs = new double[rows * TURNS][];
    int[] symbols = new int[rows * TURNS];
    for (int i = 0; i < logProbs.length; i++) {
      boolean onEdge = random.nextInt(400) == 0;
      double place = 2 + random.nextDouble() * (Cumulative.TOTAL - 4);
      logProbs[i] = beginningAt(onEdge ? Math.floor(place) + 0.5 : place);
      symbols[i] = random.nextDouble() < Math.exp(logProbs[i][0]) ? 0 : 1;
    }
    Architecture binary = Architecture.of(Space.uniform(TURNS, 2), new FactorizedBase());
    try (FlowModel model = FlowModel.create(binary, 1)) {
      BlockShape shape = BlockShape.of(new Conditionals(Models.engine(model)), rows, null);
      var encoder = new BlockEncoder(shape);
      double bits = 0;
      for (int i = logProbs.length - 1; i >= 0; i--) {
        encoder.symbol(i / TURNS, i % TURNS, symbols[i], logProbs[i], 0);
        bits -= logProbs[i][symbols[i]] / Math.log(2);
      }
      byte[] block = encoder.finish().orElseThrow();
      var decoder = new BlockDecoder(shape, ByteBuffer.wrap(block));
      int moved = 0;
      for (int i = 0; i < logProbs.length; i++) {
        double[] noisy = logProbs[i].clone();
        noisy[0] *= 1 + 1e-12 * (2 * random.nextDouble() - 1);
        noisy[1] *= 1 + 1e-12 * (2 * random.nextDouble() - 1);
        assertThat(decoder.symbol(i / TURNS, i % TURNS, noisy, 0)).isEqualTo(symbols[i]);
        moved += firstBoundary(noisy) == firstBoundary(logProbs[i]) ? 0 : 1;
      }
      decoder.finish();
      assertThat(moved).as("boundaries that the first offset would not have kept").isPositive();
      // Telling any other offset than the first takes 11 bits, and the state 64 at most.
      int runs = (symbols.length + Guard.RUN - 1) / Guard.RUN;
      assertThat(block.length * 8 - bits).isBetween(0.0, 11.1 * runs + 64);
    }
  }

  /** Rows seen all at once, and one by one: the same bytes. */
  @Test
  void blocksDoNotDependOnTheModelsBatches() {
    for (Architecture architecture : Compressors.architectures().values()) {
      try (FlowModel model = FlowModel.create(architecture, 5)) {
        var conditionals = new Conditionals(Models.engine(model));
        int[][] rows = model.sample(15, 6);
        BlockShape shape = BlockShape.of(conditionals, rows.length, null);
        var together = new BlockEncoder(shape);
        conditionals.visit(rows, together);
        var apart = new BlockEncoder(shape);
        for (int i = 0; i < rows.length; i++) {
          int row = i;
          conditionals.visit(
              new int[][] {rows[i]},
              (first, turn, symbol, logProbs, from) ->
                  apart.symbol(row, turn, symbol, logProbs, from));
        }
        assertThat(apart.finish().orElseThrow()).isEqualTo(together.finish().orElseThrow());
      }
    }
  }

  private static int firstBoundary(double[] logProbs) {
    var table = new Cumulative(2);
    table.fill(logProbs, 0, 2);
    return Cumulative.boundary(table.place(1), Guard.offset(0));
  }

  /** A place rules out one offset at most; this many, well chosen, rule out all. */
  @Test
  void withoutASafeOffsetThereIsNoBlock() {
    Architecture binary = Architecture.of(Space.uniform(TURNS, 2), new FactorizedBase());
    try (FlowModel model = FlowModel.create(binary, 1)) {
      for (int spared = 0; spared <= Guard.OFFSETS; spared++) {
        var encoder =
            new BlockEncoder(BlockShape.of(new Conditionals(Models.engine(model)), 1, null));
        for (int turn = 0; turn < Guard.OFFSETS; turn++) {
          double u = turn == spared ? 0 : Guard.offset(turn);
          encoder.symbol(0, turn, 0, beginningAt(1000 - u), 0);
        }
        assertThat(encoder.finish().isPresent()).isEqualTo(spared < Guard.OFFSETS);
      }
    }
  }

  /** The index of a symbol is how many are asked for before it. */
  @Test
  void symbolsAreWrittenInTheOrderTheyAreAskedFor() {
    Architecture groups =
        Architecture.of(
            Space.of(2, 3, 4, 1, 2), new GroupBase(Groups.growing(5, 2), new Made(9, 1)));
    try (FlowModel model = FlowModel.create(groups, 1)) {
      var conditionals = new Conditionals(Models.engine(model));
      for (int rows : new int[] {1, 2, 7}) {
        BlockShape shape = BlockShape.of(conditionals, rows, null);
        int[] asked = new int[1];
        assertThat(
                conditionals.choose(
                    rows,
                    (row, turn, logProbs, from) -> {
                      assertThat(shape.index(row, turn)).isEqualTo(asked[0]++);
                      return 0;
                    }))
            .hasNumberOfRows(rows);
        assertThat(asked[0]).isEqualTo(shape.symbols());
      }
    }
  }
}
