package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What networks look at besides the data's earlier positions: sequences alongside, neighbours. */
@ExtendWith(LeakCheck.class)
final class LstmReadingTest {
  private static final int D = 4;
  private static final Space SPACE = Space.uniform(D, 3);
  private static final Space GIVEN = Space.uniform(2 * D, 3);
  private static final Lstm ALONGSIDE = new Lstm(4, 6, 1, new Lstm.ConditionReading(2, true));

  /** With an encoder that says nothing, a symbol alongside place p is read when p's turn comes. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 3", "1, 2", "1, 0"})
  void whatLiesAlongsideIsReadAtItsPlace(int sequence, int place) {
    Order order = Order.of(2, 0, 3, 1);
    int turn = order.positions().indexOf(place);
    CausalConditioner network = ALONGSIDE.causal(SPACE, order, GIVEN, 5);
    int[] plain = new int[2 * D];
    int[] changed = plain.clone();
    changed[sequence * D + place] = 2;
    try (Weights weights = Zoo.wild(network);
        Scope scope = Scope.inference()) {
      for (Map.Entry<String, Parameter> named : weights.parameters().entrySet()) {
        if (named.getKey().contains("encoder")) {
          weights.get(named.getValue()).zero_();
        }
      }
      Symbols data = Symbols.of(Tensors.ids(new int[2][D], D, Device.CPU));
      EvaluationContext context =
          EvaluationContext.of(weights, Zoo.condition(GIVEN, new int[][] {plain, changed}));
      Tensor logits = network.logits(data, context); // [2, D, 5]
      for (int t = 0; t < D; t++) {
        double[] before = Tensors.toDoubles(logits.select(0, 0).select(0, t));
        double[] after = Tensors.toDoubles(logits.select(0, 1).select(0, t));
        if (t < turn) {
          assertThat(after).as("turn " + t).isEqualTo(before);
        } else {
          assertThat(after).as("turn " + t).isNotEqualTo(before);
        }
      }
    }
  }

  @Test
  void sequencesMustFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ALONGSIDE.causal(SPACE, Order.natural(D), Space.uniform(6, 3), 3))
        .withMessage(
            "what is given has sequences of 3 symbols, which do not lie alongside 4 positions");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ALONGSIDE.causal(SPACE, Order.natural(D), Space.of(2, 3), 3))
        .withMessage("what is given, [2, 3], does not consist of 2 sequences alike");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Lstm(4, 5, 1, new Lstm.ConditionReading(2, true)))
        .withMessageContaining("hidden 5 is not a multiple of 2 sequences");
    assertThatIllegalArgumentException().isThrownBy(() -> new Lstm.ConditionReading(0, false));
  }

  @Test
  void aTableSeesItsNeighboursAlone() {
    // A square of four sites; 0 and 3 are not neighbours.
    LookupTable square =
        LookupTable.of(List.of(List.of(1, 2), List.of(0, 3), List.of(0, 3), List.of(1, 2)));
    Architecture architecture =
        Architecture.of(SPACE, new FactorizedBase())
            .with(new Autoregressive(Order.reversed(D), square, new Shift()));
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] rows = SPACE.enumerate();
      int[][] base = model.encode(rows);
      for (int i = 0; i < rows.length; i++) {
        for (int j = 0; j < rows.length; j++) {
          // Site 0 comes last and sees 1 and 2, whatever 3 is; site 2 sees 3 alone.
          if (rows[i][0] == rows[j][0] && rows[i][1] == rows[j][1] && rows[i][2] == rows[j][2]) {
            assertThat(base[i][0]).isEqualTo(base[j][0]);
          }
          if (rows[i][2] == rows[j][2] && rows[i][3] == rows[j][3]) {
            assertThat(base[i][2]).isEqualTo(base[j][2]);
          }
        }
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> square.bipartite(Space.uniform(3, 2), Mask.even(3), Space.NONE, 2))
        .withMessage("neighbours must be listed for 3 positions, but are for 4");
  }
}
