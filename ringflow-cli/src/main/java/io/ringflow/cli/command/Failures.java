package io.ringflow.cli.command;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.TorchException;
import io.ringflow.distributed.ProcessGroupException;
import io.ringflow.train.TrainingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CancellationException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Turns what went wrong into one line for people and an exit code. */
public final class Failures {
  private Failures() {}

  /** Reports a command line that makes no sense; returns its exit code. */
  public static int usage(ParameterException e) {
    CommandLine line = e.getCommandLine();
    line.getErr()
        .println(
            "ringflow: "
                + firstLine(e.getMessage())
                + " (see '"
                + line.getCommandSpec().qualifiedName()
                + " --help')");
    return CommandLine.ExitCode.USAGE;
  }

  /** Reports a failure; returns its exit code. */
  public static int report(Throwable e, boolean trace, PrintWriter err) {
    if (e instanceof StoppedException stopped) {
      if (!isInterrupt(e.getCause())) {
        report(e.getCause(), trace, err);
      }
      err.println("ringflow: stopped" + hint(stopped) + "; continue with: " + stopped.command());
      return CommandLine.ExitCode.SOFTWARE;
    }
    err.println("ringflow: " + (isInterrupt(e) ? "stopped" : message(understood(e))));
    if (trace) {
      e.printStackTrace(err);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  /**
   * Whether the user wanted it so: an interrupt is heard between two steps of work, or in the
   * middle of a file.
   */
  static boolean isInterrupt(Throwable e) {
    Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
    return cause instanceof CancellationException
        || cause instanceof InterruptedException
        || cause instanceof ClosedByInterruptException;
  }

  /** What the command line can do about a failure of libtorch's. */
  private static String hint(StoppedException stopped) {
    if (!(understood(stopped.getCause()) instanceof TorchException e)) {
      return "";
    }
    return switch (e.kind()) {
      case OUT_OF_MEMORY -> stopped.lessMemory().isEmpty() ? "" : "; " + stopped.lessMemory();
      case GPU_FAILED -> "; the last checkpoints stand";
      case NO_GPU, REFUSED -> "";
    };
  }

  /** What stands behind a failure that says little itself. */
  private static Throwable understood(Throwable e) {
    if (e instanceof UncheckedIOException unchecked) {
      return unchecked.getCause();
    }
    // The library translates what it catches; here is what came past it.
    return e instanceof RuntimeException thrown ? TorchException.translate(thrown) : e;
  }

  private static String message(Throwable e) {
    String message = e.getMessage() == null ? "" : firstLine(e.getMessage());
    if (e instanceof NoSuchFileException) {
      return "no such file: " + message;
    }
    if (e instanceof AccessDeniedException) {
      return "no permission: " + message;
    }
    if (e instanceof OutOfMemoryError) {
      return "out of memory: " + message;
    }
    // These carry messages written for people; any other's needs the name of the class to make
    // sense.
    boolean plain =
        e instanceof IllegalArgumentException
            || e instanceof IllegalStateException
            || e instanceof FileSystemException
            || e instanceof ModelFormatException
            || e instanceof CompressedFormatException
            || e instanceof DataFormatException
            || e instanceof ProcessGroupException
            || e instanceof TorchException
            || e instanceof TrainingException
            || e.getClass() == IOException.class
            || e.getClass() == RuntimeException.class;
    if (message.isEmpty()) {
      return "failed with " + e.getClass().getSimpleName() + "; --debug shows where";
    }
    return plain ? message : e.getClass().getSimpleName() + ": " + message;
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }
}
