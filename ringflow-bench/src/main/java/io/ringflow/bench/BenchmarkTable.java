package io.ringflow.bench;

import io.ringflow.core.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs a choice of benchmarks in about five minutes, and puts their table into {@code
 * docs/benchmarks.md}.
 *
 * <pre>
 *   run [--page FILE] [--print] [--all] [PATTERN...]
 * </pre>
 *
 * <p>{@code --print} leaves the page alone; {@code --all} runs every combination of parameters;
 * patterns choose benchmarks by name. A table in the page is always the whole choice, so {@code
 * --all} and patterns only print.
 */
public final class BenchmarkTable {
  private static final List<String> ORDER =
      List.of(
          "MatrixBenchmark",
          "LayerBenchmark",
          "TrainingBenchmark",
          "SamplingBenchmark",
          "ScoringBenchmark");

  private BenchmarkTable() {}

  /**
   * Runs benchmarks and writes their table.
   *
   * @param args the options above
   * @throws IOException if the page can't be read or written, or has no place for the table
   * @throws RunnerException if a benchmark fails
   */
  public static void main(String[] args) throws IOException, RunnerException {
    Path page = Path.of("docs/benchmarks.md");
    boolean print = false;
    boolean all = false;
    var options = new OptionsBuilder();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--page" -> {
          if (++i == args.length) {
            fail("--page needs a file");
          }
          page = Path.of(args[i]);
        }
        case "--print" -> print = true;
        case "--all" -> {
          all = true;
          print = true;
        }
        default -> {
          if (args[i].startsWith("-")) {
            fail("no such option: " + args[i] + "; there are --page FILE, --print and --all");
          }
          options.include(args[i]);
          print = true;
        }
      }
    }
    var section = new MarkedSection(page, "<!-- benchmarks:begin -->", "<!-- benchmarks:end -->");
    if (!print) {
      try {
        section.check(); // before minutes are spent
      } catch (IOException e) {
        fail("no place for the table: " + e.getMessage());
      }
    }
    String table = table(settings(options, all));
    System.out.println();
    System.out.println(table);
    if (!print) {
      section.replace(table);
      System.out.println("Written to " + page);
    }
  }

  private static void fail(String message) {
    System.err.println("ringflow-bench: " + message);
    System.exit(2);
  }

  private static Options settings(OptionsBuilder options, boolean all) {
    if (!all) {
      options.param("map", "shift-scale").param("precision", "FLOAT32", "FLOAT64");
    }
    options
        .forks(1)
        .warmupIterations(4)
        .warmupTime(TimeValue.milliseconds(400))
        .measurementIterations(12)
        .measurementTime(TimeValue.milliseconds(300))
        .shouldFailOnError(true)
        // JavaCPP counts resident memory against the heap limit; ours is native by design.
        .jvmArgs("-Xmx1g", "-XX:+UseSerialGC", "-Dorg.bytedeco.javacpp.maxphysicalbytes=0");
    return options.build();
  }

  private static String table(Options options) throws IOException, RunnerException {
    List<Measurement> measurements =
        new Runner(options)
            .run().stream()
                .map(Measurement::of)
                .sorted(
                    Comparator.comparingInt(BenchmarkTable::rank)
                        .thenComparing(Measurement::setting))
                .toList();
    return MarkdownTable.of(measurements)
        + "\nMeasured on "
        + Machine.describe()
        + ". Written by `ringflow-bench/run`.\n";
  }

  private static int rank(Measurement measurement) {
    return ORDER.indexOf(measurement.name().substring(0, measurement.name().indexOf('.')));
  }
}
