package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.RingFlow;
import io.ringflow.base.FactorizedBase;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.OrdersTable;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Permute;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.table.Condition;
import io.ringflow.table.TableModel;
import io.ringflow.text.Text;
import io.ringflow.text.TextCodec;
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

/** The options {@code sample --precision} and {@code --temperature}. */
@Tag("slow")
final class SampleOptionsTest {
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
    assertThat(CommandResult.of(with(args, "float32")).output())
        .isEqualTo(sampled(20, SamplingOptions.DEFAULTS.withPrecision(Precision.FLOAT32)));
    CommandResult.of(with(args, "bfloat16"))
        .fails("precision bfloat16 needs a GPU; a CPU computes in float32 or float64");
    CommandResult.of(with(args, "half"))
        .isMisused("sample", "--precision must be float64, float32 or bfloat16, but is 'half'");
    CommandResult given = CommandResult.of(with(with(args, "float32"), "--given", "city=Oslo"));
    assertThat(given.code()).isZero();
    assertThat(given.out().lines().skip(1)).hasSize(20).allMatch(row -> row.startsWith("Oslo,"));
  }

  @Test
  void theTemperatureIsTheUsers() throws IOException {
    Object[] args = {"sample", model, "-n", 500, "--seed", 5, "--device", "cpu"};
    String own = CommandResult.of(args).output();
    assertThat(CommandResult.of(with(args, "--temperature", "1.0")).output()).isEqualTo(own);
    CommandResult cold = CommandResult.of(with(args, "--temperature", "0.4"));
    assertThat(cold.err()).isEmpty();
    assertThat(cold.output())
        .isNotEqualTo(own)
        .isEqualTo(sampled(500, SamplingOptions.DEFAULTS.withTemperature(0.4)));
    for (String refused : new String[] {"0.0", "-1.0", "NaN", "Infinity"}) {
      CommandResult.of(with(args, "--temperature", refused))
          .isMisused("sample", "--temperature must be above 0 and finite, but is " + refused);
    }
  }

  @Test
  void layersAreNotTempered() throws IOException {
    Path folder = shared.resolve("flow.model");
    Architecture base = Architecture.of(Space.uniform(4, 256), new FactorizedBase());
    var layer = new Bipartite(Mask.odd(4), new Made(4, 1), new Permute());
    TextCodec codec = TextCodec.of(Text.ofBytes(new byte[] {'a', 'b'}));
    try (FlowModel flow = FlowModel.create(base.with(layer), codec, Device.CPU, 1)) {
      flow.save(folder);
    }
    Object[] args = {"sample", folder, "-n", 1, "--device", "cpu", "--temperature"};
    assertThat(CommandResult.of(with(args, "0.8")).err())
        .isEqualTo("the temperature is that of the base alone: this model's layers move symbols\n");
    assertThat(CommandResult.of(with(args, "1")).err()).isEmpty();
  }

  private static String sampled(int count, SamplingOptions options) throws IOException {
    var rows = new StringWriter();
    try (TableModel loaded = (TableModel) RingFlow.load(model)) {
      loaded
          .sample(count, Map.of(), Condition.ALWAYS, 5, options, ProgressListener.IGNORED)
          .rows()
          .write(rows, ',');
    }
    return rows.toString();
  }

  private static Object[] with(Object[] args, Object... more) {
    return Stream.of(args, more).flatMap(Arrays::stream).toArray();
  }
}
