package io.ringflow.cli.distributed;

import io.ringflow.cli.command.GroupLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the processes of a {@link GroupRun} are started: with the environment that a launcher sets.
 *
 * @param folder for all that they write
 * @param size of the process group; with 1 the environment names no group
 * @param host on which rank 0 listens
 * @param port on which rank 0 listens
 * @param timeout of the group, in seconds
 * @param delay of every batch, in milliseconds
 */
record GroupPlan(Path folder, int size, String host, int port, int timeout, int delay) {
  /** A group on this machine. */
  static GroupPlan onLoopback(Path folder, int size) throws IOException {
    return new GroupPlan(folder, size, "127.0.0.1", GroupLaunch.freePort(), 60, 0);
  }

  GroupPlan withHost(String another) {
    return new GroupPlan(folder, size, another, port, timeout, delay);
  }

  GroupPlan withTimeout(int seconds) {
    return new GroupPlan(folder, size, host, port, seconds, delay);
  }

  GroupPlan withDelay(int milliseconds) {
    return new GroupPlan(folder, size, host, port, timeout, milliseconds);
  }

  Map<String, String> environment(int rank) {
    Map<String, String> environment = new HashMap<>();
    environment.put("OMP_NUM_THREADS", "1");
    // As the script ringflow does: libtorch would warn before it throws.
    environment.put("TORCH_CPP_LOG_LEVEL", "ERROR");
    if (size > 1) {
      environment.put("WORLD_SIZE", Integer.toString(size));
      environment.put("RANK", Integer.toString(rank));
      environment.put("MASTER_ADDR", host);
      environment.put("MASTER_PORT", Integer.toString(port));
      environment.put("RINGFLOW_TIMEOUT", Integer.toString(timeout));
    }
    return environment;
  }

  List<String> command() {
    return QuickJava.command(GroupRun.class, List.of(folder.toString(), Integer.toString(delay)));
  }
}
