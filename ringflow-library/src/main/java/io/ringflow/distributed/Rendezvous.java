package io.ringflow.distributed;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the processes of a team meet, and which of them this is: what torchrun, Kubernetes'
 * PyTorchJob and {@code ringflow launch} put into the environment.
 *
 * <table>
 * <caption>The variables</caption>
 * <tr><td>{@code WORLD_SIZE}, {@code RANK}</td><td>how many processes, and which this is; under
 *     Slurm {@code SLURM_NTASKS} and {@code SLURM_PROCID} do too</td></tr>
 * <tr><td>{@code LOCAL_RANK}</td><td>which of those on its machine, and so which GPU; 0 where
 *     missing, under Slurm {@code SLURM_LOCALID}</td></tr>
 * <tr><td>{@code MASTER_ADDR}, {@code MASTER_PORT}</td><td>where rank 0 keeps the store through
 *     which all find each other</td></tr>
 * <tr><td>{@code RINGFLOW_LISTEN}</td><td>the address that store listens on, where it is not {@code
 *     MASTER_ADDR} itself</td></tr>
 * <tr><td>{@code RINGFLOW_TIMEOUT}</td><td>seconds to wait for another process before giving up;
 *     300</td></tr>
 * <tr><td>{@code TORCHELASTIC_USE_AGENT_STORE}</td><td>set by torchrun, which keeps the store
 *     itself</td></tr>
 * </table>
 *
 * @param rank of this process, from 0
 * @param size of the team
 * @param host where the store is
 * @param port where the store is
 * @param listen the address on which rank 0 lets the store listen
 * @param timeout to wait for another process before giving up
 * @param attempt what sets this team's words in a store that others keep, and that outlives teams,
 *     apart from an earlier team's; null where rank 0 keeps it
 */
public record Rendezvous(
    int rank, int size, String host, int port, String listen, Duration timeout, String attempt) {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** Checks that they make sense. */
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

  /** A team whose store rank 0 keeps, at an address of its own, with the usual time-out. */
  public static Rendezvous at(String host, int port, int rank, int size) {
    return new Rendezvous(rank, size, host, port, host, TIMEOUT, null);
  }

  /** The same with another time-out. */
  public Rendezvous within(Duration timeout) {
    return new Rendezvous(rank, size, host, port, listen, timeout, attempt);
  }

  /**
   * What the environment says.
   *
   * @return nothing where it names no team
   * @throws IllegalArgumentException if it says too little, or nonsense
   */
  public static Optional<Rendezvous> of(Map<String, String> environment) {
    var said = new Variables(environment);
    String host = said.text("MASTER_ADDR");
    boolean slurm = host != null && said.text("SLURM_PROCID") != null;
    String sizeName = said.text("WORLD_SIZE") == null && slurm ? "SLURM_NTASKS" : "WORLD_SIZE";
    String rankName = said.text("RANK") == null && slurm ? "SLURM_PROCID" : "RANK";
    if (said.text(sizeName) == null) {
      if (said.text(rankName) != null || host != null) {
        throw new IllegalArgumentException(
            (host != null ? "MASTER_ADDR" : rankName)
                + " is set, but WORLD_SIZE is not: set both for a team of processes, or neither");
      }
      return Optional.empty();
    }
    int size = said.required(sizeName, sizeName);
    if (size == 1 && host == null) {
      return Optional.empty();
    }
    if (host == null) {
      throw Variables.missing("MASTER_ADDR", sizeName);
    }
    String listen = said.text("RINGFLOW_LISTEN");
    String seconds = said.text("RINGFLOW_TIMEOUT");
    return Optional.of(
        new Rendezvous(
            said.required(rankName, sizeName),
            size,
            host,
            said.required("MASTER_PORT", sizeName),
            listen == null ? host : listen,
            seconds == null
                ? TIMEOUT
                : Duration.ofSeconds(said.required("RINGFLOW_TIMEOUT", sizeName)),
            said.attempt()));
  }

  /** The environment, empty variables taken for missing ones. */
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
          because + " is set, but " + name + " is not: a team of processes needs both");
    }

    /** Which start of the team this is, where torchrun keeps the store over all of them. */
    String attempt() {
      if (!"true".equalsIgnoreCase(text("TORCHELASTIC_USE_AGENT_STORE"))) {
        return null;
      }
      String restarts = text("TORCHELASTIC_RESTART_COUNT");
      return restarts == null ? "0" : restarts;
    }
  }
}
