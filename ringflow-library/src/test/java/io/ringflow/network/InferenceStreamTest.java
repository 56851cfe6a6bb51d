package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.kernels.InferenceEverywhere;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attention networks say the same with the operators of inference as with libtorch's. */
@ExtendWith(LeakCheck.class)
final class InferenceStreamTest {
  private static final Space SPACE = Space.uniform(6, 5);
  private static final Transformer NETWORK = new Transformer(16, 3, 2, 24);

  /** By their names, and how often each attends a single position, of 30 rows at once. */
  static Map<String, Architecture> models() {
    Map<String, Architecture> models = new LinkedHashMap<>();
    models.put("causal", Architecture.of(SPACE, new AutoregressiveBase(Order.natural(6), NETWORK)));
    models.put(
        "groups",
        Architecture.of(SPACE, new GroupBase(Groups.cut(Order.natural(6), 1, 2, 3), NETWORK)));
    models.put(
        "bipartite",
        Architecture.of(SPACE, new FactorizedBase(null, 1))
            .with(new Bipartite(Mask.even(6), NETWORK, new ShiftScale()))
            .with(new Bipartite(Mask.odd(6), NETWORK, new ShiftScale())));
    models.put(
        "autoregressive layer",
        Architecture.of(SPACE, new FactorizedBase(null, 1))
            .with(new Autoregressive(Order.reversed(6), NETWORK, new ShiftScale())));
    return models;
  }

  static Stream<String> names() {
    return models().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void agreesWithLibtorch(String name) {
    try (FlowModel model = FlowModel.create(models().get(name), 1)) {
      int[][] rows = model.sample(30, 1);
      double[] scores = model.logProb(rows);
      int[][] encoded = model.encode(rows);
      try (InferenceEverywhere kernels = new InferenceEverywhere()) {
        assertThat(model.sample(30, 1)).isDeepEqualTo(rows);
        assertThat(model.logProb(rows)).containsExactly(scores, within(1e-12));
        assertThat(model.encode(rows)).isDeepEqualTo(encoded);
        assertThat(model.decode(encoded)).isDeepEqualTo(rows);
        assertThat(kernels.normalized()).isPositive();
        if (name.equals("causal")) {
          assertThat(kernels.attended()).isEqualTo(6 * 3);
        }
      }
    }
  }
}
