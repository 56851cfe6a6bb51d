package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ScoringRateTest {
  private static long multiplied(Space space, Network network) {
    Architecture architecture =
        Architecture.of(space, new AutoregressiveBase(Order.natural(space.size()), network));
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      return ScoringRate.multiplied(model);
    }
  }

  @Test
  void countsWeightMatricesAlone() {
    Space columns = Space.of(2, 3, 4);
    int symbols = 2 + 3 + 4;
    int made = symbols * 8 + 8 * symbols;
    assertThat(multiplied(columns, new Made(8, 1))).isEqualTo(made);
    List<List<List<Integer>>> direct =
        List.of(List.of(), List.of(List.of(0)), List.of(List.of(0, 1)));
    assertThat(multiplied(columns, new Made(8, 1, direct))).isEqualTo(made);
    Space letters = Space.uniform(5, 3);
    assertThat(multiplied(letters, new Lstm(4, 8, 1))).isEqualTo(4 * 8 * (4 + 8) + 8 * 3);
    assertThat(multiplied(letters, new Transformer(8, 2, 2, 16)))
        .isEqualTo(2 * (8 * 3 * 8 + 8 * 8 + 2 * 8 * 16) + 8 * 3);
  }

  @Test
  void holdsRatesAgainstTheMatrixProductOfTheSamePrecision() throws IOException {
    Map<Precision, Double> peaks = Map.of(Precision.FLOAT32, 1e9, Precision.FLOAT64, 2e9);
    var program = new ScoringRate(Device.CPU, 400, 1, 0, peaks::get);
    String text = Printed.by(program::print).text();
    List<List<String>> rows =
        text.lines()
            .filter(line -> line.startsWith("| t"))
            .map(line -> List.of(line.split(" *\\| *", -1)))
            .toList();
    assertThat(rows).extracting(row -> row.get(1)).hasSize(4).startsWith("table of 50 columns");
    assertThat(rows)
        .extracting(row -> row.get(2))
        .containsExactly("float64", "float32", "float64", "float32");
    double flops = 2.0 * 256 * (4 * 512 * (64 + 512) + 27 * 512);
    for (List<String> row : rows.subList(2, 4)) {
      double rate = number(row.get(3));
      double peak = row.get(2).equals("float64") ? 2e9 : 1e9;
      assertThat(row.get(5)).isEqualTo(ValueTable.value("%.2f", flops / 1e6));
      // The rate is printed to a tenth of a row, the share to a tenth of a percent.
      assertThat(number(row.get(6)) / 100)
          .isCloseTo(rate * flops / peak, offset(0.051 * flops / peak + 6e-4));
      assertThat(number(row.get(4))).isCloseTo(256 * rate, offset(14.0));
    }
    assertThat(text).contains("Seed 1, on cpu; ");
  }

  private static double number(String cell) {
    return Double.parseDouble(cell.replace(",", "").replace(" %", ""));
  }
}
