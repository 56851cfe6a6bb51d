package io.ringflow.layer;

import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.network.Network;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** Counts how often networks of autoregressive layers are asked for logits. */
final class CountedCalls {
  private int calls;

  /** The number of calls since the last time. */
  int take() {
    int taken = calls;
    calls = 0;
    return taken;
  }

  /** A network whose calls are counted. */
  Network of(Network network) {
    return new Network() {
      @Override
      public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
        return network.bipartite(space, mask, condition, width);
      }

      @Override
      public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
        return counted(network.causal(space, groups, condition, width));
      }
    };
  }

  private CausalConditioner counted(CausalConditioner conditioner) {
    return new CausalConditioner() {
      @Override
      public void register(ParameterRegistry registry) {
        conditioner.register(registry);
      }

      @Override
      public Tensor logits(Symbols symbols, EvaluationContext context) {
        calls++;
        return conditioner.logits(symbols, context);
      }

      @Override
      public IncrementalDecoder decoder(long rows, EvaluationContext context) {
        IncrementalDecoder decoder = conditioner.decoder(rows, context);
        return new IncrementalDecoder() {
          @Override
          public Tensor logits() {
            calls++;
            return decoder.logits();
          }

          @Override
          public void append(Tensor ids) {
            decoder.append(ids);
          }
        };
      }
    };
  }
}
