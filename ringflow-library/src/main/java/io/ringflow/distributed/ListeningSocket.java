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
 * <p>By default c10d's store listens on every address of the machine and accepts anybody's
 * connection, but it also accepts a socket that is listening already. Java opens that socket and
 * does not tell its descriptor; Linux does, in {@code /proc}.
 */
final class ListeningSocket {
  private static final String LISTENING = "0A";
  private static final int BACKLOG = 2048;

  /**
   * Native code owns these sockets' descriptors and closes them. Java must not close them too, not
   * even when a channel is garbage collected: the descriptor may belong to another file by then.
   */
  private static final Queue<ServerSocketChannel> HANDED_OVER = new ConcurrentLinkedQueue<>();

  private ListeningSocket() {}

  /**
   * Opens a listening socket and returns its descriptor, which the caller must close.
   *
   * @throws IOException if this machine has no such address, the port is taken, or there is no
   *     {@code /proc}
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

  /** The sockets that listen on a port, as the links in {@code /proc/self/fd} name them. */
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
