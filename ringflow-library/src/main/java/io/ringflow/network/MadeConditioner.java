package io.ringflow.network;

import io.ringflow.CausalConditioner;
import io.ringflow.Constant;
import io.ringflow.Declarations;
import io.ringflow.Decoder;
import io.ringflow.Groups;
import io.ringflow.Mask;
import io.ringflow.Parameter;
import io.ringflow.Pass;
import io.ringflow.Space;
import io.ringflow.Symbols;
import io.ringflow.torch.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * A perceptron with masked weights.
 *
 * <p>Every unit has a <em>degree</em>: a unit may read from units of the layer below whose degree
 * is at most its own. An input in group g has degree g + 1, what is given has degree 0, an output
 * in group g has degree g; so it reaches inputs of earlier groups alone. Hidden units are spread
 * evenly over the degrees 0 … S - 1 and stored in ascending degree.
 *
 * <p>That order makes step-by-step evaluation cheap. When group g - 1 becomes known, exactly the
 * hidden units of degree g become computable, and they are a contiguous slice of each layer: all
 * steps together cost one pass.
 *
 * <p>A bipartite network is the case of two degrees: kept inputs 0, moved inputs 1, everything else
 * 0.
 */
final class MadeConditioner implements CausalConditioner {
  private final int width;
  private final int symbols;
  private final int givenSymbols;
  private final int givenSize;
  private final int size;
  private final int[] hiddenDegrees;
  private final int[] starts; // where each group of a causal network begins
  private final List<Masked> layers = new ArrayList<>(); // hidden ones, then the output

  /** One masked linear map. */
  private static final class Masked {
    final Parameter weight; // [out, in]
    final Parameter bias; // [out]
    final Constant mask; // [out, in]

    Masked(int[] in, int[] out) {
      double[] connected = new double[out.length * in.length];
      int fanIn = 1;
      for (int o = 0; o < out.length; o++) {
        int count = 0;
        for (int i = 0; i < in.length; i++) {
          if (in[i] <= out[o]) {
            connected[o * in.length + i] = 1;
            count++;
          }
        }
        fanIn = Math.max(fanIn, count);
      }
      this.weight = Parameter.uniform(1 / Math.sqrt(fanIn), out.length, in.length);
      this.bias = Parameter.uniform(1 / Math.sqrt(fanIn), out.length);
      this.mask = Constant.reals(connected, out.length, in.length);
    }

    Tensor apply(Tensor x, Pass pass) {
      return Tensors.linear(x, pass.get(weight).mul(pass.get(mask)), pass.get(bias));
    }

    /** The outputs {@code from … from + count - 1} alone. */
    Tensor apply(Tensor x, long from, long count, Pass pass) {
      Tensor rows = pass.get(weight).narrow(0, from, count);
      return Tensors.linear(
          x,
          rows.mul(pass.get(mask).narrow(0, from, count)),
          pass.get(bias).narrow(0, from, count));
    }
  }

  private MadeConditioner(
      Made made,
      Space space,
      Space given,
      int width,
      int[] inputDegrees,
      int[] hiddenDegrees,
      int[] outputDegrees,
      int[] starts) {
    this.starts = starts;
    this.width = width;
    this.size = space.size();
    this.symbols = space.maxCardinality();
    this.givenSize = given.size();
    this.givenSymbols = given.maxCardinality();
    this.hiddenDegrees = hiddenDegrees;
    int[] below = new int[givenSize * givenSymbols + size * symbols];
    for (int d = 0; d < size; d++) {
      int start = givenSize * givenSymbols + d * symbols;
      Arrays.fill(below, start, start + symbols, inputDegrees[d]);
    }
    for (int layer = 0; layer < made.layers(); layer++) {
      layers.add(new Masked(below, hiddenDegrees));
      below = hiddenDegrees;
    }
    int[] out = new int[outputDegrees.length * width];
    for (int t = 0; t < outputDegrees.length; t++) {
      Arrays.fill(out, t * width, (t + 1) * width, outputDegrees[t]);
    }
    layers.add(new Masked(below, out));
  }

  static MadeConditioner causal(Made made, Space space, Groups groups, Space given, int width) {
    int[] outputs = groups.inOrder();
    int[] inputs = Arrays.stream(outputs).map(group -> group + 1).toArray();
    int[] hidden = new int[made.hidden()];
    Arrays.setAll(hidden, h -> (int) ((long) h * groups.count() / hidden.length));
    Space inOrder = space.select(groups.order().positions());
    return new MadeConditioner(
        made, inOrder, given, width, inputs, hidden, outputs, groups.starts());
  }

  static MadeConditioner bipartite(Made made, Space space, Mask mask, Space given, int width) {
    int[] inputs = new int[space.size()];
    Arrays.setAll(inputs, d -> mask.keeps(d) ? 0 : 1);
    int[] outputs = new int[mask.moved().size()];
    return new MadeConditioner(
        made, space, given, width, inputs, new int[made.hidden()], outputs, new int[0]);
  }

  @Override
  public void declare(Declarations declarations) {
    for (int i = 0; i < layers.size(); i++) {
      Declarations inner = declarations.within("layers." + i);
      inner.parameter("weight", layers.get(i).weight);
      inner.parameter("bias", layers.get(i).bias);
      inner.constant(layers.get(i).mask);
    }
  }

  @Override
  public Tensor logits(Symbols input, Pass pass) {
    ScalarType type = pass.weights().precision().type();
    Tensor hot =
        input.carriesGradient()
            ? input.shadow().to(type)
            : Tensors.oneHot(input.ids(), symbols, type);
    Tensor x = withGiven(hot.flatten(1, 2), pass);
    for (int i = 0; i < layers.size() - 1; i++) {
      Tensor units = layers.get(i).apply(x, pass).relu();
      x = pass.dropout().on(units.unsqueeze(1)).squeeze(1);
    }
    return layers.get(layers.size() - 1).apply(x, pass).view(x.size(0), -1, width);
  }

  private Tensor withGiven(Tensor input, Pass pass) {
    if (givenSize == 0) {
      return input;
    }
    Tensor given = Tensors.oneHot(pass.context().ids(), givenSymbols, input.scalar_type());
    return Tensors.cat(1, given.flatten(1, 2), input);
  }

  @Override
  public Decoder decoder(long batch, Pass pass) {
    Tensor like = pass.get(layers.get(0).weight);
    Tensor input =
        withGiven(
            Tensors.zeros(like, batch, (long) size * symbols), pass); // filled as symbols come
    List<Tensor> hidden = new ArrayList<>(); // filled as units become computable
    for (int i = 0; i < layers.size() - 1; i++) {
      hidden.add(Tensors.zeros(like, batch, hiddenDegrees.length));
    }
    return new Decoder() {
      private int group;
      private int computed;

      @Override
      public Tensor logits() {
        int ready = computed;
        while (ready < hiddenDegrees.length && hiddenDegrees[ready] <= group) {
          ready++;
        }
        Tensor below = input;
        for (int i = 0; i < hidden.size(); i++) {
          if (ready > computed) {
            Tensor units = layers.get(i).apply(below, computed, ready - computed, pass).relu();
            hidden.get(i).narrow(1, computed, ready - computed).copy_(units);
          }
          below = hidden.get(i);
        }
        computed = ready;
        long from = starts[group];
        long count = starts[group + 1] - from;
        return layers
            .get(hidden.size())
            .apply(below, from * width, count * width, pass)
            .view(batch, count, width);
      }

      @Override
      public void append(Tensor ids) {
        long count = ids.size(1);
        long start = (long) givenSize * givenSymbols + (long) starts[group] * symbols;
        Tensor hot = Tensors.oneHot(ids, symbols, input.scalar_type()); // [B, n, K]
        input.narrow(1, start, count * symbols).copy_(hot.flatten(1, 2));
        group++;
      }
    };
  }
}
