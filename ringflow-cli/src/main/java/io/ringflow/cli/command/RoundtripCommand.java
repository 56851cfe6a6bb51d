package io.ringflow.cli.command;

import io.ringflow.cli.command.RoundtripCheck.Counts;
import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.core.Device;
import io.ringflow.core.Machine;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batches;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringflow roundtrip}: proves by the million that what goes in comes back. */
@Command(
    name = "roundtrip",
    description = {
      "Send random symbols through deep models and back, in both directions, and count errors.",
      "There must be none.",
      ""
    },
    customSynopsis = "ringflow roundtrip [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "The models have eight layers of every kind, with random weights. Rows are also encoded in float32,",
      "to count those that come out differently than in float64.",
      "",
      "Exit codes: 0 everything came back, 1 something did not.",
      "",
      "Examples:",
      "  ringflow roundtrip --quick",
      "  ringflow roundtrip --symbols 100M --seed 7"
    })
final class RoundtripCommand extends ToolCommand {
  private static final long SYMBOLS = 10_000_000;
  private static final long QUICK_SYMBOLS = 200_000;

  /** Rows that one thread works on at a time; large, because an autoregressive step is small. */
  private static final int BLOCK_ROWS = 1024;

  private static final List<Column> COLUMNS =
      List.of(
          Column.text("model"),
          Column.number("symbols"),
          Column.number("errors"),
          Column.number("seconds"),
          Column.number("symbols/s"),
          Column.number("float32 errors"),
          Column.number("rows with one"),
          Column.number("one move in"));

  @Option(
      names = "--symbols",
      paramLabel = "N",
      description =
          "How many symbols to send at least, in either direction; 500k and 10M can be written so"
              + " (default: 10M, or 200k with --quick).")
  private Long symbols;

  @Mixin private SeedOption seed;

  @Mixin private DeviceOption device;

  @Option(names = "--quick", description = "A short run, to see that everything works.")
  private boolean quick;

  /** One line of the table. */
  private record Line(String name, Counts counts, double seconds, long moves) {
    List<String> cells() {
      return List.of(
          name,
          String.format(Locale.ROOT, "%,d", counts.symbols()),
          String.format(Locale.ROOT, "%,d", counts.errors()),
          String.format(Locale.ROOT, "%.1f", seconds),
          Numbers.count(counts.symbols() / seconds),
          String.format(Locale.ROOT, "%,d", counts.float32Errors()),
          String.format(Locale.ROOT, "%,d", counts.float32WrongRows()),
          // A row goes wrong by its first wrong move, as long as those are rare.
          counts.float32WrongRows() == 0
              ? TextTable.NONE
              : Numbers.count((double) moves / counts.float32WrongRows()));
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    long wanted = symbols == null ? (quick ? QUICK_SYMBOLS : SYMBOLS) : symbols;
    requirePositive("--symbols", wanted);
    Device where = device.resolve();
    List<RoundtripModel> models = RoundtripModel.all();
    long perModel = (wanted + models.size() - 1) / models.size();
    // Small tensors gain nothing from threads inside an operation; whole blocks do.
    int workers = where == Device.CPU ? Runtime.getRuntime().availableProcessors() : 1;
    ExecutorService pool = Executors.newFixedThreadPool(workers, RoundtripCommand::worker);
    List<Line> lines = new ArrayList<>();
    try (var progress = CountProgress.of(err(), "symbols", wanted)) {
      for (int i = 0; i < models.size(); i++) {
        lines.add(run(models.get(i), where, seed.value() + i, perModel, pool, progress));
      }
    } finally {
      pool.shutdownNow();
      pool.awaitTermination(10, TimeUnit.SECONDS); // no thread may compute while libtorch ends
    }
    return report(lines, where, workers);
  }

  private static Thread worker(Runnable work) {
    var thread =
        new Thread(
            () -> {
              // libtorch keeps this number for each thread, and its BLAS for the process. Both
              // matter: a thread that waits for its share of a small product waits for long.
              torch.set_num_threads(1);
              openblas_nolapack.blas_set_num_threads(1);
              work.run();
            },
            "roundtrip");
    thread.setDaemon(true);
    return thread;
  }

  private static Line run(
      RoundtripModel tried,
      Device device,
      long seed,
      long symbols,
      ExecutorService pool,
      CountProgress progress)
      throws InterruptedException {
    int size = tried.architecture().space().size();
    long rows = (symbols + size - 1) / size;
    long started = System.nanoTime();
    Counts counts = Counts.NONE;
    try (FlowModel model = tried.model(device, seed)) {
      List<Callable<Counts>> blocks = new ArrayList<>();
      for (long from = 0; from < rows; from += BLOCK_ROWS) {
        long block = from / BLOCK_ROWS;
        int count = (int) Math.min(BLOCK_ROWS, rows - from);
        blocks.add(
            () -> {
              Counts part = RoundtripCheck.run(model, count, Batches.random(seed, block));
              progress.add(part.symbols());
              return part;
            });
      }
      for (Future<Counts> part : pool.invokeAll(blocks)) {
        counts = counts.plus(part.get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    return new Line(tried.name(), counts, seconds, counts.rows() * tried.movesPerRow());
  }

  private int report(List<Line> lines, Device where, int workers) {
    Line total =
        lines.stream()
            .reduce(
                new Line("total", Counts.NONE, 0, 0),
                (a, b) ->
                    new Line(
                        a.name, a.counts.plus(b.counts), a.seconds + b.seconds, a.moves + b.moves));
    List<List<String>> rows = new ArrayList<>(lines.stream().map(Line::cells).toList());
    rows.add(total.cells());
    PrintWriter screen = out();
    screen.println();
    screen.print(new TextTable(COLUMNS, rows).console());
    screen.println();
    screen.printf(
        "Each symbol went there and back in both directions, on %s%s, seed %d.%n",
        where, where == Device.CPU ? " with " + workers + " threads" : "", seed.value());
    screen.printf(Locale.ROOT, "Run: %.0f s on %s; %s%n", total.seconds, where, Machine.describe());
    screen.println(
        total.counts.errors() == 0
            ? "Every symbol came back."
            : "FAILED: " + total.counts.errors() + " symbols did not come back.");
    screen.flush();
    return total.counts.errors() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }
}
