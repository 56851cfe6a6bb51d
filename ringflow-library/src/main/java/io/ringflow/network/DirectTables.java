package io.ringflow.network;

import io.ringflow.Constant;
import io.ringflow.Declarations;
import io.ringflow.Parameter;
import io.ringflow.Parametric;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.Symbols;
import io.ringflow.Weights;
import io.ringflow.torch.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What the symbols of some positions add to the logits of others, by themselves: a row of logits
 * for every symbol of every speaker. They start at nothing, or at what was counted.
 *
 * <p>Listeners have different numbers of speakers: the first of each are one table, the second ones
 * another, and so on. Who has none there reads a row of its own, which is a bias more.
 */
final class DirectTables implements Parametric {
  /** How many rows the marginals count for beside those that were seen. */
  private static final double SMOOTHING = 2;

  private final Space inputs;
  private final int size;
  private final int symbols;
  private final int width;
  private final List<Slot> slots = new ArrayList<>();

  /** One speaker for each listener. */
  private static final class Slot {
    final Parameter table; // [rows, width]
    final Constant speakers; // [listeners]: an input position
    final Constant starts; // [listeners]: where its rows begin
    final Constant factors; // [listeners]: 0 where there is no speaker
    final Constant soft; // [listeners * K]: the row of each symbol, for soft ones
    final int[] who; // the speakers, -1 for none
    final int[] from; // where their rows begin
    final int rows;

    Slot(int[] speakers, Space inputs, int width) {
      int listeners = speakers.length;
      long[] heardOf = new long[listeners];
      long[] begins = new long[listeners];
      long[] heard = new long[listeners];
      int symbols = inputs.maxCardinality();
      long[] rowOf = new long[listeners * symbols];
      int next = 0;
      for (int i = 0; i < listeners; i++) {
        int count = speakers[i] < 0 ? 1 : inputs.cardinality(speakers[i]);
        heardOf[i] = Math.max(0, speakers[i]);
        heard[i] = speakers[i] < 0 ? 0 : 1;
        begins[i] = next;
        for (int k = 0; k < symbols; k++) {
          rowOf[i * symbols + k] = (long) next + Math.min(k, count - 1);
        }
        next = Math.addExact(next, count);
      }
      this.rows = next;
      this.who = speakers;
      this.from = Arrays.stream(begins).mapToInt(Math::toIntExact).toArray();
      this.table = Parameter.zeros(rows, width);
      this.speakers = Constant.longs(heardOf, listeners);
      this.starts = Constant.longs(begins, listeners);
      this.factors = Constant.longs(heard, listeners);
      this.soft = Constant.longs(rowOf, rowOf.length);
    }
  }

  /**
   * The tables of some listeners.
   *
   * @param inputs space of the positions that speak
   * @param speakers of each listener, positions of {@code inputs}
   * @param width logits of a listener
   */
  DirectTables(Space inputs, List<List<Integer>> speakers, int width) {
    this.inputs = inputs;
    this.size = speakers.size();
    this.symbols = inputs.maxCardinality();
    this.width = width;
    int most = speakers.stream().mapToInt(List::size).max().orElse(0);
    for (int slot = 0; slot < most; slot++) {
      int[] one = new int[size];
      for (int i = 0; i < size; i++) {
        one[i] = slot < speakers.get(i).size() ? speakers.get(i).get(slot) : -1;
      }
      slots.add(new Slot(one, inputs, width));
    }
  }

  @Override
  public void declare(Declarations declarations) {
    for (int i = 0; i < slots.size(); i++) {
      declarations.parameter(Integer.toString(i), slots.get(i).table);
      declarations.constant(slots.get(i).speakers);
      declarations.constant(slots.get(i).starts);
      declarations.constant(slots.get(i).factors);
      declarations.constant(slots.get(i).soft);
    }
  }

  /**
   * Sets what the first speakers say to what was counted: the logarithm of how often a listener had
   * a symbol when its speaker had another, smoothed by how often it had it at all.
   *
   * @param rows of positions that all speak and listen
   */
  void start(int[][] rows, Weights weights) {
    if (slots.isEmpty()) {
      return;
    }
    Slot first = slots.get(0);
    double[] values = new double[first.rows * width];
    for (int listener = 0; listener < size; listener++) {
      int speaker = first.who[listener];
      int from = first.from[listener];
      int count = speaker < 0 ? 1 : inputs.cardinality(speaker);
      double[] alone = new double[width];
      double[][] pairs = new double[count][width];
      for (int[] row : rows) {
        alone[row[listener]]++;
        pairs[speaker < 0 ? 0 : row[speaker]][row[listener]]++;
      }
      int own = inputs.cardinality(listener);
      for (int k = 0; k < own; k++) {
        double share = (alone[k] + 0.5) / (rows.length + 0.5 * own);
        for (int a = 0; a < count; a++) {
          double seen = Arrays.stream(pairs[a]).sum();
          values[(from + a) * width + k] =
              Math.log((pairs[a][k] + SMOOTHING * share) / (seen + SMOOTHING));
        }
      }
    }
    weights
        .get(first.table)
        .copy_(Tensors.reals(values, weights.precision(), weights.device(), first.rows, width));
  }

  /** Adds to the logits {@code [B, listeners, width]} of all. */
  Tensor addTo(Tensor logits, Symbols input, Pass pass) {
    if (!input.carriesGradient()) {
      return addTo(logits, input.ids(), 0, pass);
    }
    Tensor sum = logits;
    for (Slot slot : slots) {
      Tensor heard =
          input
              .shadowLike(pass.get(slot.table))
              .narrow(-1, 0, symbols)
              .index_select(1, pass.get(slot.speakers)); // [B, listeners, K]
      Tensor rows =
          pass.get(slot.table).index_select(0, pass.get(slot.soft)).view(size, symbols, width);
      sum = sum.add(heard.transpose(0, 1).bmm(rows).transpose(0, 1));
    }
    return sum;
  }

  /** Adds to the logits of the listeners {@code from …}, {@code [B, n, width]}. */
  Tensor addTo(Tensor logits, Tensor ids, int from, Pass pass) {
    long count = logits.size(1);
    Tensor sum = logits;
    for (Slot slot : slots) {
      Tensor heard = ids.index_select(1, pass.get(slot.speakers).narrow(0, from, count)); // [B, n]
      Tensor rows =
          heard
              .mul(pass.get(slot.factors).narrow(0, from, count))
              .add(pass.get(slot.starts).narrow(0, from, count));
      sum = sum.add(torch.embedding(pass.get(slot.table), rows));
    }
    return sum;
  }
}
