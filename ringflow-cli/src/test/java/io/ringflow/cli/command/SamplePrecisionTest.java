package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.RingFlow;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.OrdersTable;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.table.Condition;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The option {@code sample --precision}. */
@Tag("slow")
final class SamplePrecisionTest {
  @TempDir static Path shared;
  private static Path model;

  @BeforeAll
  static void train() throws IOException {
    model = shared.resolve("orders.model");
    OrdersTable.train(OrdersTable.write(shared), model);
  }

  @Test
  void thePrecisionIsTheUsers() throws IOException {
    Object[] args = {"sample", model, "-n", 20, "--seed", 5, "--device", "cpu", "--precision"};
    String doubles =
        CommandResult.of("sample", model, "-n", 20, "--seed", 5, "--device", "cpu").output();
    assertThat(CommandResult.of(with(args, "float64")).output()).isEqualTo(doubles);
    var expected = new StringWriter();
    try (TableModel loaded = (TableModel) RingFlow.load(model)) {
      loaded
          .sample(20, Map.of(), Condition.ALWAYS, 5, Precision.FLOAT32, ProgressListener.IGNORED)
          .rows()
          .write(expected, ',');
    }
    assertThat(CommandResult.of(with(args, "float32")).output()).isEqualTo(expected.toString());
    CommandResult.of(with(args, "bfloat16"))
        .fails("precision bfloat16 needs a GPU; a CPU computes in float32 or float64");
    CommandResult.of(with(args, "half"))
        .isMisused("sample", "--precision must be float64, float32 or bfloat16, but is 'half'");
    CommandResult given = CommandResult.of(with(with(args, "float32"), "--given", "city=Oslo"));
    assertThat(given.code()).isZero();
    assertThat(given.out().lines().skip(1)).hasSize(20).allMatch(row -> row.startsWith("Oslo,"));
  }

  private static Object[] with(Object[] args, Object... more) {
    return Stream.of(args, more).flatMap(Arrays::stream).toArray();
  }
}
