package io.ringflow.cli;

import io.ringflow.cli.command.Commands;
import io.ringflow.cli.command.Failures;
import io.ringflow.cli.progress.Terminal;
import io.ringflow.core.Machine;
import io.ringflow.paper.experiment.Experiments;
import io.ringflow.paper.harness.Experiment;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The entry of the tool {@code ringflow}.
 *
 * <p>Exit codes: 0 when all went well, 1 when something failed, 2 when the command line makes no
 * sense. A failure is one line on the error stream; {@code --debug} or the environment variable
 * {@code RINGFLOW_DEBUG} adds the stack trace.
 */
@Command(
    name = "ringflow",
    versionProvider = Main.Version.class,
    description = "Discrete flows: exact-likelihood generative models of discrete data.",
    synopsisSubcommandLabel = "COMMAND",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "First steps:",
      "  ringflow train orders.csv --out orders.model         learn a table (or a text)",
      "  ringflow score orders.model orders.csv --top 10      its least likely rows, and why",
      "  ringflow sample orders.model -n 5 --given city=Rome  new rows like it",
      "  ringflow probability orders.model \"city = 'Rome'\"    how likely that is, under any conditions",
      "  ringflow train novel.txt --out novel.model           learn a text",
      "  ringflow launch -n 2 -- train novel.txt --out m      learn it with two processes",
      "  ringflow compress novel.model chapter.txt            make a file smaller, exactly",
      "  ringflow infer asia.bif --evidence xray=yes          posterior of a Bayesian network",
      "  ringflow example table orders.csv                    no data at hand? make some",
      "",
      "The paper:",
      "  ringflow reproduce ring           train, compare, and write runs/ring/report.html",
      "  ringflow roundtrip                send ten million symbols through models and back",
      "  ringflow verify MODEL --data F    send a text through a trained model and back",
      "",
      "Every command has a --help of its own.",
      "",
      "Exit codes: 0 all went well, 1 something failed, 2 the command line makes no sense."
    })
public final class Main implements Runnable {
  /** A step of a model too large for the machine may take long, and can't be cut short. */
  private static final long MILLIS_TO_END = 60_000;

  /** What ends sooner needs no explanation. */
  private static final long MILLIS_UNEXPLAINED = 2000;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the versions of Ringflow and libtorch and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "When something fails, print the stack trace too.")
  private boolean debug;

  private Main() {}

  /**
   * Runs the tool and ends the process.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    // JavaCPP counts resident memory against the heap limit, but tensors live outside the heap by
    // design.
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
    System.setProperty("java.awt.headless", "true");
    Charset charset = Terminal.charset();
    var out = new PrintWriter(System.out, true, charset);
    var err = new PrintWriter(System.err, true, charset);
    Thread waitForUs = new Thread(interruptAndJoin(Thread.currentThread(), err), "end-of-work");
    Runtime.getRuntime().addShutdownHook(waitForUs);
    int code = execute(out, err, args);
    try {
      Runtime.getRuntime().removeShutdownHook(waitForUs);
    } catch (IllegalStateException e) {
      return; // a signal is ending the process, with a code of its own, and waits for this thread
    }
    System.exit(code);
  }

  /**
   * On ctrl-C, lets the work at hand end before the process does: libtorch takes itself apart at
   * the end, and a thread that is still computing with it would crash.
   */
  private static Runnable interruptAndJoin(Thread worker, PrintWriter err) {
    return () -> {
      worker.interrupt();
      try {
        worker.join(MILLIS_UNEXPLAINED);
        if (worker.isAlive()) {
          err.println("ringflow: ends as soon as the step at hand is done");
          worker.join(MILLIS_TO_END - MILLIS_UNEXPLAINED);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  /**
   * Runs the tool inside this process.
   *
   * @param out takes what the user asked for
   * @param err takes progress and errors
   * @param args the command line
   * @return the exit code
   */
  public static int execute(PrintWriter out, PrintWriter err, String... args) {
    return execute(Experiments.all(), out, err, args);
  }

  /** As above, with the experiments there are. */
  public static int execute(
      List<Experiment> experiments, PrintWriter out, PrintWriter err, String... args) {
    var main = new Main();
    CommandLine line =
        Commands.addTo(new CommandLine(main), experiments)
            .setOut(out)
            .setErr(err)
            .setUsageHelpWidth(100)
            .setParameterExceptionHandler((e, a) -> Failures.usage(e))
            .setExecutionExceptionHandler(
                (e, l, parsed) -> Failures.report(e, main.wantsTrace(), err));
    try {
      return line.execute(args);
    } catch (
        Throwable e) { // picocli passes errors on, such as a native library that can't be linked
      return Failures.report(e, main.wantsTrace(), err);
    } finally {
      out.flush();
      err.flush();
    }
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "name a command: " + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }

  private boolean wantsTrace() {
    String variable = System.getenv("RINGFLOW_DEBUG");
    return debug || (variable != null && !variable.isEmpty() && !variable.equals("0"));
  }

  /** The versions of library and libtorch. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "ringflow " + Machine.ringflowVersion() + " (libtorch " + Machine.libtorchVersion() + ")"
      };
    }
  }
}
