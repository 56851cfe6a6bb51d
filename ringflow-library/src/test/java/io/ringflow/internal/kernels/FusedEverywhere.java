package io.ringflow.internal.kernels;

/** Fuses the operators of trainings on every device, a CPU too, until it is closed. */
public final class FusedEverywhere implements AutoCloseable {
  private final AtenKernels kernels = new AtenKernels();

  public FusedEverywhere() {
    FusedOperators.useEverywhere(kernels);
  }

  /** How many kernels have run. */
  public long calls() {
    return kernels.calls();
  }

  @Override
  public void close() {
    FusedOperators.useEverywhere(null);
  }
}
