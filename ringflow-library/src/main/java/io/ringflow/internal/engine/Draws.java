package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.graph.Computation;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Samples of an unconditional model with the base symbols that they were made from, and their
 * log-probabilities, which cost nothing more: the base has just said how likely its symbols are.
 *
 * @param baseRows one for each row
 * @param rows the same as {@link Engine#sample} draws
 * @param logProbs natural log-probability of each row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Draws(int[][] baseRows, int[][] rows, double[] logProbs) {
  /**
   * Draws from a model.
   *
   * @param progress hears after each chunk how many rows are done
   */
  public static Draws of(
      Engine engine, int count, long seed, Precision precision, ProgressListener progress) {
    Draws draws = new Draws(new int[count][], new int[count][], new double[count]);
    int size = engine.layers().baseSpace().size();
    RowUniforms numbers = new RowUniforms(seed, size);
    engine.inChunks(
        Way.STEPWISE,
        count,
        Engine.UNCONDITIONAL,
        precision,
        chunk -> {
          Tensor uniforms =
              Tensors.reals(
                  numbers.rows(chunk.from(), chunk.to(), chunk.padded()),
                  Precision.FLOAT64,
                  Device.CPU,
                  chunk.padded(),
                  size);
          chunk.evaluate(
              "draw",
              List.of(uniforms),
              (inputs, context, stops) -> queue(engine, inputs.get(0), context, stops),
              results -> draws.read(results, chunk));
          progress.done(chunk.to(), count);
        });
    return draws;
  }

  private static List<Tensor> queue(
      Engine engine, Tensor uniforms, EvaluationContext context, Computation.Stops stops) {
    long rows = uniforms.size(0);
    Tensor logProbs = Tensors.zeros(uniforms, rows); // filled in place: a group has its own scope
    Tensor base =
        engine
            .base()
            .choose(
                rows,
                (given, from) -> {
                  stops.at(null); // a graph for each pass
                  Tensor chosen =
                      Categorical.sample(given, uniforms.narrow(1, from, given.size(1)));
                  logProbs.add_(Categorical.logProb(Symbols.of(chosen), given));
                  return chosen;
                },
                context);
    Symbols made = engine.layers().forward(Symbols.of(base), context);
    return List.of(base, made.ids(), logProbs);
  }

  private Object read(List<Tensor> results, Chunk chunk) {
    System.arraycopy(Tensors.toRows(results.get(0)), 0, baseRows, chunk.from(), chunk.length());
    System.arraycopy(Tensors.toRows(results.get(1)), 0, rows, chunk.from(), chunk.length());
    System.arraycopy(Tensors.toDoubles(results.get(2)), 0, logProbs, chunk.from(), chunk.length());
    return null;
  }
}
