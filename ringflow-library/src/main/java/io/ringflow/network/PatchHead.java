package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/**
 * The logits of the symbols of patches: a vector for each, in which its patch and the symbols
 * before it in the patch are known, and perceptrons that work on all of them alike.
 */
final class PatchHead implements Module {
  private final int filter;
  private final PatchPlaces places;
  private final List<Perceptron> perceptrons;
  private final Head head;

  PatchHead(
      PatchTransformer sizes, PatchSymbols symbols, PatchOrder order, Space space, int outputs) {
    int width = sizes.headWidth();
    this.filter = sizes.headFilter();
    this.places = new PatchPlaces(sizes.trunk().width(), width, symbols, order);
    double branch = 1 / Math.sqrt(2.0 * sizes.headLayers());
    this.perceptrons =
        Stream.generate(() -> new Perceptron(width, filter, branch))
            .limit(sizes.headLayers())
            .toList();
    this.head = new Head(space, width, outputs);
  }

  /** {@code x + contract(gelu(expand(norm(x))))}. */
  private record Perceptron(Linear expand, Linear contract) {
    Perceptron(int width, int filter, double branch) {
      this(new Linear(width, filter, 1), new Linear(filter, width, branch));
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    places.register(registry);
    for (int i = 0; i < perceptrons.size(); i++) {
      perceptrons.get(i).expand.register(registry.within("perceptrons." + i + ".expand"));
      perceptrons.get(i).contract.register(registry.within("perceptrons." + i + ".contract"));
    }
    head.register(registry);
  }

  /** The vectors that the symbols are predicted from. */
  PatchPlaces places() {
    return places;
  }

  /** Logits of all positions in the order of their groups, see {@link PatchPlaces#apply}. */
  Tensor apply(Tensor patches, Symbols data, EvaluationContext context) {
    return head.apply(through(places.apply(patches, data, context), context), context);
  }

  /** Logits of one place of each patch of a group, see {@link PatchPlaces#at}. */
  Tensor at(int first, int turn, Tensor patches, Tensor known, EvaluationContext context) {
    return head.at(0, through(places.at(first, turn, patches, known, context), context), context);
  }

  private Tensor through(Tensor vectors, EvaluationContext context) {
    ResidualStream x = ResidualStream.of(vectors, filter, context);
    for (Perceptron one : perceptrons) {
      x = x.plus(one.contract, x.activated(one.expand));
    }
    return x.normalized();
  }
}
