package io.ringflow.distributed;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * A socket that listens on one address, to be handed to native code by its descriptor.
 *
 * <p>Left to itself, c10d's store listens on every address of the machine, and takes words from
 * anybody; but it takes a socket that is listening already. Java makes one and does not tell its
 * number; Linux does, in {@code /proc}.
 */
final class ListeningSocket {
  private static final String LISTENING = "0A";
  private static final int BACKLOG = 2048;

  /**
   * Native code owns the descriptors now and closes them: Java must never do so too, not even from
   * a collected channel, because the number may be another file's by then.
   */
  private static final Queue<ServerSocketChannel> HANDED_OVER = new ConcurrentLinkedQueue<>();

  private ListeningSocket() {}

  /**
   * Opens one; whoever gets its descriptor must close it.
   *
   * @throws IOException if this machine has no such address, the port is taken, or it has no {@code
   *     /proc}
   */
  static int open(String host, int port) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    ServerSocketChannel channel =
        ServerSocketChannel.open(
            address instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    try {
      channel.bind(new InetSocketAddress(address, port), BACKLOG);
      int descriptor = descriptor(port);
      HANDED_OVER.add(channel);
      return descriptor;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static int descriptor(int port) throws IOException {
    Set<String> listening = listening(port);
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : open.toList()) {
        if (listening.contains(target(link))) {
          return Integer.parseInt(link.getFileName().toString());
        }
      }
    }
    throw new IOException("the listening socket is not in /proc/self/fd");
  }

  private static String target(Path link) throws IOException {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (NoSuchFileException e) {
      return ""; // closed in the meantime
    }
  }

  /** All sockets that listen on a port, as their descriptors' links name them. */
  private static Set<String> listening(int port) throws IOException {
    String suffix = String.format(":%04X", port);
    Set<String> found = new HashSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      Path file = Path.of("/proc/self/net", table);
      if (!Files.exists(file)) {
        continue;
      }
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields.length > 9 && fields[1].endsWith(suffix) && fields[3].equals(LISTENING)) {
          found.add("socket:[" + fields[9] + "]");
        }
      }
    }
    return found;
  }
}
