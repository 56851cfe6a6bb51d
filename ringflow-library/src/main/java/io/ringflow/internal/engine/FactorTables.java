package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.TorchException;
import io.ringflow.spi.Scope;
import io.ringflow.spi.TensorTarget;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A sum of tables of a few positions each, weighed on tensors: all tables lie one after the other,
 * and all factors of as many positions are looked up at once.
 *
 * <p>It holds plain arrays, which are copied to the device with each call: a few kilobytes for
 * lattices, beside which the rows themselves are large.
 */
public final class FactorTables implements TensorTarget {
  /** Lookups at a time, so that those of many rows do not outgrow the memory. */
  private static final long MAX_LOOKUPS = 1 << 23;

  private final int[] cardinalities;
  private final double[] values;
  private final double constant; // the sum of factors without positions
  private final List<Arity> arities = new ArrayList<>();

  /**
   * The factors of one number of positions.
   *
   * @param positions {@code [place, factor]}
   * @param strides of those in their tables
   * @param starts where each factor's table begins
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Arity(int places, long[] positions, long[] strides, long[] starts) {
    int factors() {
      return starts.length;
    }
  }

  /**
   * The sum of some tables.
   *
   * @param cardinalities of all positions
   * @param positions of each factor
   * @param strides of its positions in its values
   * @param values of each factor
   */
  public FactorTables(int[] cardinalities, int[][] positions, int[][] strides, double[][] values) {
    this.cardinalities = cardinalities.clone();
    this.values = Arrays.stream(values).flatMapToDouble(Arrays::stream).toArray();
    double sum = 0;
    Map<Integer, List<Integer>> byPlaces = new TreeMap<>();
    long[] starts = new long[values.length];
    long next = 0;
    for (int f = 0; f < values.length; f++) {
      starts[f] = next;
      next += values[f].length;
      if (positions[f].length == 0) {
        sum += values[f][0];
      } else {
        byPlaces.computeIfAbsent(positions[f].length, key -> new ArrayList<>()).add(f);
      }
    }
    this.constant = sum;
    byPlaces.forEach(
        (places, factors) -> {
          int count = factors.size();
          Arity arity =
              new Arity(
                  places, new long[places * count], new long[places * count], new long[count]);
          for (int i = 0; i < count; i++) {
            int f = factors.get(i);
            arity.starts[i] = starts[f];
            for (int place = 0; place < places; place++) {
              arity.positions[place * count + i] = positions[f][place];
              arity.strides[place * count + i] = strides[f][place];
            }
          }
          arities.add(arity);
        });
  }

  /** The factors of an arity on a device. */
  private record Placed(Tensor positions, Tensor strides, Tensor starts) {
    static Placed of(Arity arity, Device device) {
      return new Placed(
          Tensors.longs(arity.positions, device, arity.places, arity.factors()),
          Tensors.longs(arity.strides, device, arity.places, arity.factors()),
          Tensors.longs(arity.starts, device, arity.factors()));
    }

    /** The symbols at one place of every factor, times their strides: {@code [rows, factors]}. */
    Tensor share(Tensor rows, int place) {
      return rows.index_select(1, positions.select(0, place)).mul(strides.select(0, place));
    }

    /** Which entry each factor has for each row: {@code [rows, factors]}. */
    Tensor entries(Tensor rows) {
      Tensor entries = share(rows, 0).add_(starts);
      for (int place = 1; place < positions.size(0); place++) {
        entries.add_(share(rows, place));
      }
      return entries;
    }
  }

  private static Device device(Tensor rows) {
    return rows.is_cuda() ? Device.CUDA : Device.CPU;
  }

  private Tensor table(Device device) {
    return Tensors.reals(values, Precision.FLOAT64, device, values.length);
  }

  private static Tensor lookedUp(Tensor table, Tensor entries) {
    return table.index_select(0, entries.flatten()).view(entries.sizes());
  }

  @Override
  public Tensor logWeights(Tensor rows) {
    Device device = device(rows);
    Tensor result =
        Tensors.zeros(Precision.FLOAT64, device, rows.size(0)).add_(new Scalar(constant));
    Tensor table = table(device);
    for (Arity arity : arities) {
      Placed placed = Placed.of(arity, device);
      inBlocks(
          rows,
          arity.factors(),
          (block, from) ->
              result
                  .narrow(0, from, block.size(0))
                  .add_(lookedUp(table, placed.entries(block)).sum(1)));
    }
    return result;
  }

  /** What is done with some of the rows. */
  @FunctionalInterface
  private interface Work {
    void with(Tensor block, long from);
  }

  private static void inBlocks(Tensor rows, long lookups, Work work) {
    long size = Math.max(1, MAX_LOOKUPS / lookups);
    for (long from = 0; from < rows.size(0); from += size) {
      try (Scope scope = Scope.inference()) {
        work.with(rows.narrow(0, from, Math.min(size, rows.size(0) - from)), from);
      }
    }
  }

  /**
   * What the factors of each position would say of its symbols, the others of a row staying as they
   * are, computed on a device.
   *
   * @return {@code [row, position, symbol]} one after the other, as many symbols as the largest
   *     position has; 0 for symbols that a position does not have
   */
  public double[] gradient(int[][] rows, Device device) {
    int size = cardinalities.length;
    int width = Arrays.stream(cardinalities).max().orElse(0);
    try (Scope scope = Scope.inference()) {
      Tensor ids = Tensors.ids(rows, size, device);
      Tensor result = Tensors.zeros(Precision.FLOAT64, device, rows.length, size, width);
      Tensor table = table(device);
      Tensor last = // of each position's symbols
          Tensors.longs(
              Arrays.stream(cardinalities).mapToLong(cardinality -> cardinality - 1).toArray(),
              device,
              size);
      Tensor symbols = Tensors.range(width, ids);
      for (Arity arity : arities) {
        Placed placed = Placed.of(arity, device);
        for (int place = 0; place < arity.places; place++) {
          int at = place;
          Tensor positions = placed.positions.select(0, place);
          Tensor largest = last.index_select(0, positions).unsqueeze(1);
          Tensor had = torch.minimum(symbols, largest); // [factors, symbols]
          Tensor lacks = symbols.gt(largest);
          Tensor moves = had.mul(placed.strides.select(0, place).unsqueeze(1));
          inBlocks(
              ids,
              (long) arity.factors() * width,
              (block, from) -> {
                Tensor without = placed.entries(block).sub_(placed.share(block, at));
                Tensor found = lookedUp(table, without.unsqueeze(2).add(moves));
                result
                    .narrow(0, from, block.size(0))
                    .index_add_(1, positions, found.masked_fill(lacks, new Scalar(0.0)));
              });
        }
      }
      return Tensors.toDoubles(result);
    } catch (RuntimeException e) {
      throw TorchException.translate(e);
    }
  }
}
