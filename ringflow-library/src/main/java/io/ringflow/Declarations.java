package io.ringflow;

/** Collects what a {@link Parametric} object needs. */
public interface Declarations {
  /**
   * A trainable tensor.
   *
   * @param name unique within its owner; part of the name in {@code model.safetensors}
   */
  void parameter(String name, Parameter parameter);

  /** A fixed tensor that follows from the architecture, and so is not stored with the model. */
  void constant(Constant constant);

  /** The same collection, with {@code name.} before every name. */
  default Declarations within(String name) {
    Declarations outer = this;
    return new Declarations() {
      @Override
      public void parameter(String inner, Parameter parameter) {
        outer.parameter(name + "." + inner, parameter);
      }

      @Override
      public void constant(Constant constant) {
        outer.constant(constant);
      }
    };
  }
}
