package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Decodes position by position, each with the logits of its own symbols alone.
 *
 * <p>The first hidden units are sums of one weight vector for each symbol so far. They are looked
 * up and added as symbols come, where {@link MadeConditioner} multiplies one-hots, of which nearly
 * all is zeros. And nothing is padded. So a table whose columns differ much in their symbols takes
 * a fraction of the time.
 */
final class NarrowMadeDecoder implements IncrementalDecoder {
  private final NarrowMadeWeights weights;
  private final DirectTables direct;
  private final EvaluationContext context;
  private final Tensor chosen; // [B, D]
  private final Tensor sums; // [B, H]: inputs of the first hidden units
  private final List<Tensor> hidden = new ArrayList<>(); // [B, H] each
  private int position;

  /** Begins before the first position. */
  NarrowMadeDecoder(
      NarrowMadeWeights weights, DirectTables direct, long rows, EvaluationContext context) {
    this.weights = weights;
    this.direct = direct;
    this.context = context;
    chosen = weights.zeroIds(rows, context);
    sums = weights.first(context).repeat(rows, 1);
    for (int i = 0; i < weights.hiddenLayers(); i++) {
      hidden.add(Tensors.zeros(sums, rows, weights.units()));
    }
  }

  @Override
  public Tensor logits() {
    int computed = position == 0 ? 0 : weights.ready(position - 1);
    int ready = weights.ready(position);
    long more = (long) ready - computed;
    for (int i = 0; more > 0 && i < hidden.size(); i++) {
      Tensor inputs =
          i == 0
              ? sums.narrow(1, computed, more)
              : Tensors.linear(
                  hidden.get(i - 1).narrow(1, 0, ready),
                  weights.hidden(i, position, context),
                  weights.hiddenBiases(i, position, context));
      hidden.get(i).narrow(1, computed, more).copy_(inputs.relu());
    }
    Tensor biases = weights.outputBiases(position, context);
    Tensor logits =
        ready == 0
            ? biases.expand(sums.size(0), -1)
            : Tensors.linear(
                hidden.get(hidden.size() - 1).narrow(1, 0, ready),
                weights.output(position, context),
                biases);
    return direct.addTo(logits.unsqueeze(1), chosen, position, weights.count(position), context);
  }

  @Override
  public void append(Tensor ids) {
    chosen.narrow(1, position, 1).copy_(ids);
    // All units that are not computed yet see the position.
    int computed = weights.ready(position);
    long rest = (long) weights.units() - computed;
    if (rest > 0) {
      Tensor vectors = weights.vectors(position, context);
      sums.narrow(1, computed, rest).add_(vectors.index_select(0, ids.squeeze(1)));
    }
    position++;
  }
}
