package io.ringflow.network;

import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The input of a bipartite recurrent network: the vectors of the symbols it sees, and at every
 * other position one learned vector that stands for "hidden" and belongs to no symbol.
 */
final class MaskedEmbedding implements Module {
  private final Embedding embedding; // null where nothing is seen
  private final Parameter hidden; // [H]
  private final Buffer seen; // [D, 1]

  MaskedEmbedding(Space space, Mask mask, int width) {
    this.embedding = mask.seen().isEmpty() ? null : new Embedding(space, width);
    this.hidden = Parameter.normal(1 / Math.sqrt(width), width);
    boolean[] flags = new boolean[mask.size()];
    mask.seen().forEach(d -> flags[d] = true);
    this.seen = Buffer.flags(flags, mask.size(), 1);
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (embedding != null) {
      embedding.register(registry);
      registry.buffer(seen);
    }
    registry.parameter("hidden", hidden);
  }

  /** The vectors of all positions, {@code [B, D, H]}. */
  Tensor apply(Symbols symbols, EvaluationContext context) {
    if (embedding == null) {
      return context.get(hidden).expand(symbols.ids().size(0), symbols.ids().size(1), -1);
    }
    return torch.where(context.get(seen), embedding.apply(symbols, context), context.get(hidden));
  }
}
