package io.ringflow.cli.command;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the processes of a group are started on this machine: each with the Java, options and class
 * path of this process, the command to run, and its rank in the environment, in the variables that
 * PyTorch's tools use.
 *
 * @param size the number of processes
 * @param port on which rank 0 listens for the other processes
 * @param cores divided among the processes
 * @param words the command and its options
 */
public record GroupLaunch(int size, int port, int cores, List<String> words) {
  /** By name, because the entry of the tool stands above its commands. */
  private static final String MAIN_CLASS = "io.ringflow.cli.Main";

  static final String WORLD_SIZE = "WORLD_SIZE";

  /** What stands before the command on the command line; the processes print it in their advice. */
  private static final String LAUNCH = "RINGFLOW_LAUNCH";

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  public GroupLaunch {
    words = List.copyOf(words);
  }

  /**
   * Finds a port on which no program listens. Another program may take it before rank 0 does; this
   * is rare, because systems give out such ports in turn or at random.
   */
  public static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
      return socket.getLocalPort();
    }
  }

  /** {@code launch -n N -- } in a process that was launched, else empty. */
  static String prefix() {
    String words = System.getenv(LAUNCH);
    return words == null ? "" : words + " ";
  }

  /** The process of a rank, ready to start. */
  ProcessBuilder process(int rank) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    if (rank > 0) {
      line.add("-Dringflow.terminal=false"); // the last -D counts; only rank 0 has the terminal
    }
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN_CLASS));
    words.forEach(word -> line.add(literal(word)));
    var builder = new ProcessBuilder(line);
    describe(rank, builder.environment());
    return builder;
  }

  /** Picocli has replaced {@code @file} already; a word that still begins with @ is meant so. */
  private static String literal(String word) {
    return word.startsWith("@") ? "@" + word : word;
  }

  /** Puts a rank's variables into its environment. */
  void describe(int rank, Map<String, String> environment) {
    String count = Integer.toString(size);
    environment.put(WORLD_SIZE, count);
    environment.put("LOCAL_WORLD_SIZE", count);
    environment.put("RANK", Integer.toString(rank));
    environment.put("LOCAL_RANK", Integer.toString(rank));
    environment.put("MASTER_ADDR", "127.0.0.1");
    environment.put("MASTER_PORT", Integer.toString(port));
    environment.put(LAUNCH, "launch -n " + size + " --");
    // By default each process would use all cores, and their threads would wait for each other.
    String threads = Integer.toString(Math.max(1, cores / size));
    environment.putIfAbsent("OMP_NUM_THREADS", threads);
    environment.putIfAbsent("OPENBLAS_NUM_THREADS", threads);
  }
}
