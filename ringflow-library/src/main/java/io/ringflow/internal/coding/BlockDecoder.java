package io.ringflow.internal.coding;

import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.engine.Conditionals;
import java.nio.ByteBuffer;

/** Reads a block of rows that {@link BlockEncoder} wrote, as the model asks for their symbols. */
final class BlockDecoder implements Conditionals.Chooser {
  private final BlockShape shape;
  private final Cumulative cumulative;
  private final RansDecoder in;
  private int leftInRun;
  private double u;

  /**
   * Begins to read.
   *
   * @param bytes of the block, and nothing else
   */
  BlockDecoder(BlockShape shape, ByteBuffer bytes) {
    this.shape = shape;
    this.cumulative = new Cumulative(shape.maxSymbols());
    this.in = new RansDecoder(bytes);
  }

  @Override
  public int symbol(int row, int turn, double[] logProbs, int from) {
    int certain = shape.certain(row, turn);
    if (certain >= 0) {
      return certain;
    }
    if (leftInRun == 0) {
      startRun();
    }
    leftInRun--;
    shape.fill(cumulative, row, turn, logProbs, from);
    int symbol = cumulative.find(in.slot(), u);
    int start = Cumulative.boundary(cumulative.place(symbol), u);
    in.pop(start, Cumulative.boundary(cumulative.place(symbol + 1), u) - start);
    return symbol;
  }

  private void startRun() {
    Interruption.check();
    int number = Guard.find(in.slot());
    in.pop(Guard.start(number), Guard.frequency(number));
    u = Guard.offset(number);
    leftInRun = Guard.RUN;
  }

  /** Checks that all has been read. */
  void finish() {
    in.finish();
  }
}
