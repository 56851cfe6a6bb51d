package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Counts;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Looks up a row of logits for each output by the symbols of its parents, the positions it sees.
 *
 * <p>The rows of all outputs lie one after the other in one matrix. Output m reads the row {@code
 * firstRows[m] + sum_i strides[m, i] ids[i]} over the condition and the data: the symbols of its
 * parents as a number in mixed radix. What an output does not see has stride 0.
 *
 * <p>With soft inputs the logits would be multilinear in them. So at one-hot inputs the derivative
 * by symbol k of one input is the row in which that input alone is replaced by k. This gradient
 * costs K look-ups for each input and output.
 */
final class LookupTableConditioner implements CausalConditioner {
  /** A gigabyte of float32. */
  private static final long MAX_LOGITS = 1L << 28;

  private final int size;
  private final int symbols;
  private final int conditionSize;
  private final Parameter table; // [rows, width]
  private final Buffer firstRows; // [M]
  private final Buffer strides; // [M, C + D]
  private final List<List<Integer>> parents;
  private final int[] starts;
  private final List<LookupTableCounts.Output> counted = new ArrayList<>();

  /**
   * The table of some outputs.
   *
   * @param outputs the position of each output
   * @param parents the positions each output sees
   * @param sharedRows whether outputs with the same parents share their rows
   * @param starts where each group of a causal network begins; empty for a bipartite one
   */
  LookupTableConditioner(
      Space space,
      Space condition,
      List<Integer> outputs,
      List<List<Integer>> parents,
      boolean sharedRows,
      int width,
      int[] starts) {
    this.starts = starts;
    this.size = space.size();
    this.symbols = space.maxCardinality();
    this.conditionSize = condition.size();
    this.parents = parents;
    int count = parents.size();
    int columns = conditionSize + size;
    long[] stride = new long[count * columns];
    long[] firstRow = new long[count];
    Map<List<Integer>, Long> firstRowOf = new HashMap<>();
    long rows = 0;
    for (int m = 0; m < count; m++) {
      Long known = sharedRows ? firstRowOf.putIfAbsent(parents.get(m), rows) : null;
      firstRow[m] = known == null ? rows : known;
      long combinations = 1;
      for (int c = 0; c < conditionSize; c++) {
        stride[m * columns + c] = combinations;
        combinations = grow(combinations, condition.cardinality(c), width);
      }
      for (int position : parents.get(m)) {
        stride[m * columns + conditionSize + position] = combinations;
        combinations = grow(combinations, space.cardinality(position), width);
      }
      rows = known == null ? Math.addExact(rows, combinations) : rows;
      if (rows > MAX_LOGITS / width) {
        throw tooLarge();
      }
      long[] own = Arrays.copyOfRange(stride, m * columns, (m + 1) * columns);
      int position = outputs.get(m);
      counted.add(
          new LookupTableCounts.Output(
              position, space.cardinality(position), (int) firstRow[m], (int) combinations, own));
    }
    this.table = Parameter.normal(0.1, rows, width);
    this.firstRows = Buffer.longs(firstRow, count);
    this.strides = Buffer.longs(stride, count, columns);
  }

  private static long grow(long combinations, int cardinality, int width) {
    if (combinations > MAX_LOGITS / width / cardinality) {
      throw tooLarge();
    }
    return combinations * cardinality;
  }

  private static IllegalArgumentException tooLarge() {
    return new IllegalArgumentException(
        "a table with a row for every combination would exceed "
            + MAX_LOGITS
            + " logits: let it see fewer neighbours, or use a network");
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("table", table);
    registry.buffer(firstRows);
    registry.buffer(strides);
  }

  @Override
  public Tensor logits(Symbols input, EvaluationContext context) {
    Tensor rows = rows(input.ids(), context); // [B, M]
    Tensor logits = torch.embedding(context.get(table), rows); // [B, M, width]
    return input.carriesGradient() ? logits.add(inputGradient(input, rows, context)) : logits;
  }

  private Tensor rows(Tensor ids, EvaluationContext context) {
    return rows(ids, 0, context.get(firstRows).size(0), context);
  }

  /** The rows that the outputs {@code from … from + count - 1} read, {@code [B, count]}. */
  private Tensor rows(Tensor ids, long from, long count, EvaluationContext context) {
    Tensor all =
        conditionSize == 0 ? ids : Tensors.cat(1, context.condition().ids(), ids); // [B, C + D]
    // A product of matrices is much faster than integers of [B, count, C + D]. A float64 holds them
    // exactly: no number exceeds that of the table's rows.
    Tensor own = context.get(strides).narrow(0, from, count).to(ScalarType.Double);
    Tensor rows = all.to(ScalarType.Double).matmul(own.t()).to(ScalarType.Long); // [B, count]
    return rows.add(context.get(firstRows).narrow(0, from, count));
  }

  /** Zeros that have the gradient of the multilinear form, {@code [B, M, width]}. */
  private Tensor inputGradient(Symbols input, Tensor rows, EvaluationContext context) {
    Tensor frozen = context.get(table).detach();
    Tensor symbol = Tensors.range(symbols, rows); // [K]
    long lastRow = frozen.size(0) - 1;
    Tensor carrier = null;
    for (int position = 0; position < size; position++) {
      int at = position;
      if (parents.stream().noneMatch(list -> list.contains(at))) {
        continue;
      }
      Tensor step =
          context.get(strides).select(1, conditionSize + position).unsqueeze(-1); // [M, 1]
      Tensor own = input.ids().narrow(1, position, 1).unsqueeze(-1); // [B, 1, 1]
      // An output that does not see this position has step 0 and is masked out. The symbols that a
      // narrow position lacks might point past the end; their one-hot is zero.
      Tensor replaced =
          rows.unsqueeze(-1)
              .add(symbol.sub(own).mul(step))
              .clamp_max(new Scalar(lastRow)); // [B, M, K]
      Tensor logits = torch.embedding(frozen, replaced); // [B, M, K, width]
      Tensor visible = step.gt(new Scalar(0L)).unsqueeze(-1).to(logits.scalar_type()); // [M, 1, 1]
      Tensor weighted =
          logits
              .mul(visible)
              .mul(input.oneHot().select(1, position).unsqueeze(1).unsqueeze(-1))
              .sum(2); // [B, M, width]
      carrier = carrier == null ? weighted : carrier.add(weighted);
    }
    if (carrier == null) {
      return Tensors.zeros(frozen, 1);
    }
    return Tensors.gradientOnly(carrier);
  }

  @Override
  public Optional<Counts> counts() {
    return Optional.of(new LookupTableCounts(table, counted));
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    Tensor ids = Tensors.zeros(Tensors.range(1, context.get(firstRows)), batch, size); // [B, D]
    return new IncrementalDecoder() {
      private int group;

      @Override
      public Tensor logits() {
        int from = starts[group];
        Tensor rows = rows(ids, from, starts[group + 1] - (long) from, context);
        return torch.embedding(context.get(table), rows);
      }

      @Override
      public void append(Tensor chosen) {
        ids.narrow(1, starts[group], chosen.size(1)).copy_(chosen);
        group++;
      }
    };
  }
}
