package io.ringflow.cli.command;

import io.ringflow.cli.Main;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the processes of a team are started on this machine: each like this one, with another command
 * and its place in the team in the environment, under the names that PyTorch's tools use.
 *
 * @param size how many processes there are
 * @param port where rank 0 listens for the others
 * @param cores how many the processes share
 * @param words the command of each
 */
public record GroupLaunch(int size, int port, int cores, List<String> words) {
  static final String WORLD_SIZE = "WORLD_SIZE";

  /** Tells the processes what to advise where the team is to be started again. */
  private static final String LAUNCH = "RINGFLOW_LAUNCH";

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  public GroupLaunch {
    words = List.copyOf(words);
  }

  /**
   * Finds a port that nobody listens on. Another program may take it before rank 0 does; systems
   * give out such ports in turn or at random, so this is rare.
   */
  public static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
      return socket.getLocalPort();
    }
  }

  /** The words before this process's own that started its team; nothing where none did. */
  static String before() {
    String words = System.getenv(LAUNCH);
    return words == null ? "" : words + " ";
  }

  /** The process of a rank, ready to start. */
  ProcessBuilder process(int rank) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    if (rank > 0) {
      line.add("-Dringflow.terminal=false"); // the last one counts; only rank 0 has the terminal
    }
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    words.forEach(word -> line.add(literal(word)));
    var builder = new ProcessBuilder(line);
    describe(rank, builder.environment());
    return builder;
  }

  /** Files of arguments ({@code @file}) are read already; what looks like one by now is a word. */
  private static String literal(String word) {
    return word.startsWith("@") ? "@" + word : word;
  }

  /** Puts a rank's place in the team into its environment. */
  void describe(int rank, Map<String, String> environment) {
    String everybody = Integer.toString(size);
    environment.put(WORLD_SIZE, everybody);
    environment.put("LOCAL_WORLD_SIZE", everybody);
    environment.put("RANK", Integer.toString(rank));
    environment.put("LOCAL_RANK", Integer.toString(rank));
    environment.put("MASTER_ADDR", "127.0.0.1");
    environment.put("MASTER_PORT", Integer.toString(port));
    environment.put(LAUNCH, "launch -n " + size + " --");
    // Each would otherwise take all cores, and the processes wait for each other's threads.
    String threads = Integer.toString(Math.max(1, cores / size));
    environment.putIfAbsent("OMP_NUM_THREADS", threads);
    environment.putIfAbsent("OPENBLAS_NUM_THREADS", threads);
  }
}
