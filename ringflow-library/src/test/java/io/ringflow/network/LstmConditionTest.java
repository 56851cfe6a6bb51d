package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a recurrent network reads the sequences of its condition. */
@ExtendWith(LeakCheck.class)
final class LstmConditionTest {
  private static final int D = 4;
  private static final Space SPACE = Space.uniform(D, 3);
  private static final Space CONDITION = Space.uniform(2 * D, 3);
  private static final Lstm ALONGSIDE = new Lstm(4, 6, 1, new Lstm.ConditionReading(2, true));

  /**
   * With an encoder of zeros, a symbol alongside position p changes the outputs from p's turn on.
   */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 3", "1, 2", "1, 0"})
  void aSymbolAlongsideIsReadAtItsPosition(int sequence, int position) {
    Order order = Order.of(2, 0, 3, 1);
    int turn = order.positions().indexOf(position);
    CausalConditioner network = ALONGSIDE.causal(SPACE, order, CONDITION, 5);
    int[] plain = new int[2 * D];
    int[] changed = plain.clone();
    changed[sequence * D + position] = 2;
    try (Weights weights = Zoo.wild(network);
        Scope scope = Scope.inference()) {
      for (Map.Entry<String, Parameter> named : weights.parameters().entrySet()) {
        if (named.getKey().contains("encoder")) {
          weights.get(named.getValue()).zero_();
        }
      }
      Symbols data = Symbols.of(Tensors.ids(new int[2][D], D, Device.CPU));
      EvaluationContext context =
          new EvaluationContext(weights, Zoo.condition(CONDITION, new int[][] {plain, changed}));
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
  void sequencesMustFitTheConditionAndTheData() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ALONGSIDE.causal(SPACE, Order.natural(D), Space.uniform(6, 3), 3))
        .withMessage("sequences of 3 symbols in the condition can't be read alongside 4 positions");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ALONGSIDE.causal(SPACE, Order.natural(D), Space.of(2, 3), 3))
        .withMessage("the condition [2, 3] does not consist of 2 equal sequences");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Lstm(4, 5, 1, new Lstm.ConditionReading(2, true)))
        .withMessageContaining("hidden 5 is not a multiple of 2 sequences");
    assertThatIllegalArgumentException().isThrownBy(() -> new Lstm.ConditionReading(0, false));
  }
}
