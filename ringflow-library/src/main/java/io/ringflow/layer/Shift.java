package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * Location only: {@code data = (base + shift) mod K_d}, the generalised XOR of section 3.2 with
 * scale 1.
 *
 * <p>Logits: one for each possible shift.
 *
 * @param logitBias added to the logit of shift 0: well above what an untrained network returns, it
 *     makes a layer start as the identity; 0 for a random start
 */
@JsonTypeName("shift")
public record Shift(double logitBias) implements SymbolMap {
  /** Starts at random. */
  public Shift() {
    this(0);
  }

  /** Checks the bias. */
  public Shift {
    LogitBias.check(logitBias);
  }

  @Override
  public int width(int maxCardinality) {
    return maxCardinality;
  }

  @Override
  public BoundMap on(Space positions, int maxCardinality) {
    return new Bound(
        new Rings(positions, maxCardinality), new LogitBias(logitBias, maxCardinality, 0));
  }

  @Override
  public Set<Objective> trainableBy() {
    return Objective.ofLikelihood();
  }

  private record Bound(Rings rings, LogitBias bias) implements BoundMap {
    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      bias.register(registry);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
      Tensor shift = rings.chosenShift(bias.on(logits, context), from, context);
      return rings.add(ids, shift, from, context);
    }

    @Override
    public Move inverse(Tensor ids, Tensor logits, EvaluationContext context) {
      Tensor masked = rings.masked(bias.on(logits, context), 0, context);
      Tensor shift = Tensors.argmax(masked); // [B, D]
      Tensor moved = rings.subtract(ids, shift, context);
      return new Move() {
        @Override
        public Tensor ids() {
          return moved;
        }

        @Override
        public List<Alternatives> alternatives(UnaryOperator<Tensor> tempered) {
          Tensor targets = rings.index(ids.unsqueeze(-1).sub(rings.symbols(context)), context);
          return List.of(new Alternatives(tempered.apply(masked), targets));
        }

        @Override
        public Tensor preimages() {
          return rings.index(rings.symbols(context).add(shift.unsqueeze(-1)), context);
        }

        @Override
        public Tensor symbolLogits() {
          return masked;
        }
      };
    }
  }
}
