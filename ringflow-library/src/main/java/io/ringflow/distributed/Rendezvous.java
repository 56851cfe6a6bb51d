package io.ringflow.distributed;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the processes of a group find each other, and the rank of this one: what torchrun,
 * Kubernetes' PyTorchJob and {@code ringflow launch} put into the environment.
 *
 * <table>
 * <caption>The variables</caption>
 * <tr><td>{@code WORLD_SIZE}, {@code RANK}</td><td>the number of processes, and the rank of this one;
 *     under Slurm {@code SLURM_NTASKS} and {@code SLURM_PROCID} do too</td></tr>
 * <tr><td>{@code LOCAL_RANK}</td><td>the rank among the processes of this machine, and so the
 *     GPU; 0 where missing, under Slurm {@code SLURM_LOCALID}</td></tr>
 * <tr><td>{@code MASTER_ADDR}, {@code MASTER_PORT}</td><td>where rank 0 runs the store through
 *     which the processes find each other</td></tr>
 * <tr><td>{@code RINGFLOW_LISTEN}</td><td>the address on which the store listens, if not {@code
 *     MASTER_ADDR}</td></tr>
 * <tr><td>{@code RINGFLOW_TIMEOUT}</td><td>seconds to wait for another process before giving up;
 *     300</td></tr>
 * <tr><td>{@code TORCHELASTIC_USE_AGENT_STORE}</td><td>set by torchrun, which runs the store
 *     itself</td></tr>
 * </table>
 *
 * @param rank of this process, from 0
 * @param size of the process group
 * @param host of the store
 * @param port of the store
 * @param listen the address on which rank 0's store listens
 * @param timeout how long to wait for another process before giving up
 * @param attempt prefix of this group's keys in torchrun's store, which outlives a group that is
 *     restarted; null where rank 0 runs the store
 */
public record Rendezvous(
    int rank, int size, String host, int port, String listen, Duration timeout, String attempt) {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

  /** Checks the ranges. */
  public Rendezvous {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(listen, "listen");
    require(size >= 1, "WORLD_SIZE", size, "at least 1");
    require(rank >= 0 && rank < size, "RANK", rank, "at least 0 and below WORLD_SIZE, " + size);
    require(port >= 1 && port <= 65535, "MASTER_PORT", port, "from 1 to 65535");
    require(timeout.toSeconds() >= 1, "RINGFLOW_TIMEOUT", timeout.toSeconds(), "at least 1");
  }

  private static void require(boolean holds, String name, long value, String bound) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + bound + ", but is " + value);
    }
  }

  /** A group whose store is run by rank 0 at its own address, with the default time-out. */
  public static Rendezvous at(String host, int port, int rank, int size) {
    return new Rendezvous(rank, size, host, port, host, DEFAULT_TIMEOUT, null);
  }

  /** This rendezvous with another time-out. */
  public Rendezvous withTimeout(Duration timeout) {
    return new Rendezvous(rank, size, host, port, listen, timeout, attempt);
  }

  /**
   * Reads the environment.
   *
   * @return empty where it names no process group
   * @throws IllegalArgumentException if variables are missing or have impossible values
   */
  public static Optional<Rendezvous> of(Map<String, String> environment) {
    var variables = new Variables(environment);
    String host = variables.text("MASTER_ADDR");
    boolean slurm = host != null && variables.text("SLURM_PROCID") != null;
    String sizeName = variables.text("WORLD_SIZE") == null && slurm ? "SLURM_NTASKS" : "WORLD_SIZE";
    String rankName = variables.text("RANK") == null && slurm ? "SLURM_PROCID" : "RANK";
    if (variables.text(sizeName) == null) {
      if (variables.text(rankName) != null || host != null) {
        throw new IllegalArgumentException(
            (host != null ? "MASTER_ADDR" : rankName)
                + " is set, but WORLD_SIZE is not: set both for a process group, or neither");
      }
      return Optional.empty();
    }
    int size = variables.required(sizeName, sizeName);
    if (size == 1 && host == null) {
      return Optional.empty();
    }
    if (host == null) {
      throw Variables.missing("MASTER_ADDR", sizeName);
    }
    String listen = variables.text("RINGFLOW_LISTEN");
    String seconds = variables.text("RINGFLOW_TIMEOUT");
    return Optional.of(
        new Rendezvous(
            variables.required(rankName, sizeName),
            size,
            host,
            variables.required("MASTER_PORT", sizeName),
            listen == null ? host : listen,
            seconds == null
                ? DEFAULT_TIMEOUT
                : Duration.ofSeconds(variables.required("RINGFLOW_TIMEOUT", sizeName)),
            variables.attempt()));
  }

  /** The environment; a blank variable counts as missing. */
  private record Variables(Map<String, String> values) {
    String text(String name) {
      String value = values.get(name);
      return value == null || value.isBlank() ? null : value.strip();
    }

    int required(String name, String because) {
      String value = text(name);
      if (value == null) {
        throw missing(name, because);
      }
      try {
        return Integer.parseInt(value);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            name + " must be a whole number, but is '" + value + "'", e);
      }
    }

    static IllegalArgumentException missing(String name, String because) {
      return new IllegalArgumentException(
          because + " is set, but " + name + " is not: a process group needs both");
    }

    /** The number of torchrun's restarts, over which it keeps one store. */
    String attempt() {
      if (!"true".equalsIgnoreCase(text("TORCHELASTIC_USE_AGENT_STORE"))) {
        return null;
      }
      String restarts = text("TORCHELASTIC_RESTART_COUNT");
      return restarts == null ? "0" : restarts;
    }
  }
}
