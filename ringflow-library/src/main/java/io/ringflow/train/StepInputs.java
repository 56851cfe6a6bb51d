package io.ringflow.train;

import io.ringflow.spi.Condition;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * What a step needs on the device.
 *
 * @param numbers that change from step to step: how many steps are done with this one, the
 *     temperature, and the rates of all parts that are updated; float32
 * @param weights of the rows, {@code [B]}; null where all count the same
 * @param condition null for an unconditional model
 */
record StepInputs(
    Tensor ids, Tensor numbers, Tensor dropoutSeed, Tensor weights, Tensor condition) {
  static StepInputs of(List<Tensor> inputs, boolean weighted, boolean conditional) {
    return new StepInputs(
        inputs.get(0),
        inputs.get(1),
        inputs.get(2),
        weighted ? inputs.get(3) : null,
        conditional ? inputs.get(inputs.size() - 1) : null);
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
