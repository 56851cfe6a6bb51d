package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.network.Made;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A million symbols through layers that sort, and back, where step-by-step and all-at-once
 * evaluation of a network differ by rounding: no rank may fall between the two.
 *
 * <p>Networks as they start, whose logits lie close together.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class RoundTripTest {
  private static final Space SPACE = Space.uniform(24, 6);
  private static final Space RAGGED =
      new Space(IntStream.range(0, 24).mapToObj(d -> 1 + d * 5 % 13).toList());
  private static final int ROWS = 22_000;

  static List<Architecture> stacks() {
    Layer causal = new Autoregressive(Order.reversed(24), new Made(48, 1), new Permute());
    Layer even = new Bipartite(Mask.even(24), new Made(32, 1), new Permute());
    Layer odd = new Bipartite(Mask.odd(24), new Made(32, 1), new Permute());
    Layer packed = new Bipartite(Mask.even(12), new Made(16, 1), new Permute());
    Layer speaking = new Bipartite(Mask.odd(24), new Made(32, 1, Zoo.EVERYBODY), new Permute());
    Layer stepwise =
        new Autoregressive(Order.natural(24), new Made(48, 1, Zoo.EVERYBODY), new Permute());
    Base base = new FactorizedBase();
    return List.of(
        new Architecture(SPACE, Space.NONE, base, List.of(odd, causal, even)),
        new Architecture(SPACE, Space.NONE, base, List.of(packed, new Pack(2), causal)),
        new Architecture(RAGGED, Space.NONE, base, List.of(speaking, stepwise)));
  }

  @ParameterizedTest
  @MethodSource("stacks")
  void everySymbolComesBack(Architecture architecture) {
    int[][] rows = random(architecture.space(), ROWS);
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      int[][] encoded = model.encode(rows);
      assertThat(wrong(model.decode(encoded), rows)).isZero();
      assertThat(Arrays.deepEquals(encoded, rows)).isFalse();
      int[][] baseRows = random(Models.layers(model).baseSpace(), ROWS / 4);
      assertThat(wrong(model.encode(model.decode(baseRows)), baseRows)).isZero();
    }
  }

  private static int[][] random(Space space, int count) {
    var random = new SplittableRandom(11);
    int[][] rows = new int[count][space.size()];
    for (int[] row : rows) {
      Arrays.setAll(row, d -> random.nextInt(space.cardinality(d)));
    }
    return rows;
  }

  /** The number of symbols that differ. */
  private static long wrong(int[][] found, int[][] wanted) {
    long wrong = 0;
    for (int i = 0; i < wanted.length; i++) {
      for (int d = 0; d < wanted[i].length; d++) {
        wrong += found[i][d] == wanted[i][d] ? 0 : 1;
      }
    }
    return wrong;
  }
}
