package io.ringflow.network;

import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * One LSTM layer from left to right in float64 on a CPU, without gradients: the same operations as
 * libtorch's in less time. OpenBLAS sums small products of transposed matrices in another order, so
 * that the last bits may differ.
 *
 * <p>libtorch has one kernel for a whole layer in float32 only. In float64 it goes from step to
 * step, makes a dozen tensors at each, and has its BLAS transpose the weights anew every time. Here
 * they are transposed once, and all steps work in the same few tensors.
 */
final class UnrolledLstm {
  private final Tensor inputWeight; // [4 H, in]
  private final Tensor inputBias; // [4 H]
  private final Tensor hiddenWeight; // [4 H, H]
  private final Tensor hiddenBias; // [4 H]

  /** A layer with the weights of a {@link Recurrence}, in its order. */
  UnrolledLstm(Tensor weightIh, Tensor weightHh, Tensor biasIh, Tensor biasHh) {
    this.inputWeight = weightIh;
    this.inputBias = biasIh;
    this.hiddenWeight = weightHh;
    this.hiddenBias = biasHh;
  }

  /**
   * Reads a whole sequence {@code [B, T, in]} and returns its outputs {@code [B, T, H]}.
   *
   * @param first hidden state before the first element, {@code [B, H]}
   * @param cell state before the first element, {@code [B, H]}; afterwards that behind the last
   */
  Tensor run(Tensor input, Tensor first, Tensor cell) {
    Tensor byStep = input.transpose(0, 1).contiguous();
    Tensor products = Tensors.linear(byStep, inputWeight, inputBias); // [T, B, 4 H]
    long steps = products.size(0);
    long batch = first.size(0);
    long hidden = first.size(1);
    Tensor transposed = hiddenWeight.t().contiguous();
    Tensor outputs = Tensors.zeros(first, steps, batch, hidden);
    Tensor gates = Tensors.zeros(first, batch, 4 * hidden); // input, forget, new cell, output
    Tensor inputGate = gates.narrow(1, 0, hidden);
    Tensor forgetGate = gates.narrow(1, hidden, hidden);
    Tensor newCell = gates.narrow(1, 2 * hidden, hidden);
    Tensor outputGate = gates.narrow(1, 3 * hidden, hidden);
    Tensor squashed = Tensors.zeros(first, batch, hidden);
    for (long step = 0; step < steps; step++) {
      try (Scope scope = Scope.inference()) {
        Tensor state = step == 0 ? first : outputs.select(0, step - 1);
        torch.addmm_out(gates, hiddenBias, state, transposed);
        gates.add_(products.select(0, step));
        inputGate.sigmoid_();
        forgetGate.sigmoid_();
        newCell.tanh_();
        outputGate.sigmoid_();
        cell.mul_(forgetGate);
        cell.add_(inputGate.mul_(newCell));
        torch.tanh_out(squashed, cell);
        torch.mul_out(outputs.select(0, step), outputGate, squashed);
      }
    }
    return outputs.transpose(0, 1);
  }
}
