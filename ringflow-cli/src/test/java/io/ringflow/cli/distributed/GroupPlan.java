package io.ringflow.cli.distributed;

import io.ringflow.cli.command.GroupLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the processes of a {@link GroupRun} are started, each told its place as any launcher would.
 *
 * @param folder for all that they write
 * @param size of the team; alone, a process is told nothing
 * @param host where rank 0 listens
 * @param port where rank 0 listens
 * @param timeout after which they give up, in seconds
 * @param dawdle how long each takes over a batch, in milliseconds
 */
record GroupPlan(Path folder, int size, String host, int port, int timeout, int dawdle) {
  /** A team on this machine. */
  static GroupPlan onLoopback(Path folder, int size) throws IOException {
    return new GroupPlan(folder, size, "127.0.0.1", GroupLaunch.freePort(), 60, 0);
  }

  GroupPlan at(String another) {
    return new GroupPlan(folder, size, another, port, timeout, dawdle);
  }

  GroupPlan atPort(int another) {
    return new GroupPlan(folder, size, host, another, timeout, dawdle);
  }

  GroupPlan within(int seconds) {
    return new GroupPlan(folder, size, host, port, seconds, dawdle);
  }

  GroupPlan dawdling(int milliseconds) {
    return new GroupPlan(folder, size, host, port, timeout, milliseconds);
  }

  Map<String, String> environment(int rank) {
    Map<String, String> environment = new HashMap<>();
    environment.put("OMP_NUM_THREADS", "1");
    // As the tool's own script does: libtorch warns of what is an error to come.
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
    return QuickJava.command(GroupRun.class, List.of(folder.toString(), Integer.toString(dawdle)));
  }
}
