package io.ringflow.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.TensorTensorHook;

/**
 * Holds gradients of our own making for one backward pass: rules for values that libtorch did not
 * compute, what they need, and the gradients of parameters that they find on their way.
 *
 * <p>libtorch calls the rules while it runs the backward pass, on a thread of its own for a GPU. So
 * what they need must live longer than the scope of the forward pass, and belongs to the tape:
 *
 * <pre>{@code
 * try (BackwardTape tape = new BackwardTape();
 *     Scope scope = Scope.training()) {
 *   Tensor loss = ... with the tape in the evaluation context ...
 *   loss.backward();
 *   tape.finish();
 * }
 * }</pre>
 *
 * <p>For one backward pass. What a rule needed is freed as soon as it has run.
 */
public final class BackwardTape implements AutoCloseable {
  /** Records nothing: every gradient is libtorch's. */
  public static final BackwardTape NONE = new BackwardTape(false);

  private final boolean records;
  private final List<Hook> hooks = new ArrayList<>();
  private final List<Tensor> kept = new ArrayList<>();
  private final Map<Tensor, ParameterGradient> gradients = new HashMap<>();
  private Tensor returned; // the last rule's gradient, which libtorch copies after its call

  /** A tape for one backward pass. */
  public BackwardTape() {
    this(true);
  }

  private BackwardTape(boolean records) {
    this.records = records;
  }

  /** Whether there is a backward pass to record for. */
  public boolean records() {
    return records;
  }

  /**
   * A value with a gradient rule of its own.
   *
   * @param input what its gradient is passed on to; must require one
   * @param value of the input's shape and type, computed without gradients
   * @param rule from the gradient of the value, which is contiguous, to that of the input; called
   *     once, in a scope of its own, perhaps on another thread, and may not wait for the device
   * @param needed tensors of the rule's, kept until it has run
   */
  public synchronized Tensor record(
      Tensor input, Tensor value, UnaryOperator<Tensor> rule, Tensor... needed) {
    if (!records) {
      throw new IllegalStateException(
          "there is no backward pass to record for: see BackwardTape.records()");
    }
    // A view of the input that holds another value: libtorch passes the gradient of the one on to
    // the other, and the hook makes of it what it should be.
    Tensor output = input.alias();
    output.set_data(value);
    List.of(needed).forEach(this::keep);
    Hook hook = new Hook(rule, needed);
    hook.retainReference();
    hooks.add(hook);
    output.register_hook(hook);
    return output;
  }

  /** Keeps a tensor beyond its scope, until it is let go or the tape is closed. */
  public synchronized Tensor keep(Tensor tensor) {
    tensor.retainReference();
    kept.add(tensor);
    return tensor;
  }

  /** Lets go of a tensor that was kept. */
  public synchronized void release(Tensor tensor) {
    for (int i = kept.size() - 1; i >= 0; i--) { // a backward pass takes the last first
      if (kept.get(i) == tensor) {
        kept.remove(i);
        tensor.releaseReference();
        return;
      }
    }
    throw new IllegalStateException("the tape does not keep this tensor");
  }

  /**
   * Announces that a rule will find a gradient of a parameter, or a part of one. It is added to the
   * parameter's gradient when all that were announced are there: others count the writes to it.
   *
   * @param parameter borrowed; must live until the backward pass has ended
   */
  public synchronized void expectGradient(Tensor parameter) {
    gradients.computeIfAbsent(parameter, one -> new ParameterGradient()).missing++;
  }

  /** Hands in a gradient that was announced. */
  public synchronized void addGradient(Tensor parameter, Tensor gradient) {
    ParameterGradient whole = gradients.get(parameter);
    if (whole == null || whole.missing == 0) {
      throw new IllegalStateException("a gradient was not announced, or came before");
    }
    whole.missing--;
    whole.parts.add(keep(gradient));
    if (whole.missing == 0) {
      write(parameter, whole);
    }
  }

  private void write(Tensor parameter, ParameterGradient whole) {
    try (Scope scope = Scope.inference()) {
      Tensor sum = whole.parts.get(0);
      for (Tensor part : whole.parts.subList(1, whole.parts.size())) {
        sum = sum.add(part);
      }
      Tensor gradient = parameter.mutable_grad();
      if (gradient.defined()) {
        gradient.add_(sum);
      } else {
        gradient.put(sum.to(parameter.scalar_type()));
      }
    }
    whole.parts.forEach(this::release);
    whole.parts.clear();
  }

  /**
   * The backward pass has ended: adds the gradients of which a part is missing, because the result
   * does not depend on it.
   */
  public synchronized void finish() {
    gradients.forEach(
        (parameter, whole) -> {
          if (!whole.parts.isEmpty()) {
            write(parameter, whole);
          }
        });
    gradients.clear();
  }

  @Override
  public synchronized void close() {
    gradients.clear();
    kept.forEach(Tensor::releaseReference);
    kept.clear();
    hooks.forEach(Hook::releaseReference);
    hooks.clear();
  }

  private synchronized void replaceReturned(Tensor gradient) {
    if (returned != null) {
      release(returned);
    }
    returned = keep(gradient);
  }

  /** The parts of a parameter's gradient that are there, and how many are not. */
  private static final class ParameterGradient {
    final List<Tensor> parts = new ArrayList<>();
    int missing;
  }

  private final class Hook extends TensorTensorHook {
    private final UnaryOperator<Tensor> rule;
    private final Tensor[] needed;

    Hook(UnaryOperator<Tensor> rule, Tensor... needed) {
      this.rule = rule;
      this.needed = needed;
    }

    @Override
    public TensorBase call(TensorBase gradient) {
      try (gradient; // no scope is open on libtorch's thread
          Scope scope = Scope.inference()) {
        Tensor result = rule.apply(new Tensor(gradient).contiguous());
        replaceReturned(result);
        for (Tensor tensor : needed) {
          release(tensor);
        }
        return result;
      }
    }
  }
}
