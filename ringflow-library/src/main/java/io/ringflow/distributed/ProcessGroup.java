package io.ringflow.distributed;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.bytedeco.pytorch.Tensor;

/**
 * The processes that train one model together: PyTorch's process group, as far as the library needs
 * it.
 *
 * <p>All processes run the same program on the same data. Each computes the gradient of its shard
 * of every batch, the gradients are all-reduced, and so all have the same weights after every step.
 * Rank 0 alone writes files. Every process must make the same calls in the same order, from one
 * thread.
 *
 * <pre>{@code
 * try (ProcessGroup group = ProcessGroup.fromEnvironment(Device.CPU)) {
 *   new Trainer(model, options).group(group).train(batches);
 * }
 * }</pre>
 *
 * @see Rendezvous how processes find each other
 */
public interface ProcessGroup extends AutoCloseable {
  /** The group of one process, which exchanges nothing. */
  static ProcessGroup single() {
    return SingleProcess.INSTANCE;
  }

  /** As {@link #fromEnvironment(Device, Consumer)}, with a listener that does nothing. */
  static ProcessGroup fromEnvironment(Device device) {
    return fromEnvironment(device, loss -> {});
  }

  /**
   * Joins the process group that the environment names; {@link #single} where it names none.
   *
   * @param device where the gradients are: Gloo carries them between CPUs, NCCL between GPUs
   * @param onLost as for {@link #join(Rendezvous, Device, Consumer)}
   * @throws IllegalArgumentException if variables are missing or have impossible values
   * @throws ProcessGroupException if the other processes can't be reached in time
   */
  static ProcessGroup fromEnvironment(Device device, Consumer<ProcessGroupException> onLost) {
    return Rendezvous.of(System.getenv())
        .map(rendezvous -> join(rendezvous, device, onLost))
        .orElse(single());
  }

  /** As {@link #join(Rendezvous, Device, Consumer)}, with a listener that does nothing. */
  static ProcessGroup join(Rendezvous rendezvous, Device device) {
    return join(rendezvous, device, loss -> {});
  }

  /**
   * Joins a process group; returns when all processes have joined.
   *
   * <p>In a group of GPUs a heartbeat notices when another process is gone, or does not answer
   * within the time-out. The next call of this group then throws. A thread that waits for its GPU
   * makes no next call and never returns: a program that wants to end must do so from the listener.
   *
   * @param device where the gradients are
   * @param onLost called at most once, when the heartbeat finds that another process is gone, on
   *     the heartbeat's thread; should return soon
   * @throws IllegalArgumentException if there is no such device
   * @throws ProcessGroupException if the other processes can't be reached in time
   */
  static ProcessGroup join(
      Rendezvous rendezvous, Device device, Consumer<ProcessGroupException> onLost) {
    Device.of(device.toString()); // throws where this machine has no such device
    return C10dProcessGroup.join(rendezvous, device, device == Device.CUDA, onLost);
  }

  /** The number of this process, from 0. */
  int rank();

  /** The number of processes. */
  int size();

  /** Whether this is the process that writes files and prints results. */
  default boolean isRankZero() {
    return rank() == 0;
  }

  /** A collective operation that has begun. */
  @FunctionalInterface
  interface Pending {
    /**
     * Waits for the operation; to be called once. On a GPU the kernels that follow wait for it, and
     * this thread does not.
     *
     * @throws ProcessGroupException if another process is gone, or does not answer in time
     */
    void await();
  }

  /**
   * Begins to add up a tensor over all processes, in place. The tensor must not be touched until
   * the operation is awaited; it then has the same bits on all processes.
   *
   * @param tensor contiguous
   */
  Pending allReduce(Tensor tensor);

  /**
   * Copies a tensor of rank 0 to all other processes, in place.
   *
   * @param tensor contiguous
   */
  void broadcast(Tensor tensor);

  /** Adds up numbers over all processes. */
  default double[] allReduce(double... numbers) {
    if (size() == 1 || numbers.length == 0) {
      return numbers;
    }
    try (Scope scope = Scope.inference()) {
      Tensor sum = Tensors.reals(numbers, Precision.FLOAT64, Device.CPU, numbers.length);
      allReduce(sum).await();
      return Tensors.toDoubles(sum);
    }
  }

  /** Waits until all processes have made this call. */
  default void barrier() {
    allReduce(0.0);
  }

  /**
   * Returns rank 0's text on all processes.
   *
   * @param text ignored on all processes but rank 0
   */
  default String broadcast(String text) {
    if (size() == 1) {
      return text;
    }
    byte[] bytes = isRankZero() ? text.getBytes(StandardCharsets.UTF_8) : new byte[0];
    int length = (int) allReduce(bytes.length)[0];
    // As doubles, which have an all-reduce already; these texts are short.
    double[] codes = new double[length];
    for (int i = 0; i < bytes.length; i++) {
      codes[i] = bytes[i];
    }
    byte[] received = new byte[length];
    double[] sums = allReduce(codes);
    for (int i = 0; i < length; i++) {
      received[i] = (byte) sums[i];
    }
    return new String(received, StandardCharsets.UTF_8);
  }

  /**
   * The numbers of all processes, by rank: exact, because only zeros are added to them.
   *
   * @param mine the numbers of this process; as many on every process
   */
  default double[][] allGather(double... mine) {
    double[] all = new double[size() * mine.length];
    System.arraycopy(mine, 0, all, rank() * mine.length, mine.length);
    double[] sums = allReduce(all);
    double[][] byRank = new double[size()][];
    Arrays.setAll(byRank, r -> Arrays.copyOfRange(sums, r * mine.length, (r + 1) * mine.length));
    return byRank;
  }

  /** Computes a shard of some numbers. */
  @FunctionalInterface
  interface ShardFunction {
    /**
     * The numbers {@code from <= i < to}.
     *
     * @param from index of the shard's first number
     * @param to index behind its last, above {@code from}
     */
    double[] compute(int from, int to);
  }

  /**
   * Computes numbers shard by shard, one on each process, and returns all numbers on all processes.
   * Each number is computed by one process, so a sum of them does not depend on the group's size.
   *
   * @param count how many numbers there are
   */
  default double[] sharded(int count, ShardFunction function) {
    Shard mine = Shard.of(count, rank(), size());
    double[] all = new double[count];
    if (mine.size() > 0) {
      double[] numbers = function.compute(mine.from(), mine.to());
      System.arraycopy(numbers, 0, all, mine.from(), numbers.length);
    }
    return allReduce(all);
  }

  /**
   * Marks this process as failed, before {@link #close}: the other processes then see its end as a
   * loss, and not as a process that left because its work was done.
   */
  default void abort() {}

  /** Leaves the process group. */
  @Override
  void close();
}
