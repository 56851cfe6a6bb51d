package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ShownText;
import io.ringflow.compress.CountModel;
import io.ringflow.core.Device;
import io.ringflow.core.Space;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Provenance;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code ringflow inspect MODEL}: what a model is, where it comes from, and what it learned. */
@Command(
    name = "inspect",
    description = {"Show what a model is, where it comes from, and what it has learned.", ""},
    customSynopsis = "ringflow inspect MODEL [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "Works for the models of experiments too, which know symbols only. The SHA-256 is of all that decides",
      "what rows mean and how likely they are: models with the same one are the same, and can decompress",
      "each other's files.",
      "",
      "--html writes a page with pictures of a table's model: its columns and pairs of columns, real beside",
      "sampled; what depends on what; what it has learned. The page needs no other file and no network.",
      "--data adds what only rows can tell: the least likely ones and why, and, where they are the rows of",
      "training, how near samples come to them, beside rows that were held out.",
      "",
      "Exit codes: 0 all went well, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow inspect orders.model",
      "  ringflow inspect orders.model --html orders.html --data orders.csv"
    })
final class InspectCommand extends ToolCommand {
  private static final int MAX_WIDTH = 200;

  @Parameters(paramLabel = "MODEL", description = "The model's folder.")
  private Path folder;

  @Option(
      names = "--field",
      description =
          "List which symbols of the data each symbol of the base depends on through the layers,"
              + " found by changing one symbol at a time; takes a while for long rows.")
  private boolean field;

  @Mixin private HtmlReport page;

  @Override
  public Integer call() throws IOException {
    page.check(this);
    if (page.isWanted()) {
      if (field) {
        throw usage("--field is listed without --html");
      }
      return page();
    }
    if (CountModel.isAt(folder)) {
      print(CountModel.load(folder));
    } else if (!Files.exists(folder.resolve("codec.json"))) {
      try (FlowModel flow = FlowModel.load(folder)) {
        print(flow, null);
      }
    } else {
      try (FittedModel model = RingFlow.load(folder, Device.CPU)) {
        print(model.flow(), model);
      }
    }
    out().flush();
    return CommandLine.ExitCode.OK;
  }

  private int page() throws IOException {
    if (CountModel.isAt(folder)) {
      throw onlyTables();
    }
    if (!Files.exists(folder.resolve("codec.json"))) {
      FlowModel.load(folder).close(); // which says what is wrong with a folder that is no model
      throw onlyTables();
    }
    try (FittedModel model = RingFlow.load(folder, Device.CPU)) {
      if (!(model instanceof TableModel table)) {
        throw onlyTables();
      }
      page.write(table, folder, this);
    }
    return CommandLine.ExitCode.OK;
  }

  private ParameterException onlyTables() {
    return usage("--html is for models of tables, and " + folder + " is another one");
  }

  private void print(CountModel model) {
    fact("model", "of bytes, by counting, in " + folder);
    fact("counted", String.format(Locale.ROOT, "%,d bytes", model.trainingBytes()));
    fact("memory", String.format(Locale.ROOT, "a table of %,d MB", model.megabytes()));
    fact("sha-256", HexFormat.of().formatHex(model.fingerprint()));
  }

  private void print(FlowModel flow, FittedModel model) {
    PrintWriter screen = out();
    Space space = flow.architecture().space();
    fact("model", meaning(model) + ", in " + folder);
    fact("space", shown(space));
    if (flow.architecture().condition().size() > 0) {
      fact("condition", shown(flow.architecture().condition()));
    }
    fact(
        "parameters",
        String.format(
            Locale.ROOT,
            "%,d, %sB of weights",
            flow.parameterCount(),
            Numbers.count(flow.parameterCount() * (double) Float.BYTES)));
    fact("to sample", passes(flow.samplingPasses()) + " of the network, one after the other");
    fact("sha-256", HexFormat.of().formatHex(flow.fingerprint()));
    flow.provenance().ifPresentOrElse(this::provenance, () -> fact("trained", "not recorded"));
    screen.println();
    screen.print(ArchitectureTable.of(flow).console());
    if (model != null) {
      model
          .metrics()
          .ifPresent(metrics -> screen.printf("%n%s", LearnedTables.metrics(metrics).console()));
    }
    if (model instanceof TableModel table) {
      screen.println();
      screen.print(LearnedTables.columns(table.codec(), Integer.MAX_VALUE).console());
    }
    screen.println();
    field(flow, model);
  }

  private void fact(String name, String value) {
    out().printf("%-10s  %s%n", name, value);
  }

  private static String meaning(FittedModel model) {
    if (model instanceof TableModel table) {
      return "of a table: " + table.codec();
    }
    if (model instanceof TextModel text) {
      boolean bytes = text.codec().unit() == TextCodec.Unit.BYTES;
      String characters = text.codec().vocabulary().characters();
      return "of a text, in pieces of %d of %s"
          .formatted(
              text.length(),
              bytes
                  ? "256 bytes"
                  : text.codec().vocabulary().size()
                      + " characters ("
                      + ShownText.of(characters, MAX_WIDTH)
                      + ")");
    }
    return "of symbols only";
  }

  private static String shown(Space space) {
    if (space.isUniform()) {
      return space.size() + " positions of " + space.cardinality(0) + " symbols";
    }
    int min = space.cardinalities().stream().mapToInt(Integer::intValue).min().orElseThrow();
    return space.size() + " positions of " + min + " to " + space.maxCardinality() + " symbols";
  }

  private static String passes(int count) {
    return count == 1 ? "1 pass" : count + " passes";
  }

  private void provenance(Provenance training) {
    fact("trained", ProvenanceText.of(training));
    told("finished", training.finishedAt());
    if (training.fit() != null) {
      if (training.fit().source() != null) {
        told("source", training.fit().source());
      }
      told("seed", Long.toString(training.fit().seed()));
    }
    told("data", training.data());
    told(
        "by",
        "ringflow %s, libtorch %s, java %s"
            .formatted(training.ringflow(), training.libtorch(), training.java()));
  }

  /** A fact that a file tells. */
  private void told(String name, String value) {
    fact(name, ShownText.of(value, MAX_WIDTH));
  }

  private void field(FlowModel flow, FittedModel model) {
    PrintWriter screen = out();
    String begin = "Receptive field: through the layers, a symbol of the base depends on ";
    if (!field && !ReceptiveFieldSummary.isQuick(flow)) {
      screen.println(begin + "what --field finds (takes a while).");
      return;
    }
    ReceptiveFieldSummary found = ReceptiveFieldSummary.of(flow);
    screen.println(begin + found.line() + ".");
    if (field) {
      found.lines(position -> name(model, position)).forEach(screen::println);
    }
  }

  private static String name(FittedModel model, int position) {
    return model instanceof TableModel table
        ? ShownText.of(table.codec().columns().get(position).name(), MAX_WIDTH)
        : Integer.toString(position);
  }
}
