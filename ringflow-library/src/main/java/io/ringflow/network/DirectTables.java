package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.core.WeightedRows;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Counts;
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
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Logits that child positions get from the symbols of one or two parent positions: {@code
 * logits[child] += T[a, b]}, a row for every combination of the parents' symbols. The rows start at
 * zero, or at counted log-frequencies ({@link #counts}).
 *
 * <p>A child may have several groups of parents. The first groups of all children are one table,
 * the second groups another, and so on. A child without a group in some table reads one constant
 * row there, which is a further bias.
 */
final class DirectTables implements Module {
  private final Space inputs;
  private final int size;
  private final int width;
  private final List<Slot> slots = new ArrayList<>();

  /**
   * The first or the second parent of every child.
   *
   * @param positions {@code [children]}: its input position
   * @param strides {@code [children]}: 0 where a child has no such parent
   * @param rowOffsets {@code [children, K]}: what each of its symbols adds to the row
   */
  private record Parent(Buffer positions, Buffer strides, Buffer rowOffsets) {
    static Parent of(long[] positions, long[] strides, Space inputs) {
      int symbols = inputs.maxCardinality();
      long[] offsets = new long[positions.length * symbols];
      for (int i = 0; i < offsets.length; i++) {
        int last = inputs.cardinality((int) positions[i / symbols]) - 1;
        offsets[i] = Math.min(i % symbols, last) * strides[i / symbols];
      }
      return new Parent(
          Buffer.longs(positions, positions.length),
          Buffer.longs(strides, strides.length),
          Buffer.longs(offsets, positions.length, symbols));
    }
  }

  /** One table: one group of parents, perhaps empty, for each child. */
  private static final class Slot {
    final List<List<Integer>> groups;
    final int[] starts; // where the rows of each child begin, and the number of all rows
    final Parameter table; // [rows, width]
    final Buffer firstRows; // [children]
    final List<Parent> parents = new ArrayList<>(); // the first ones and the second ones

    Slot(List<List<Integer>> groups, Space inputs, int width) {
      int children = groups.size();
      this.groups = groups;
      this.starts = new int[children + 1];
      long[][] positions = new long[2][children];
      long[][] strides = new long[2][children];
      for (int i = 0; i < children; i++) {
        int combinations = 1;
        for (int j = groups.get(i).size() - 1; j >= 0; j--) {
          positions[j][i] = groups.get(i).get(j);
          strides[j][i] = combinations;
          combinations = Math.multiplyExact(combinations, inputs.cardinality(groups.get(i).get(j)));
        }
        starts[i + 1] = Math.addExact(starts[i], combinations);
      }
      this.table = Parameter.zeros(starts[children], width);
      this.firstRows =
          Buffer.longs(Arrays.stream(starts, 0, children).asLongStream().toArray(), children);
      for (int j = 0; j < 2; j++) {
        parents.add(Parent.of(positions[j], strides[j], inputs));
      }
    }

    /** The row that a child reads for some input symbols, counted from its first row. */
    int row(int child, int[] symbols, Space inputs) {
      int row = 0;
      for (int parent : groups.get(child)) {
        row = row * inputs.cardinality(parent) + symbols[parent];
      }
      return row;
    }
  }

  /**
   * The tables of some children.
   *
   * @param inputs space of the parents
   * @param parents of each child: groups of one or two positions of {@code inputs}
   * @param width logits of a child
   */
  DirectTables(Space inputs, List<List<List<Integer>>> parents, int width) {
    this.inputs = inputs;
    this.size = parents.size();
    this.width = width;
    int most = parents.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < most; i++) {
      int slot = i;
      slots.add(
          new Slot(
              parents.stream()
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
      registry.buffer(slot.firstRows);
      for (Parent parent : slot.parents) {
        registry.buffer(parent.positions);
        registry.buffer(parent.strides);
        registry.buffer(parent.rowOffsets);
      }
    }
  }

  /**
   * Begins to count log-frequencies for the first table: of a child's symbol given both parents,
   * {@linkplain SmoothedCounts smoothed} with its frequency given the first parent, which is
   * smoothed with its frequency overall. Every input must also be a child, in the same order.
   */
  Optional<Counts> counts() {
    return slots.isEmpty() ? Optional.empty() : Optional.of(new Frequencies(slots.get(0)));
  }

  private final class Frequencies implements Counts {
    private final Slot slot;
    private final List<ChildCounts> children = new ArrayList<>();

    Frequencies(Slot slot) {
      this.slot = slot;
      for (int child = 0; child < size; child++) {
        children.add(new ChildCounts(child, slot));
      }
    }

    @Override
    public void add(WeightedRows data) {
      for (int i = 0; i < data.rows().length; i++) {
        for (ChildCounts child : children) {
          child.add(data.rows()[i], data.weights()[i]);
        }
      }
    }

    @Override
    public void write(ParameterValues weights) {
      double[] values = new double[slot.starts[size] * width];
      for (int child = 0; child < size; child++) {
        double[][] frequencies = children.get(child).smoothed();
        for (int row = 0; row < frequencies.length; row++) {
          for (int k = 0; k < inputs.cardinality(child); k++) {
            values[(slot.starts[child] + row) * width + k] = Math.log(frequencies[row][k]);
          }
        }
      }
      weights
          .get(slot.table)
          .copy_(
              Tensors.reals(
                  values, weights.precision(), weights.device(), slot.starts[size], width));
    }
  }

  /** How often a child's symbols occur, for each of its rows. */
  private final class ChildCounts {
    private final int child;
    private final Slot slot;
    private final List<Integer> group;
    private final double[] overall;
    private final double[][] byFirst;
    private final double[][] byAll;

    ChildCounts(int child, Slot slot) {
      this.child = child;
      this.slot = slot;
      this.group = slot.groups.get(child);
      int symbols = inputs.cardinality(child);
      this.overall = new double[symbols];
      this.byFirst = new double[group.isEmpty() ? 1 : inputs.cardinality(group.get(0))][symbols];
      this.byAll = new double[slot.starts[child + 1] - slot.starts[child]][symbols];
    }

    void add(int[] row, double weight) {
      overall[row[child]] += weight;
      byFirst[group.isEmpty() ? 0 : row[group.get(0)]][row[child]] += weight;
      byAll[slot.row(child, row, inputs)][row[child]] += weight;
    }

    double[][] smoothed() {
      double[] uniform = new double[overall.length];
      Arrays.fill(uniform, 1.0 / uniform.length);
      double[][] coarsest = SmoothedCounts.of(new double[][] {overall}, new double[][] {uniform});
      double[][] coarser = SmoothedCounts.of(byFirst, repeated(coarsest, byFirst.length));
      return group.size() < 2
          ? coarser
          : SmoothedCounts.of(byAll, repeated(coarser, byAll.length / byFirst.length));
    }
  }

  /** Every row so many times, one after the other. */
  private static double[][] repeated(double[][] rows, int times) {
    double[][] repeated = new double[rows.length * times][];
    Arrays.setAll(repeated, i -> rows[i / times]);
    return repeated;
  }

  /** Adds to the logits {@code [B, children, width]} of all children. */
  Tensor addTo(Tensor logits, Symbols input, EvaluationContext context) {
    if (!input.carriesGradient()) {
      return addTo(logits, input.ids(), 0, context);
    }
    Tensor sum = logits;
    for (Slot slot : slots) {
      sum = sum.add(differentiable(slot, input, context));
    }
    return sum;
  }

  /** Adds to the logits of the children {@code from …}, {@code [B, n, width]}. */
  Tensor addTo(Tensor logits, Tensor ids, int from, EvaluationContext context) {
    Tensor sum = logits;
    for (Slot slot : slots) {
      Tensor rows = rows(slot, ids, from, logits.size(1), context);
      sum = sum.add(torch.embedding(context.get(slot.table), rows));
    }
    return sum;
  }

  /** Adds to the logits of one child, {@code [B, 1, symbols]}, whose first symbols they are. */
  Tensor addTo(Tensor logits, Tensor ids, int child, int symbols, EvaluationContext context) {
    Tensor sum = logits;
    for (Slot slot : slots) {
      int first = slot.starts[child];
      Tensor own =
          context
              .get(slot.table)
              .narrow(0, first, slot.starts[child + 1] - (long) first)
              .narrow(1, 0, symbols);
      List<Integer> group = slot.groups.get(child);
      if (group.isEmpty()) {
        sum = sum.add(own);
        continue;
      }
      Tensor rows = ids.narrow(1, group.get(0), 1);
      for (int parent : group.subList(1, group.size())) {
        rows = rows.mul(new Scalar(inputs.cardinality(parent))).add(ids.narrow(1, parent, 1));
      }
      Tensor table = context.derived(List.of(slot, child), own::contiguous);
      sum = sum.add(torch.embedding(table, rows));
    }
    return sum;
  }

  /** The rows of a table that the children {@code from …} read, {@code [B, count]}. */
  private static Tensor rows(
      Slot slot, Tensor ids, int from, long count, EvaluationContext context) {
    Tensor rows = context.get(slot.firstRows).narrow(0, from, count);
    for (Parent parent : slot.parents) {
      Tensor symbols = ids.index_select(1, context.get(parent.positions).narrow(0, from, count));
      rows = symbols.mul(context.get(parent.strides).narrow(0, from, count)).add(rows);
    }
    return rows;
  }

  /**
   * The logits of a table as a function of straight-through one-hots s and t of both parents:
   * {@code sum_ab s_a t_b T_ab}, {@code [B, n, width]}. Needs memory for {@code [n, K, K, width]};
   * the straight-through estimate is for small models anyway.
   */
  private Tensor differentiable(Slot slot, Symbols input, EvaluationContext context) {
    int symbols = inputs.maxCardinality();
    Parent first = slot.parents.get(0);
    Parent second = slot.parents.get(1);
    Tensor rows =
        context
            .get(slot.firstRows)
            .view(-1, 1, 1)
            .add(context.get(first.rowOffsets).unsqueeze(2))
            .add(context.get(second.rowOffsets).unsqueeze(1)); // [n, K, K]
    Tensor table = context.get(slot.table);
    Tensor read = torch.embedding(table, rows).view(size, symbols, (long) symbols * width);
    Tensor byFirst =
        oneHot(first, input, table, context).transpose(0, 1).bmm(read); // [n, B, K * width]
    Tensor both = byFirst.transpose(0, 1).reshape(-1, size, symbols, width);
    return oneHot(second, input, table, context).unsqueeze(-1).mul(both).sum(2);
  }

  /** The one-hots of a parent of every child, that of symbol 0 where there is none. */
  private Tensor oneHot(Parent parent, Symbols input, Tensor like, EvaluationContext context) {
    Tensor oneHot = input.oneHotLike(like).narrow(-1, 0, inputs.maxCardinality());
    Tensor selected = oneHot.index_select(1, context.get(parent.positions)); // [B, n, K]
    Tensor exists = context.get(parent.strides).clamp_max(new Scalar(1)).view(-1, 1); // [n, 1]
    Tensor none =
        Tensors.oneHot(
            Tensors.zeros(exists, size, 1), inputs.maxCardinality(), oneHot.scalar_type());
    return torch.where(exists.gt(new Scalar(0)), selected, none.squeeze(1));
  }
}
