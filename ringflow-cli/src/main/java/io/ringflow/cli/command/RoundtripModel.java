package io.ringflow.cli.command;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;

/**
 * A deep model for {@link RoundtripCommand}: untrained, but with weights so large that the move of
 * every symbol depends on other symbols.
 *
 * <p>Each has eight layers: bipartite and autoregressive in turn, each of the four networks once
 * under either kind; shifts, shifts with scales, and sorting. From one model to the next networks
 * and maps change places, so that all models together hold every combination.
 *
 * @param name for people
 */
record RoundtripModel(String name, Architecture architecture) {
  private static final int LAYERS = 8;

  /** What initial weights are multiplied with; at 1 the biases would decide too often. */
  private static final double STRENGTH = 3;

  /** Every model of the round trip. */
  static List<RoundtripModel> all() {
    List<Integer> mixed = List.of(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 16, 17, 25, 27);
    return List.of(
        deep(0, "27 symbols (composite)", Space.uniform(32, 27), Space.NONE, 2),
        deep(1, "13 symbols (prime)", Space.uniform(32, 13), Space.NONE, 2),
        deep(2, "bits", Space.uniform(64, 2), Space.NONE, 6),
        deep(3, "mixed, 1 to 27 symbols", repeat(mixed, 2), Space.NONE, 2),
        deep(4, "10 symbols, on a condition", Space.uniform(32, 10), Space.of(3, 4), 2),
        deep(5, "mixed, on a condition", repeat(List.of(6, 2, 5, 3), 8), Space.of(5, 2), 2));
  }

  private static Space repeat(List<Integer> cardinalities, int times) {
    return new Space(
        Collections.nCopies(times, cardinalities).stream().flatMap(List::stream).toList());
  }

  private static RoundtripModel deep(
      int index, String name, Space space, Space condition, int neighbours) {
    List<Network> networks =
        List.of(
            new io.ringflow.network.LookupTable(neighbours),
            new Made(64, 1),
            new Lstm(12, 16, 1),
            new Transformer(16, 1, 2, 32));
    List<SymbolMap> maps = List.of(new Shift(), new ShiftScale(), new Permute());
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < LAYERS; i++) {
      int pair = i / 2;
      Network network = networks.get((pair + index) % networks.size());
      SymbolMap map = maps.get((i + pair + index) % maps.size());
      layers.add(
          i % 2 == 0
              ? new Bipartite(mask(pair, space.size()), network, map)
              : new Autoregressive(order(pair, space.size()), network, map));
    }
    return new RoundtripModel(
        name, new Architecture(space, condition, new FactorizedBase(), layers));
  }

  private static Mask mask(int pair, int size) {
    Mask blocks = Mask.blocks(size, 3);
    return List.of(Mask.even(size), Mask.odd(size), blocks, blocks.complement()).get(pair);
  }

  private static Order order(int pair, int size) {
    return switch (pair) {
      case 0 -> Order.natural(size);
      case 1 -> Order.reversed(size);
      default -> {
        List<Integer> positions = new ArrayList<>(IntStream.range(0, size).boxed().toList());
        Collections.shuffle(positions, new Random(pair));
        yield new Order(positions);
      }
    };
  }

  /** The model, to be closed by the caller. */
  FlowModel model(Device device, long seed) {
    FlowModel model = FlowModel.create(architecture, device, seed);
    try (Scope scope = Scope.inference()) {
      EngineAccess.of(model).weights().values().mul_(new Scalar(STRENGTH));
    }
    return model;
  }

  /** How many symbols all layers together move, for each row: each one a choice between logits. */
  long movesPerRow() {
    return architecture.layers().stream()
        .mapToLong(
            layer ->
                layer instanceof Bipartite bipartite
                    ? bipartite.mask().moved().size()
                    : architecture.space().size())
        .sum();
  }
}
