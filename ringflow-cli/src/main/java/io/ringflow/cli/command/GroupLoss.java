package io.ringflow.cli.command;

import io.ringflow.distributed.ProcessGroupException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Ends the tool when another process of its group is gone, because a command that waits for its GPU
 * would wait for ever. The command gets a moment to fail by itself, with its own message.
 */
final class GroupLoss implements Consumer<ProcessGroupException> {
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final PrintWriter err;
  private final Duration grace;
  private final IntConsumer halt;

  GroupLoss(PrintWriter err) {
    // Not exit: it would wait for the command, which hangs.
    this(err, GRACE, Runtime.getRuntime()::halt);
  }

  GroupLoss(PrintWriter err, Duration grace, IntConsumer halt) {
    this.err = err;
    this.grace = grace;
    this.halt = halt;
  }

  /** On a thread of its own, because closing the group interrupts the one that reports the loss. */
  @Override
  public void accept(ProcessGroupException loss) {
    var thread = new Thread(() -> end(loss), "process-group-loss");
    thread.setDaemon(true);
    thread.start();
  }

  private void end(ProcessGroupException loss) {
    try {
      Thread.sleep(grace.toMillis());
    } catch (InterruptedException e) {
      return; // nothing in the tool interrupts this thread
    }
    halt.accept(Failures.report(loss, false, err));
  }
}
