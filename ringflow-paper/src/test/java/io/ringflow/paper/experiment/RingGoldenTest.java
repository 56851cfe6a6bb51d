package io.ringflow.paper.experiment;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.paper.oracle.RingOfGaussians;
import io.ringflow.paper.oracle.RingOracle;
import io.ringflow.testing.Golden;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The ring's table, of trainings cut short: floors, and what each kind of layer learns, to the last
 * bit.
 */
@Tag("slow")
final class RingGoldenTest {
  private final RingOfGaussians ring = RingOfGaussians.paper();

  @Test
  void theTable() throws IOException {
    var golden = new Golden();
    RingOracle oracle = new RingOracle(ring.pmf());
    golden.reals("entropy", ring.entropy());
    golden.reals("factorised", ring.factorised());
    golden.reals("shifts", oracle.bestShifts(3, new SplittableRandom(1)));
    golden.reals("sorted", oracle.anyPermutation());
    golden.reals("sorted-twice", oracle.sortedTwice());
    TrainingOptions.Builder options = TrainingOptions.builder(60).learningRate(0.1);
    TrainingOptions fixed = options.build();
    TrainingOptions annealed = options.temperature(Temperature.annealed(5, 0.1)).build();
    TrainingOptions classified = options.objective(Objective.LAYERWISE_CROSS_ENTROPY).build();
    Map<String, Layer> layers = new LinkedHashMap<>();
    layers.put("bipartite", new Bipartite(Mask.even(2), new LookupTable(), new Shift()));
    layers.put(
        "autoregressive", new Autoregressive(Order.natural(2), new LookupTable(), new Shift()));
    layers.put("sorting", new Bipartite(Mask.even(2), new LookupTable(), new Permute()));
    for (Map.Entry<String, Layer> layer : layers.entrySet()) {
      if (layer.getKey().equals("sorting")) {
        row(golden, layer.getKey(), layer.getValue(), classified);
      } else {
        row(golden, layer.getKey() + "/fixed", layer.getValue(), fixed);
        row(golden, layer.getKey() + "/annealed", layer.getValue(), annealed);
      }
    }
    golden.check(RingGoldenTest.class, "ring.txt");
  }

  private void row(Golden golden, String name, Layer layer, TrainingOptions options)
      throws IOException {
    Architecture architecture =
        Architecture.of(Space.uniform(2, ring.k()), new FactorizedBase()).with(layer);
    try (FlowModel model = FlowModel.create(architecture, 5)) {
      WarmStart.fitBase(model, ring.sample(20_000, Batches.random(5, 0)));
      new Trainer(model, options)
          .train(Batches.sampled("points", 5, random -> Batch.of(ring.sample(256, random))));
      golden.floats(name, ring.crossEntropy(model.logProb(ring.cells())));
    }
  }
}
