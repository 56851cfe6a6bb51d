package io.ringflow.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the processes of a {@link TeamRun} are started, each told its place as any launcher would.
 *
 * @param folder for all that they write
 * @param size of the team; alone, a process is told nothing
 * @param host where rank 0 listens
 * @param port where rank 0 listens
 * @param timeout after which they give up, in seconds
 * @param dawdle how long each takes over a batch, in milliseconds
 */
record TeamPlan(Path folder, int size, String host, int port, int timeout, int dawdle) {
  /** A team on this machine. */
  static TeamPlan onLoopback(Path folder, int size) throws IOException {
    return new TeamPlan(folder, size, "127.0.0.1", TeamLaunch.freePort(), 60, 0);
  }

  TeamPlan at(String another) {
    return new TeamPlan(folder, size, another, port, timeout, dawdle);
  }

  TeamPlan atPort(int another) {
    return new TeamPlan(folder, size, host, another, timeout, dawdle);
  }

  TeamPlan within(int seconds) {
    return new TeamPlan(folder, size, host, port, seconds, dawdle);
  }

  TeamPlan dawdling(int milliseconds) {
    return new TeamPlan(folder, size, host, port, timeout, milliseconds);
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
    return QuickJava.command(TeamRun.class, List.of(folder.toString(), Integer.toString(dawdle)));
  }
}
