package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.core.Objective;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * What a step needs on the device.
 *
 * @param ids of the rows, {@code [B, D]}
 * @param numbers that change from step to step: how many steps are done with this one, the
 *     temperature, and the rates of all parts that are updated; float32. Null where nothing of them
 *     is read on the device
 * @param dropoutSeed null where it is not read on the device
 * @param weights of the rows, {@code [B]}; null where all count the same
 * @param targetGradient with respect to one-hots, {@code [B, D, K]}; null except in {@link
 *     Objective#PATHWISE}
 * @param condition null for an unconditional model
 */
record StepInputs(
    Tensor ids,
    Tensor numbers,
    Tensor dropoutSeed,
    Tensor weights,
    Tensor targetGradient,
    Tensor condition) {
  /**
   * Which of them there are.
   *
   * @param weighted whether rows have weights
   * @param pathwise whether there is the gradient of a target
   * @param conditional whether rows have a condition
   */
  record Present(boolean weighted, boolean pathwise, boolean conditional) {}

  /** Those of a batch, on the host, without numbers and seed. */
  static List<Tensor> rows(Batch batch, Present present, Space space, Space condition) {
    List<Tensor> inputs = new ArrayList<>();
    inputs.add(Tensors.ids(batch.rows(), space.size(), Device.CPU));
    if (present.weighted) {
      inputs.add(reals(batch.weights(), batch.weights().length));
    }
    if (present.pathwise) {
      inputs.add(
          reals(batch.targetGradient(), batch.rows().length, space.size(), space.maxCardinality()));
    }
    if (present.conditional) {
      inputs.add(Tensors.ids(batch.condition(), condition.size(), Device.CPU));
    }
    return inputs;
  }

  private static Tensor reals(double[] values, long... shape) {
    return Tensors.reals(values, Precision.FLOAT32, Device.CPU, shape);
  }

  /** Takes what {@link #rows} made apart again. */
  static StepInputs of(List<Tensor> rows, Tensor numbers, Tensor dropoutSeed, Present present) {
    Iterator<Tensor> next = rows.iterator();
    return new StepInputs(
        next.next(),
        numbers,
        dropoutSeed,
        present.weighted ? next.next() : null,
        present.pathwise ? next.next() : null,
        present.conditional ? next.next() : null);
  }

  Tensor count() {
    return numbers.narrow(0, 0, 1);
  }

  Tensor temperature() {
    return numbers.select(0, 1);
  }

  Tensor rates() {
    return numbers.narrow(0, 2, numbers.size(0) - 2);
  }

  Condition given() {
    return condition == null ? Condition.NONE : new Condition(condition);
  }
}
