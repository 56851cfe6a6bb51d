package io.ringflow.distributed;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/**
 * The processes that work on one training: PyTorch's process group, as the library needs it.
 *
 * <p>All run the same program on the same data. Each takes its share of every batch, the gradients
 * are added up, and so all have the same weights at every step; rank 0 leads: it alone writes
 * files. Every process must make the same calls in the same order, from one thread.
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
  /** One process on its own. */
  static ProcessGroup single() {
    return SingleProcess.INSTANCE;
  }

  /**
   * Joins the team that the environment names, or is alone where it names none.
   *
   * @param device where gradients will be: Gloo carries them between processors, NCCL between GPUs
   * @throws IllegalArgumentException if the environment makes no sense
   * @throws ProcessGroupException if the others can't be reached in time
   */
  static ProcessGroup fromEnvironment(Device device) {
    return Rendezvous.of(System.getenv()).map(place -> join(place, device)).orElse(single());
  }

  /**
   * Joins a team; returns when all are there.
   *
   * @param device where gradients will be
   * @throws IllegalArgumentException if there is no such device
   * @throws ProcessGroupException if the others can't be reached in time
   */
  static ProcessGroup join(Rendezvous place, Device device) {
    Device.of(device.toString()); // is there
    return C10dProcessGroup.join(place, device);
  }

  /** Which of the processes this is, from 0. */
  int rank();

  /** How many there are. */
  int size();

  /** Whether this is the process that writes files and talks to people. */
  default boolean isRankZero() {
    return rank() == 0;
  }

  /** Something that is under way between the processes. */
  @FunctionalInterface
  interface Pending {
    /**
     * Waits for it; to be called once. On a GPU, what is computed next waits, and not this thread.
     *
     * @throws ProcessGroupException if another process is gone, or does not answer in time
     */
    void await();
  }

  /**
   * Begins to add up a tensor over all processes, in place. Nobody may touch it until it is awaited
   * for; all have the same bits then.
   *
   * @param tensor contiguous
   */
  Pending allReduce(Tensor tensor);

  /**
   * Gives a tensor of all processes the numbers it has on rank 0.
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

  /** The text that rank 0 has; what the others have does not matter. */
  default String broadcast(String text) {
    if (size() == 1) {
      return text;
    }
    byte[] bytes = isRankZero() ? text.getBytes(StandardCharsets.UTF_8) : new byte[0];
    int length = (int) allReduce(bytes.length)[0];
    // In doubles, because numbers are what processes exchange anyway; these texts are short.
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
   * The numbers of every process, by rank: exact, because zeros are all that is added to them.
   *
   * @param mine as many on each
   */
  default double[][] allGather(double... mine) {
    double[] all = new double[size() * mine.length];
    System.arraycopy(mine, 0, all, rank() * mine.length, mine.length);
    double[] sums = allReduce(all);
    double[][] byRank = new double[size()][];
    Arrays.setAll(byRank, r -> Arrays.copyOfRange(sums, r * mine.length, (r + 1) * mine.length));
    return byRank;
  }

  /** Computes some of the numbers that all processes need. */
  @FunctionalInterface
  interface Part {
    /**
     * The numbers {@code from <= i < to}.
     *
     * @param from where the share begins
     * @param to where it ends, above {@code from}
     */
    double[] of(int from, int to);
  }

  /**
   * Lets each process compute its share of some numbers, and gives all of them to all: what is
   * summed up of them is the same on any number of processes.
   *
   * @param count of the numbers
   */
  default double[] sharded(int count, Part part) {
    Shard mine = Shard.of(count, rank(), size());
    double[] all = new double[count];
    if (mine.size() > 0) {
      double[] numbers = part.of(mine.from(), mine.to());
      System.arraycopy(numbers, 0, all, mine.from(), numbers.length);
    }
    return allReduce(all);
  }

  /**
   * Says that this process can't go on, before it is closed: the others will take its end for the
   * loss that it is.
   */
  default void abort() {}

  /** Leaves the team. */
  @Override
  void close();
}
