package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.core.TorchException;
import io.ringflow.layer.Chain;
import io.ringflow.network.Made;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.testing.LeakCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where memory is too short for a chunk of rows, they come in smaller ones, with one result. */
@ExtendWith(LeakCheck.class)
final class ShortMemoryTest {
  private static final Space SPACE = Space.of(3, 2, 4);
  private static final int ROWS = 100;

  /** A base on a device whose memory is too short for more than some rows. */
  private static final class Hungry implements Distribution {
    private final Distribution base;
    private final int maxRows;
    private final List<Long> tried = new ArrayList<>();

    Hungry(Distribution base, int maxRows) {
      this.base = base;
      this.maxRows = maxRows;
    }

    private void eat(long rows) {
      tried.add(rows);
      if (rows > maxRows) {
        torch.empty(1L << 58); // libtorch has no such memory anywhere, and says so itself
      }
    }

    @Override
    public void register(ParameterRegistry registry) {
      base.register(registry);
    }

    @Override
    public Tensor logProb(Symbols symbols, EvaluationContext context) {
      eat(symbols.ids().size(0));
      return base.logProb(symbols, context);
    }

    @Override
    public Tensor logProbs(Symbols symbols, EvaluationContext context) {
      eat(symbols.ids().size(0));
      return base.logProbs(symbols, context);
    }

    @Override
    public Tensor choose(long rows, Choice choice, EvaluationContext context) {
      eat(rows);
      return base.choose(rows, choice, context);
    }

    @Override
    public Groups groups() {
      return base.groups();
    }

    @Override
    public int passes() {
      return base.passes();
    }
  }

  private static Hungry hungry(int maxRows) {
    return new Hungry(
        new AutoregressiveBase(Order.of(1, 2, 0), new Made(6, 1)).on(SPACE, Space.NONE), maxRows);
  }

  private static Engine engine(Distribution base) {
    Chain.Bound layers = new Chain(List.of()).on(SPACE, Space.NONE);
    return Engine.of(Space.NONE, layers, base, layout -> Weights.initial(layout, Device.CPU, 1));
  }

  private static int[][] rows() {
    int[][] all = SPACE.enumerate();
    int[][] rows = new int[ROWS][];
    Arrays.setAll(rows, i -> all[i * 7 % all.length]);
    return rows;
  }

  private static int[][] sample(Engine engine, int count, ProgressListener progress) {
    return engine.sample(count, Engine.UNCONDITIONAL, 5, SamplingOptions.DEFAULTS, progress);
  }

  private static double[] logProb(Engine engine, ProgressListener progress) {
    return engine.logProb(rows(), Engine.UNCONDITIONAL, Precision.FLOAT64, progress);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 31, 64, 99, 100})
  void resultsAreThoseOfEnoughMemory(int maxRows) {
    try (Engine tight = engine(hungry(maxRows));
        Engine enough = engine(hungry(ROWS))) {
      List<Long> done = new ArrayList<>();
      ProgressListener progress =
          (count, total) -> {
            assertThat(total).isEqualTo(ROWS);
            done.add(count);
          };
      assertThat(sample(tight, ROWS, progress))
          .isDeepEqualTo(sample(enough, ROWS, ProgressListener.IGNORED));
      assertThat(done).isSorted().doesNotHaveDuplicates().endsWith((long) ROWS);
      assertThat(sample(tight, 37, ProgressListener.IGNORED))
          .isDeepEqualTo(Arrays.copyOf(sample(enough, ROWS, ProgressListener.IGNORED), 37));
      assertThat(logProb(tight, ProgressListener.IGNORED))
          .containsExactly(logProb(enough, ProgressListener.IGNORED), within(1e-12));
      int[][] seen = new int[ROWS][SPACE.size()];
      var conditionals = new Conditionals(tight);
      conditionals.visit(
          rows(),
          (row, turn, symbol, logProbs, from) -> seen[row][conditionals.position(turn)] = symbol);
      assertThat(seen).isDeepEqualTo(rows());
    }
  }

  /** Every refusal costs the work up to it: halves, down to what fits, and never up again. */
  @Test
  void chunksAreHalvedOnceAndStaySmall() {
    Hungry base = hungry(20);
    try (Engine engine = engine(base)) {
      sample(engine, ROWS, ProgressListener.IGNORED);
      assertThat(base.tried).containsExactly(100L, 64L, 32L, 16L, 16L, 16L, 16L, 16L, 16L, 4L);
      base.tried.clear();
      logProb(engine, ProgressListener.IGNORED);
      assertThat(base.tried).containsExactly(16L, 16L, 16L, 16L, 16L, 16L, 4L);
    }
  }

  @Test
  void aSingleRowThatDoesNotFitIsAnError() {
    Hungry base = hungry(0);
    try (Engine engine = engine(base)) {
      TorchException e =
          catchThrowableOfType(
              TorchException.class, () -> sample(engine, 5, ProgressListener.IGNORED));
      assertThat(e.kind()).isEqualTo(TorchException.Kind.OUT_OF_MEMORY);
      assertThat(base.tried).containsExactly(5L, 4L, 2L, 1L);
    }
  }
}
