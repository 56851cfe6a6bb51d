package io.ringflow.spi;

/** Collects the parameters, buffers and statistics of a {@link Module}. */
public interface ParameterRegistry {
  /**
   * A trainable tensor.
   *
   * @param name unique within its owner; part of the name in {@code model.safetensors}
   */
  void parameter(String name, Parameter parameter);

  /** A fixed tensor that follows from the architecture, and so is not stored with the model. */
  void buffer(Buffer buffer);

  /**
   * A tensor that is counted in data.
   *
   * @param name unique within its owner; part of the name in the model's file of statistics
   */
  void statistic(String name, Statistic statistic);

  /** The same collection, with {@code name.} before every name. */
  default ParameterRegistry within(String name) {
    ParameterRegistry outer = this;
    return new ParameterRegistry() {
      @Override
      public void parameter(String inner, Parameter parameter) {
        outer.parameter(name + "." + inner, parameter);
      }

      @Override
      public void buffer(Buffer buffer) {
        outer.buffer(buffer);
      }

      @Override
      public void statistic(String inner, Statistic statistic) {
        outer.statistic(name + "." + inner, statistic);
      }
    };
  }
}
