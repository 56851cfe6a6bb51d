package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which positions an output of a table sees. */
@ExtendWith(LeakCheck.class)
final class LookupTableTest {
  /** A square of four sites; 0 and 3 are not neighbours. */
  private static final LookupTable SQUARE =
      LookupTable.of(List.of(List.of(1, 2), List.of(0, 3), List.of(0, 3), List.of(1, 2)));

  @Test
  void anOutputSeesTheVisibleNeighboursOfItsPosition() {
    Space space = Space.uniform(4, 3);
    Architecture architecture =
        Architecture.of(space, new FactorizedBase())
            .with(new Autoregressive(Order.reversed(4), SQUARE, new Shift()));
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] rows = space.enumerate();
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
  }

  @Test
  void neighboursMustBeListedForEveryPosition() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SQUARE.bipartite(Space.uniform(3, 2), Mask.even(3), Space.NONE, 2))
        .withMessage("neighbours must be listed for 3 positions, but are for 4");
  }
}
