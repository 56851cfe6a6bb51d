package io.ringflow.cli.distributed;

import io.ringflow.cli.testing.ExternalProgram;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A network namespace that stands for a host: it has its own links and addresses, and none of the
 * machine's.
 *
 * <p>The namespace has no name, so two builds never share one. A process holds it until its
 * standard input is closed, so the namespace ends with this process, even if that is killed.
 */
final class Host implements Closeable {
  private static final long PATIENCE = 10_000_000_000L;

  private final Process holder;
  private final Path namespace;

  private Host(Process holder, Path namespace) {
    this.holder = holder;
    this.namespace = namespace;
  }

  static Host start() throws IOException {
    Process holder =
        ExternalProgram.start(
            "up",
            List.of("unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec cat"));
    Path namespace = namespace(holder.toHandle());
    if (namespace.equals(namespace(ProcessHandle.current()))) {
      holder.destroyForcibly();
      throw new IOException("unshare left the process in the machine's " + namespace);
    }
    return new Host(holder, namespace);
  }

  private static Path namespace(ProcessHandle process) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "ns", "net"));
  }

  /** The name of this host for {@code ip link}: the id of the process that holds it. */
  String id() {
    return Long.toString(holder.pid());
  }

  /** The command that runs a command on this host, in the process that is started. */
  List<String> inside(List<String> command) {
    return Stream.concat(Stream.of("nsenter", "--target", id(), "--net"), command.stream())
        .toList();
  }

  /** The processes on this host, without its holder. */
  List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != holder.pid() && isHere(process))
        .toList();
  }

  private boolean isHere(ProcessHandle process) {
    try {
      return namespace(process).equals(namespace);
    } catch (IOException ended) {
      return false;
    }
  }

  /** Ends every process on this host. The links vanish with the last one. */
  @Override
  public void close() throws IOException {
    // The holder last: while it lives, no other namespace can have the same number.
    try {
      long start = System.nanoTime();
      for (var left = processes(); holder.isAlive() && !left.isEmpty(); left = processes()) {
        if (System.nanoTime() - start > PATIENCE) {
          throw new IOException("processes " + left + " do not end");
        }
        left.forEach(ProcessHandle::destroyForcibly);
      }
    } finally {
      holder.destroyForcibly().onExit().join();
    }
  }
}
