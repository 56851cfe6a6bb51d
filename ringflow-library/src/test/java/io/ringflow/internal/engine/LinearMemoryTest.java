package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.PeakMemory;
import io.ringflow.train.Estimators;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One layer over alphabets of growing size: what it takes grows as they do, not as their square.
 */
@ExtendWith(LeakCheck.class)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
final class LinearMemoryTest {
  private static final int ROWS = 256;
  private static final int POSITIONS = 8;

  /** What is done with a model and rows of symbols, within a scope that records gradients. */
  private enum Use {
    FORWARD {
      @Override
      void run(FlowModel model, Tensor ids) {
        try (Scope scope = Scope.inference()) {
          Models.layers(model).forward(Symbols.of(ids), context(model));
        }
      }
    },
    INVERSE {
      @Override
      void run(FlowModel model, Tensor ids) {
        try (Scope scope = Scope.inference()) {
          Models.layers(model).inverse(Symbols.of(ids), context(model));
        }
      }
    },
    CROSS_ENTROPY_STEP {
      @Override
      void run(FlowModel model, Tensor ids) {
        Estimators.crossEntropy(model, ids, context(model)).mean().backward();
      }
    },
    STRAIGHT_THROUGH_STEP {
      @Override
      void run(FlowModel model, Tensor ids) {
        int symbols = model.architecture().space().maxCardinality();
        EvaluationContext context =
            Estimators.straightThrough(Models.weights(model), Condition.NONE, 0.1);
        Models.logProb(model, Symbols.withOneHot(ids, symbols), context).mean().backward();
      }
    };

    abstract void run(FlowModel model, Tensor ids);

    private static EvaluationContext context(FlowModel model) {
      return new EvaluationContext(Models.weights(model), Condition.NONE);
    }
  }

  /** How many tensors as large as the logits each may take at its highest, at any size. */
  static Stream<Arguments> uses() {
    return Stream.of(
        Arguments.of(new Permute(), Use.FORWARD, 8),
        Arguments.of(new Permute(), Use.INVERSE, 8),
        Arguments.of(new Permute(), Use.CROSS_ENTROPY_STEP, 12),
        Arguments.of(new Shift(), Use.FORWARD, 3),
        Arguments.of(new Shift(), Use.INVERSE, 3),
        Arguments.of(new Shift(), Use.CROSS_ENTROPY_STEP, 10),
        Arguments.of(new Shift(), Use.STRAIGHT_THROUGH_STEP, 26));
  }

  /**
   * One bound for all sizes, in units that grow as the alphabet does. A single float matrix of K x
   * K numbers would be two units more at 2,500 symbols, and ten at 10,000.
   */
  @ParameterizedTest
  @MethodSource("uses")
  void growsAsTheAlphabetDoes(SymbolMap map, Use use, int most) throws IOException {
    peak(map, 500, use); // what is loaded on first use is no part of it
    for (int symbols : new int[] {2_500, 5_000, 10_000}) {
      double logits = ROWS * (POSITIONS / 2.0) * symbols * Float.BYTES / 1024;
      assertThat(peak(map, symbols, use) / logits).as("at " + symbols).isBetween(1.0, 1.0 * most);
    }
  }

  private static long peak(SymbolMap map, int symbols, Use use) throws IOException {
    Space space = Space.uniform(POSITIONS, symbols);
    Architecture architecture =
        Architecture.of(space, new FactorizedBase())
            .with(new Bipartite(Mask.even(POSITIONS), new Lstm(8, 8, 1), map));
    var random = new SplittableRandom(1);
    int[][] rows = new int[ROWS][];
    for (int i = 0; i < ROWS; i++) {
      rows[i] = random.ints(POSITIONS, 0, symbols).toArray();
    }
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      return PeakMemory.kilobytesOf(
          () -> {
            try (Scope scope = Scope.training()) {
              Models.weights(model).trackGradients();
              use.run(model, Tensors.ids(rows, POSITIONS, Device.CPU));
            }
          });
    }
  }
}
