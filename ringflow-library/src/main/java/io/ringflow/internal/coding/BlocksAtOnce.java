package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.TorchException;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.engine.Conditionals;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads several blocks of rows at once. A GPU is busy with the rows of many blocks, and while some
 * threads look up symbols it computes for the others.
 *
 * @param threads that read side by side
 * @param blocksEach how many blocks a thread reads as one batch of rows
 */
public record BlocksAtOnce(int threads, int blocksEach) {
  /** One after the other. */
  public static final BlocksAtOnce ONE = new BlocksAtOnce(1, 1);

  /** So many that the matrix products of a GPU are large, and two threads to take turns. */
  static final BlocksAtOnce GPU = new BlocksAtOnce(2, 2);

  /** A block that is to be read. */
  record Block(BlockShape shape, ByteBuffer bytes) {}

  /** How many blocks to collect before reading them. */
  int count() {
    return threads * blocksEach;
  }

  /** The rows of each block. */
  List<int[][]> read(List<Block> blocks, Conditionals conditionals)
      throws CompressedFormatException {
    try {
      return blocks.size() == 1 ? batch(blocks, conditionals, 0) : sideBySide(blocks, conditionals);
    } catch (TorchException e) {
      if (e.kind() != TorchException.Kind.OUT_OF_MEMORY || blocks.size() == 1) {
        throw e;
      }
      List<int[][]> rows = new ArrayList<>();
      for (Block block : blocks) { // too many for this GPU
        rows.addAll(batch(List.of(block), conditionals, 0));
      }
      return rows;
    }
  }

  private List<int[][]> sideBySide(List<Block> blocks, Conditionals conditionals)
      throws CompressedFormatException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<List<int[][]>>> parts = new ArrayList<>();
      int each = (blocks.size() + threads - 1) / threads;
      for (int from = 0; from < blocks.size(); from += each) {
        List<Block> some = blocks.subList(from, Math.min(blocks.size(), from + each));
        int thread = parts.size();
        parts.add(pool.submit(() -> batch(some, conditionals, thread)));
      }
      List<int[][]> rows = new ArrayList<>();
      for (Future<List<int[][]>> part : parts) {
        rows.addAll(result(part));
      }
      return rows;
    } finally {
      pool.shutdownNow();
    }
  }

  private static List<int[][]> result(Future<List<int[][]>> part) throws CompressedFormatException {
    try {
      return part.get();
    } catch (InterruptedException e) {
      throw Interruption.cancelled(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CompressedFormatException damaged) {
        throw damaged;
      }
      if (e.getCause() instanceof RuntimeException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Reads blocks as one batch of rows, each by a decoder of its own. */
  private static List<int[][]> batch(List<Block> blocks, Conditionals conditionals, int slot)
      throws CompressedFormatException {
    try {
      List<BlockDecoder> decoders = new ArrayList<>();
      int[] starts = new int[blocks.size() + 1];
      for (Block block : blocks) {
        decoders.add(new BlockDecoder(block.shape, block.bytes.duplicate()));
        int next = decoders.size();
        starts[next] = starts[next - 1] + block.shape.rows();
      }
      int[] blockOf = new int[starts[blocks.size()]];
      for (int i = 0; i < blocks.size(); i++) {
        Arrays.fill(blockOf, starts[i], starts[i + 1], i);
      }
      int[][] rows =
          conditionals.choose(
              blockOf.length,
              (row, turn, logProbs, from) -> {
                int block = blockOf[row];
                return decoders.get(block).symbol(row - starts[block], turn, logProbs, from);
              },
              slot);
      List<int[][]> each = new ArrayList<>();
      for (int i = 0; i < blocks.size(); i++) {
        decoders.get(i).finish();
        each.add(Arrays.copyOfRange(rows, starts[i], starts[i + 1]));
      }
      return each;
    } catch (UncheckedIOException e) {
      throw damage(e);
    }
  }

  /** What a decoder found wrong, as a checked exception. */
  static CompressedFormatException damage(UncheckedIOException e) {
    if (e.getCause() instanceof CompressedFormatException damaged) {
      return damaged;
    }
    throw e;
  }
}
