package io.ringflow.network;

import io.ringflow.Constant;
import io.ringflow.Declarations;
import io.ringflow.Parameter;
import io.ringflow.Parametric;
import io.ringflow.Pass;
import io.ringflow.torch.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What each symbol adds to the logits of what comes after it, by itself: a row of logits for every
 * input, of which a row of the data picks one a position.
 *
 * <p>Starts at nothing. Cost: a sum of D rows, where a product with one-hots would take as much as
 * there are symbols.
 */
final class DirectLogits implements Parametric {
  private final Parameter table; // [in, out]
  private final Constant mask; // [in, out]: who may speak to whom

  DirectLogits(int[] in, int[] out) {
    double[] connected = new double[Math.multiplyExact(in.length, out.length)];
    for (int i = 0; i < in.length; i++) {
      for (int o = 0; o < out.length; o++) {
        connected[i * out.length + o] = in[i] <= out[o] ? 1 : 0;
      }
    }
    this.table = Parameter.zeros(in.length, out.length);
    this.mask = Constant.reals(connected, in.length, out.length);
  }

  @Override
  public void declare(Declarations declarations) {
    declarations.parameter("table", table);
    declarations.constant(mask);
  }

  /** Of the inputs at some places: {@code [B, n]} to {@code [B, out]}. */
  Tensor at(Tensor places, Pass pass) {
    long[] starts = new long[(int) places.size(0)];
    Arrays.setAll(starts, i -> i * places.size(1));
    Tensor bags = Tensors.longs(starts, pass.weights().device(), starts.length);
    Tensor masked = pass.get(table).mul(pass.get(mask));
    return torch.embedding_bag(masked, places.flatten(), bags).get0();
  }

  /** Of soft inputs: {@code [B, in]} to {@code [B, out]}. */
  Tensor of(Tensor hot, Pass pass) {
    return hot.matmul(pass.get(table).mul(pass.get(mask)));
  }

  /** The outputs {@code from … from + count - 1} alone. */
  Tensor of(Tensor hot, long from, long count, Pass pass) {
    Tensor some = pass.get(table).narrow(1, from, count);
    return hot.matmul(some.mul(pass.get(mask).narrow(1, from, count)));
  }
}
