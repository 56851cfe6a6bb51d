package io.ringflow.testing;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.Metrics;
import io.ringflow.model.Provenance;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small models and data that train within moments. */
public final class Toys {
  private Toys() {}

  /** Two positions of five symbols, two layers of tables. */
  public static Architecture tables() {
    return Architecture.of(Space.uniform(2, 5), new FactorizedBase())
        .with(new Bipartite(Mask.even(2), new LookupTable(), new Shift()))
        .with(new Bipartite(Mask.odd(2), new LookupTable(), new ShiftScale()));
  }

  /** One architecture for every network and layer there is, by name. */
  public static Map<String, Architecture> architectures() {
    Space mixed = Space.of(2, 3, 4);
    Made made = new Made(12, 2);
    Lstm lstm = new Lstm(4, 6, 1);
    Transformer transformer = new Transformer(8, 1, 2, 12);
    Map<String, Architecture> all = new LinkedHashMap<>();
    all.put("base alone", Architecture.of(mixed, new FactorizedBase()));
    all.put("tables", tables());
    all.put(
        "nearest",
        Architecture.of(mixed, new FactorizedBase())
            .with(new Bipartite(Mask.even(3), new LookupTable(1), new Shift())));
    all.put(
        "made",
        Architecture.of(mixed, new AutoregressiveBase(Order.natural(3), made))
            .with(new Autoregressive(Order.reversed(3), made, new ShiftScale()))
            .with(new Bipartite(Mask.odd(3), made, new Shift())));
    all.put(
        "lstm",
        Architecture.of(mixed, new AutoregressiveBase(Order.reversed(3), lstm))
            .with(new Reorder(Order.of(2, 0, 1)))
            .with(new Bipartite(Mask.even(3), lstm, new Shift())));
    all.put(
        "transformer",
        Architecture.of(mixed, new FactorizedBase())
            .with(
                Chain.of(
                    new Autoregressive(Order.natural(3), transformer, new Shift()),
                    new Bipartite(Mask.firstHalf(3), transformer, new ShiftScale()))));
    all.put(
        "conditional",
        Architecture.of(mixed, new AutoregressiveBase(Order.natural(3), made))
            .condition(Space.of(3))
            .with(new Autoregressive(Order.natural(3), lstm, new Shift())));
    return all;
  }

  /** Rows whose symbols depend on their neighbours. */
  public static int[][] rows(Space space, int count, long seed) {
    var random = new SplittableRandom(seed);
    int[][] rows = new int[count][space.size()];
    for (int[] row : rows) {
      int last = (int) (Math.abs(random.nextGaussian()) * 2);
      for (int d = 0; d < row.length; d++) {
        last += random.nextInt(2);
        row[d] = last % space.cardinality(d);
      }
    }
    return rows;
  }

  /** A record of a training that there never was. */
  public static Provenance provenance(long steps) {
    return new Provenance(
        "1",
        "2",
        "3",
        "cpu",
        "2026-01-02T03:04:05Z",
        "toy",
        steps,
        1.5,
        0.1,
        null,
        "steps",
        Map.of("note", List.of(1.5, true)),
        new Provenance.Fit(
            null, 1, "autoregressive", new Metrics("nats per row", "5 rows", 1.5, 2, 3, 4)));
  }

  /** What rows of a conditional model are given; none for an unconditional one. */
  public static int[][] condition(Architecture architecture, int count, long seed) {
    Space space = architecture.condition();
    return space.size() == 0 ? new int[0][] : rows(space, count, seed);
  }
}
