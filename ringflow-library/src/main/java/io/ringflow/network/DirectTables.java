package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What the symbols of some positions, alone or two together, add to the logits of others: a row of
 * logits for every combination of their symbols. They start at nothing, or at what was counted.
 *
 * <p>Listeners have different numbers of speakers: the first of each are one table, the second ones
 * another, and so on. Who has none there reads a row of its own, which is a bias more.
 */
final class DirectTables implements Module {
  /** How many rows the coarser share counts for beside those that were seen. */
  private static final double SMOOTHING = 4;

  private final Space inputs;
  private final int size;
  private final int width;
  private final List<Slot> slots = new ArrayList<>();

  /** One group of speakers for each listener. */
  private static final class Slot {
    final List<List<Integer>> speakers;
    final int[] from; // where each listener's rows begin, and all their number
    final Parameter table; // [rows, width]
    final Buffer starts; // [listeners]
    final Buffer[] who = new Buffer[2]; // [listeners]: an input position
    final Buffer[] strides = new Buffer[2]; // [listeners]: 0 where there is no such speaker
    final Buffer[] instead = new Buffer[2]; // [listeners, K]: what each symbol adds to the row

    Slot(List<List<Integer>> speakers, Space inputs, int width) {
      int listeners = speakers.size();
      this.speakers = speakers;
      this.from = new int[listeners + 1];
      long[][] positions = new long[2][listeners];
      long[][] steps = new long[2][listeners];
      for (int i = 0; i < listeners; i++) {
        int combinations = 1;
        for (int j = speakers.get(i).size() - 1; j >= 0; j--) {
          positions[j][i] = speakers.get(i).get(j);
          steps[j][i] = combinations;
          combinations =
              Math.multiplyExact(combinations, inputs.cardinality(speakers.get(i).get(j)));
        }
        from[i + 1] = Math.addExact(from[i], combinations);
      }
      this.table = Parameter.zeros(from[listeners], width);
      this.starts =
          Buffer.longs(Arrays.stream(from, 0, listeners).asLongStream().toArray(), listeners);
      for (int j = 0; j < 2; j++) {
        who[j] = Buffer.longs(positions[j], listeners);
        strides[j] = Buffer.longs(steps[j], listeners);
        instead[j] = instead(positions[j], steps[j], inputs);
      }
    }

    private static Buffer instead(long[] positions, long[] steps, Space inputs) {
      int symbols = inputs.maxCardinality();
      long[] added = new long[positions.length * symbols];
      for (int i = 0; i < added.length; i++) {
        int last = inputs.cardinality((int) positions[i / symbols]) - 1;
        added[i] = Math.min(i % symbols, last) * steps[i / symbols];
      }
      return Buffer.longs(added, positions.length, symbols);
    }

    /** Of a row of input symbols, counted among a listener's own rows. */
    int rowOf(int listener, int[] symbols, Space inputs) {
      int row = 0;
      for (int speaker : speakers.get(listener)) {
        row = row * inputs.cardinality(speaker) + symbols[speaker];
      }
      return row;
    }
  }

  /**
   * The tables of some listeners.
   *
   * @param inputs space of the positions that speak
   * @param speakers of each listener: groups of one or two positions of {@code inputs}
   * @param width logits of a listener
   */
  DirectTables(Space inputs, List<List<List<Integer>>> speakers, int width) {
    this.inputs = inputs;
    this.size = speakers.size();
    this.width = width;
    int most = speakers.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < most; i++) {
      int slot = i;
      slots.add(
          new Slot(
              speakers.stream()
                  .map(groups -> slot < groups.size() ? groups.get(slot) : List.<Integer>of())
                  .toList(),
              inputs,
              width));
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      registry.parameter(Integer.toString(i), slot.table);
      registry.constant(slot.starts);
      for (int j = 0; j < 2; j++) {
        registry.constant(slot.who[j]);
        registry.constant(slot.strides[j]);
        registry.constant(slot.instead[j]);
      }
    }
  }

  /**
   * Sets what the first speakers say to what was counted: the logarithm of how often a listener had
   * a symbol when they had theirs, smoothed by how often it did when the first of two had its own,
   * and that by how often it did at all.
   *
   * @param rows of positions that all speak and listen
   */
  void initialize(int[][] rows, ParameterValues target) {
    if (slots.isEmpty()) {
      return;
    }
    Slot first = slots.get(0);
    double[] values = new double[first.from[size] * width];
    for (int listener = 0; listener < size; listener++) {
      double[][] shares = shares(listener, first, rows);
      for (int row = 0; row < shares.length; row++) {
        for (int k = 0; k < inputs.cardinality(listener); k++) {
          values[(first.from[listener] + row) * width + k] = Math.log(shares[row][k]);
        }
      }
    }
    target
        .get(first.table)
        .copy_(
            Tensors.reals(values, target.precision(), target.device(), first.from[size], width));
  }

  private double[][] shares(int listener, Slot slot, int[][] rows) {
    int own = inputs.cardinality(listener);
    List<Integer> group = slot.speakers.get(listener);
    int heads = group.isEmpty() ? 1 : inputs.cardinality(group.get(0));
    double[] alone = new double[own];
    double[][] byHead = new double[heads][own];
    double[][] byAll = new double[slot.from[listener + 1] - slot.from[listener]][own];
    for (int[] row : rows) {
      alone[row[listener]]++;
      byHead[group.isEmpty() ? 0 : row[group.get(0)]][row[listener]]++;
      byAll[slot.rowOf(listener, row, inputs)][row[listener]]++;
    }
    double[] uniform = new double[own];
    Arrays.fill(uniform, 1.0 / own);
    smooth(alone, uniform);
    for (double[] counts : byHead) {
      smooth(counts, alone);
    }
    int perHead = byAll.length / heads;
    for (int i = 0; i < byAll.length; i++) {
      smooth(byAll[i], byHead[i / perHead]);
    }
    return byAll;
  }

  /** From counts to shares, towards others where there are few. */
  private static void smooth(double[] counts, double[] towards) {
    double all = Arrays.stream(counts).sum() + SMOOTHING;
    for (int k = 0; k < counts.length; k++) {
      counts[k] = (counts[k] + SMOOTHING * towards[k]) / all;
    }
  }

  /** Adds to the logits {@code [B, listeners, width]} of all. */
  Tensor addTo(Tensor logits, Symbols input, EvaluationContext context) {
    if (!input.carriesGradient()) {
      return addTo(logits, input.ids(), 0, context);
    }
    Tensor sum = logits;
    for (Slot slot : slots) {
      sum = sum.add(soft(slot, input, context));
    }
    return sum;
  }

  /** Adds to the logits of the listeners {@code from …}, {@code [B, n, width]}. */
  Tensor addTo(Tensor logits, Tensor ids, int from, EvaluationContext context) {
    Tensor sum = logits;
    for (Slot slot : slots) {
      sum =
          sum.add(
              torch.embedding(
                  context.get(slot.table), rows(slot, ids, from, logits.size(1), context)));
    }
    return sum;
  }

  /** The rows of a table that listeners read, {@code [B, n]}. */
  private static Tensor rows(
      Slot slot, Tensor ids, int from, long count, EvaluationContext context) {
    Tensor rows = context.get(slot.starts).narrow(0, from, count);
    for (int j = 0; j < 2; j++) {
      Tensor heard = ids.index_select(1, context.get(slot.who[j]).narrow(0, from, count));
      rows = heard.mul(context.get(slot.strides[j]).narrow(0, from, count)).add(rows);
    }
    return rows;
  }

  /**
   * The same from the shadow, which then has a gradient: {@code sum_ab s_a t_b T_ab} over the
   * symbols of both speakers, {@code [B, n, width]}. Takes {@code [n, K, K, width]}: for small
   * models, as the straight-through estimate itself is.
   */
  private Tensor soft(Slot slot, Symbols input, EvaluationContext context) {
    int symbols = inputs.maxCardinality();
    Tensor read =
        context
            .get(slot.starts)
            .view(-1, 1, 1)
            .add(context.get(slot.instead[0]).unsqueeze(2))
            .add(context.get(slot.instead[1]).unsqueeze(1)); // [n, K, K]
    Tensor rows =
        torch.embedding(context.get(slot.table), read).view(size, symbols, (long) symbols * width);
    Tensor byFirst = heard(slot, 0, input, context).transpose(0, 1).bmm(rows); // [n, B, K * width]
    Tensor both = byFirst.transpose(0, 1).reshape(-1, size, symbols, width);
    return heard(slot, 1, input, context).unsqueeze(-1).mul(both).sum(2);
  }

  /** The shadows of one speaker of each listener, and symbol 0 where there is none. */
  private Tensor heard(Slot slot, int speaker, Symbols input, EvaluationContext context) {
    Tensor oneHot =
        input.oneHotLike(context.get(slot.table)).narrow(-1, 0, inputs.maxCardinality());
    Tensor selected = oneHot.index_select(1, context.get(slot.who[speaker])); // [B, n, K]
    Tensor speaks =
        context.get(slot.strides[speaker]).clamp_max(new Scalar(1)).view(-1, 1); // [n, 1]
    Tensor none =
        Tensors.oneHot(
            Tensors.zeros(speaks, size, 1), inputs.maxCardinality(), oneHot.scalar_type());
    return torch.where(speaks.gt(new Scalar(0)), selected, none.squeeze(1));
  }
}
