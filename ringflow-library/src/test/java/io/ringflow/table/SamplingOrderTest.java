package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Reorder;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.table.SamplingOrder.Turn;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of columns is read from the model's parts. */
final class SamplingOrderTest {
  private static final TableCodec CODEC =
      TableCodec.fit(
          DataTable.of(
              List.of("a", "b", "c", "d"),
              List.of(List.of("1", "1", "1", "1"), List.of("2", "2", "2", "2"))),
          CodecOptions.DEFAULTS);

  private static SamplingOrder of(Base base, Layer... layers) {
    var architecture = new Architecture(CODEC.space(), Space.NONE, base, List.of(layers));
    try (TableModel model =
        new TableModel(FlowModel.create(architecture, CODEC, Device.CPU, 1), CODEC)) {
      return SamplingOrder.of(model);
    }
  }

  private static Made made(List<List<List<Integer>>> direct) {
    return new Made(8, 1, direct);
  }

  @Test
  void columnsComeInTheOrderOfTheBaseWithTheirParents() {
    Made network = made(List.of(List.of(), List.of(List.of(0)), List.of(List.of(0, 1)), List.of()));
    // Base position p is the column at p in this order.
    Order order = new Order(List.of(2, 0, 3, 1));
    SamplingOrder found =
        of(new AutoregressiveBase(Order.natural(4), network), new Reorder(order.inverse()));
    assertThat(found.turns())
        .containsExactly(
            new Turn(1, List.of(2), List.of()),
            new Turn(2, List.of(0), List.of(2)),
            new Turn(3, List.of(3), List.of(2, 0)),
            new Turn(4, List.of(1), List.of()));
    assertThat(found.positions()).containsExactly(2, 0, 3, 1);
    assertThat(found.passes()).isEqualTo(4);
  }

  @Test
  void packedColumnsComeTogether() {
    Made network = made(List.of(List.of(), List.of(List.of(0))));
    SamplingOrder found = of(new GroupBase(Groups.blocks(2, 2), network), new Pack(2));
    assertThat(found.turns())
        .containsExactly(
            new Turn(1, List.of(0, 1), List.of()), new Turn(2, List.of(2, 3), List.of(0, 1)));
  }

  @Test
  void aFactorisedBaseTakesOnePass() {
    assertThat(of(new FactorizedBase()).turns())
        .hasSize(4)
        .allMatch(turn -> turn.pass() == 1 && turn.parents().isEmpty());
  }
}
