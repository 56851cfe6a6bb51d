package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Ranks;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gradients that go out in parts, and early, are those of one sum at the end. */
@ExtendWith(LeakCheck.class)
final class GradientExchangeTest {
  private static final Space SPACE = Space.uniform(6, 5);
  private static final int STEPS = 3;
  private static final int MAX_PARTS = 8;

  /** So small that every model is cut as often as it may be. */
  private static final long TINY = 16;

  private static final Map<String, Architecture> MODELS =
      Map.of(
          "layers",
          Architecture.of(SPACE, new AutoregressiveBase(Order.natural(6), new Made(16, 1)))
              .with(new Autoregressive(Order.reversed(6), new Made(16, 1), new ShiftScale()))
              .with(new Bipartite(Mask.even(6), new Transformer(8, 1, 2, 12), new Shift()))
              .with(new Bipartite(Mask.odd(6), new Lstm(4, 6, 1), new Shift())),
          "network",
          Architecture.of(
              SPACE, new AutoregressiveBase(Order.natural(6), new Transformer(16, 3, 2, 32))));

  private static int[][] rows(int rank, int step) {
    return Toys.rows(SPACE, 5 + rank, 10L * rank + step);
  }

  /** Adds the gradient of some rows to the weights' own. */
  private static void backward(FlowModel model, WorkingWeights weights, int[][] rows) {
    Tensor ids = Tensors.ids(rows, model.architecture().space().size(), model.device());
    int symbols = model.architecture().space().maxCardinality();
    var context = Estimators.straightThrough(weights.current(), Condition.NONE, 1);
    Symbols base = Models.layers(model).inverse(Symbols.withOneHot(ids, symbols), context);
    Models.base(model).logProb(base, context).sum().neg().backward();
  }

  /** What finish() gives, cleared after use. */
  private static double[] finished(GradientExchange exchange) {
    try (Scope scope = Scope.inference()) {
      Tensor gradients = exchange.finish();
      double[] numbers = Tensors.toDoubles(gradients);
      gradients.zero_();
      return numbers;
    }
  }

  /** The gradient of some rows, by one process with one whole sum. */
  private static double[] alone(FlowModel model, WorkingWeights weights, int[][] rows) {
    try (var exchange = new GradientExchange(ProcessGroup.single(), weights);
        Scope scope = Scope.training()) {
      assertThat(exchange.parts()).isEqualTo(1);
      backward(model, weights, rows);
      return finished(exchange);
    }
  }

  /** A team that sends nothing and remembers what it was to send, as it was then. */
  private static final class Recorder implements ProcessGroup {
    private final List<Sent> sent = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Sent(long from, double[] values) {
      long to() {
        return from + values.length;
      }
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public Pending allReduce(Tensor tensor) {
      sent.add(new Sent(tensor.storage_offset(), Tensors.toDoubles(tensor)));
      return () -> {};
    }

    @Override
    public void broadcast(Tensor tensor) {
      throw new AssertionError("an exchange of gradients has no leader");
    }

    @Override
    public void close() {
      // There is nobody to leave.
    }
  }

  @ParameterizedTest
  @CsvSource({"layers, FLOAT32", "layers, BFLOAT16", "network, FLOAT32", "network, BFLOAT16"})
  void whatGoesOutEarlyIsComplete(String name, Precision precision) {
    try (FlowModel model = FlowModel.create(MODELS.get(name), 1);
        var weights = new WorkingWeights(Models.weights(model), precision)) {
      for (int step = 0; step < STEPS; step++) {
        double[] wanted = alone(model, weights, rows(0, step));
        assertThat(Arrays.stream(wanted).filter(number -> number != 0)).hasSizeGreaterThan(100);
        var recorder = new Recorder();
        try (var exchange = new GradientExchange(recorder, weights, TINY);
            Scope scope = Scope.training()) {
          backward(model, weights, rows(0, step));
          assertThat(recorder.sent).as("before the backward pass has ended").isNotEmpty();
          assertThat(finished(exchange)).isEqualTo(wanted);
        }
        for (Recorder.Sent part : recorder.sent) {
          for (long i = part.from; i < part.to(); i++) {
            assertThat(part.values[(int) (i - part.from)]).isEqualTo(wanted[(int) i]);
          }
        }
      }
    }
  }

  /** All models, and parts of any size: every number is in one part, and they go in one order. */
  @Test
  void everyNumberIsInOnePart() {
    Map<String, Architecture> models = new LinkedHashMap<>(Toys.architectures());
    models.putAll(MODELS);
    models.put("many layers", manyLayers());
    models.forEach(
        (name, architecture) -> {
          try (FlowModel model = FlowModel.create(architecture, 1);
              var weights = new WorkingWeights(Models.weights(model), Precision.FLOAT32)) {
            long all = Models.weights(model).values().numel();
            LongStream.of(1, 7, 16, 64, 300, 1000, all / 3, all / 2, all / 2 + 1, all)
                .filter(least -> least > 0)
                .forEach(least -> assertPartition(name, weights, all, least));
          }
        });
  }

  private static Architecture manyLayers() {
    Architecture architecture = Architecture.of(Space.uniform(2, 5), new FactorizedBase());
    for (int i = 0; i < 30; i++) {
      architecture = architecture.with(new Bipartite(Mask.even(2), new LookupTable(), new Shift()));
    }
    return architecture;
  }

  private static void assertPartition(String name, WorkingWeights weights, long all, long least) {
    var recorder = new Recorder();
    int parts;
    try (var exchange = new GradientExchange(recorder, weights, least)) {
      parts = exchange.parts();
      double[] unused = finished(exchange);
    }
    assertThat(parts).as("%s of %d in parts of %d", name, all, least).isBetween(1, MAX_PARTS);
    if (all < 2 * least) {
      assertThat(parts).isEqualTo(1);
    }
    assertThat(recorder.sent).hasSize(parts);
    long end = 0;
    for (Recorder.Sent part :
        recorder.sent.stream().sorted(Comparator.comparing(Recorder.Sent::from)).toList()) {
      assertThat(part.from).isEqualTo(end);
      assertThat(part.values).isNotEmpty();
      end = part.to();
    }
    assertThat(end).isEqualTo(all);
  }

  /** The last of three has no rows, and so no backward pass that would tell it of anything. */
  @ParameterizedTest
  @CsvSource({"layers, 2, 2", "network, 2, 2", "layers, 3, 3", "network, 3, 3", "layers, 3, 2"})
  void theSumIsThatOfAllProcesses(String name, int size, int working) throws Exception {
    List<List<double[]>> byRank =
        Ranks.run(
            size,
            group -> {
              try (FlowModel model = FlowModel.create(MODELS.get(name), 1);
                  var weights = new WorkingWeights(Models.weights(model), Precision.FLOAT32);
                  var exchange = new GradientExchange(group, weights, TINY)) {
                assertThat(exchange.parts()).isBetween(2, MAX_PARTS);
                List<double[]> sums = new ArrayList<>();
                for (int step = 0; step < STEPS; step++) {
                  try (Scope scope = Scope.training()) {
                    if (group.rank() < working) {
                      backward(model, weights, rows(group.rank(), step));
                    }
                    sums.add(finished(exchange));
                  }
                }
                return sums;
              }
            });
    try (FlowModel model = FlowModel.create(MODELS.get(name), 1);
        var weights = new WorkingWeights(Models.weights(model), Precision.FLOAT32)) {
      for (int step = 0; step < STEPS; step++) {
        List<double[]> addends = new ArrayList<>();
        for (int rank = 0; rank < working; rank++) {
          addends.add(alone(model, weights, rows(rank, step)));
        }
        double[] sum = byRank.get(0).get(step);
        for (int i = 0; i < sum.length; i++) {
          int place = i;
          double wanted = addends.stream().mapToDouble(one -> one[place]).sum();
          double magnitude = addends.stream().mapToDouble(one -> Math.abs(one[place])).sum();
          // Two roundings in 32 bits at most, in whichever order they are added.
          assertThat(Math.abs(sum[i] - wanted)).isLessThanOrEqualTo(magnitude * 0x1p-23);
        }
        for (List<double[]> other : byRank) {
          assertThat(other.get(step)).isEqualTo(sum);
        }
      }
    }
  }
}
