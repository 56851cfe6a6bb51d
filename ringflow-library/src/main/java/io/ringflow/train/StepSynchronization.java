package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * What all processes of a group must agree on at a step, lest one stops while another continues:
 * the time, by rank 0's clock, and whether anybody wants to stop.
 *
 * <p>It is told while the step computes, and so is as old as the step's beginning.
 */
final class StepSynchronization {
  private final ProcessGroup group;
  private final Tensor numbers; // [2]: seconds, interrupts; on the CPU
  private ProcessGroup.Pending told;
  private double seconds;
  private boolean interrupted;

  /**
   * An agreement that no process wants to stop.
   *
   * @param seconds that training took so far
   * @param owner of what this keeps
   */
  StepSynchronization(ProcessGroup group, double seconds, TensorOwner owner) {
    this.group = group;
    this.seconds = seconds;
    try (Scope scope = Scope.inference()) {
      this.numbers = owner.keep(Tensors.zeros(Precision.FLOAT64, Device.CPU, 2));
    }
  }

  /** Begins to tell what this process knows. */
  void tell(double clock, boolean wantsToStop) {
    try (Scope scope = Scope.inference()) {
      numbers.narrow(0, 0, 1).fill_(new Scalar(group.isRankZero() ? clock : 0));
      numbers.narrow(0, 1, 1).fill_(new Scalar(wantsToStop ? 1.0 : 0));
      told = group.allReduce(numbers);
    }
  }

  /** Takes for true what was told. */
  void settle() {
    told.await();
    try (Scope scope = Scope.inference()) {
      double[] sums = Tensors.toDoubles(numbers);
      seconds = sums[0];
      interrupted = sums[1] > 0;
    }
  }

  double seconds() {
    return seconds;
  }

  boolean interrupted() {
    return interrupted;
  }
}
