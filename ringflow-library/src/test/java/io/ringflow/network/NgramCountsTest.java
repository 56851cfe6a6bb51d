package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.core.WeightedRows;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import io.ringflow.train.WarmStart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Counting takes the rows there is room for, and says how far it is. */
@ExtendWith(LeakCheck.class)
final class NgramCountsTest {
  /** Where memory is short, what comes first is counted. */
  @Test
  void asManyRowsAsThereIsRoomFor() {
    Order natural = Order.natural(NgramMixtureTest.LENGTH);
    NgramTable table =
        new NgramTable(
            NgramMixtureTest.alone(2, 100), NgramMixtureTest.SYMBOLS, -1, Groups.singles(natural));
    int[][] rows = NgramMixtureTest.rows(1, 60);
    double[][] counts = new double[2][];
    for (int few = 0; few < 2; few++) {
      int[][] given = few == 0 ? rows : Arrays.copyOf(rows, 25);
      NgramCounts counting =
          new NgramCounts(List.of(table), natural, 25L * NgramMixtureTest.LENGTH + 3);
      counting.add(WeightedRows.once(Arrays.copyOf(given, 20), new int[0][]));
      counting.add(WeightedRows.once(Arrays.copyOfRange(given, 20, given.length), new int[0][]));
      counting.add(WeightedRows.once(new int[0][], new int[0][]));
      try (Weights weights = Zoo.wild(table);
          Scope scope = Scope.inference()) {
        counting.write(weights);
        counts[few] = Tensors.toDoubles(table.counts(weights).flatten());
      }
    }
    assertThat(counts[0]).containsExactly(counts[1]);
    assertThat(Arrays.stream(counts[0]).max().orElseThrow())
        .isBetween(50.0, 25.0 * NgramMixtureTest.LENGTH);
  }

  /** Counting says how far it is, and ends where its thread is interrupted. */
  @Test
  void progressIsOfSymbolsOnBothSides() {
    Groups blocks = Groups.blocks(20, 4);
    Architecture architecture =
        Architecture.of(
            Space.uniform(20, 5), new GroupBase(blocks, NgramMixtureTest.alone(4, 5000)));
    List<WeightedRows> data =
        List.of(WeightedRows.once(NgramMixtureTest.cycles(1, 400), new int[0][]));
    List<Long> heard = new ArrayList<>();
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      WarmStart.fitBase(
          model,
          data,
          (done, total) -> {
            assertThat(total).isEqualTo(20 * 400);
            heard.add(done);
          });
      assertThat(heard).isSorted().startsWith(0L).endsWith(20 * 400L).hasSizeGreaterThan(20);
      assertThatThrownBy(
              () ->
                  WarmStart.fitBase(
                      model, data, (done, total) -> Thread.currentThread().interrupt()))
          .isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
