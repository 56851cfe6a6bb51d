package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.cli.progress.CountProgress;
import io.ringflow.compress.CountModel;
import io.ringflow.core.Precision;
import io.ringflow.core.SamplingOptions;
import io.ringflow.model.FittedModel;
import io.ringflow.table.Condition;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow sample MODEL}: new rows or texts, some of whose values may be given. */
@Command(
    name = "sample",
    description = {
      "Sample new rows or texts from a model.",
      "Rows come as comma-separated values with a header.",
      ""
    },
    customSynopsis = "ringflow sample MODEL [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "--given samples only rows with these values: as they occur among such rows, not made to fit. A",
      "number stands for its bin, a rare value for all rare ones of its column. --where samples only rows",
      "that satisfy a condition, each value of them. Where the model samples columns before those that",
      "are named, and these have many values, rows are picked by weight out of many (importance",
      "resampling); a line on the error stream then says how many independent rows they are worth.",
      "",
      "--temperature tempers the probabilities of each value or symbol, given those sampled before it: to",
      "their powers 1/T, divided by the sum. Samples follow the product of these exactly, which is not the",
      "power of a whole row's probability. Of a flow with layers, the base alone is tempered.",
      "",
      "Pieces of text have a line --- between them. Those of a model by counting (train --fast) have 256",
      "bytes.",
      "",
      "In a process group (see ringflow launch) each process samples some of the rows, with its own seed.",
      "",
      "Exit codes: 0 all went well, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow sample orders.model -n 1000 --out more.csv",
      "  ringflow sample orders.model -n 1000000 --precision float32 --out many.csv",
      "  ringflow sample orders.model --given city=Rome --given paid=no",
      "  ringflow sample orders.model --where \"amount BETWEEN 30 AND 40 AND city != 'Rome'\"",
      "  ringflow sample novel.model -n 3 --given 'Once upon a time'",
      "  ringflow sample novel.model -n 3 --temperature 0.8"
    })
final class SampleCommand extends ToolCommand {
  private static final String BETWEEN = "---";
  private static final int COUNTED_PIECE = 256; // bytes

  @Parameters(paramLabel = "MODEL", description = "The model's folder.")
  private Path folder;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      defaultValue = "10",
      description = "How many rows or pieces of text (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--given",
      paramLabel = "COLUMN=VALUE",
      description =
          "Only rows with this value in this column; may be repeated. Of a text: the beginning of"
              + " every piece.")
  private List<String> given = new ArrayList<>();

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description =
          "Only rows that satisfy a condition, such as \"city IN (Rome, Oslo) AND amount > 30\"; see"
              + " ringflow probability --help.")
  private String where;

  @Mixin private SeedOption seed;

  @Option(
      names = "--precision",
      paramLabel = "NAME",
      defaultValue = "float64",
      description =
          "float64: the same seed gives the same rows on any device. float32, or on a GPU bfloat16:"
              + " faster, of probabilities rounded to that (default: ${DEFAULT-VALUE}).")
  private String precisionName;

  @Option(
      names = "--temperature",
      paramLabel = "T",
      defaultValue = "1",
      description =
          "Below 1: likely values become likelier; above 1: all become more alike; 1: the model"
              + " itself (default: ${DEFAULT-VALUE}). See below.")
  private double temperature;

  private SamplingOptions options;
  private Condition condition;
  private IndependentWork part;

  @Mixin private OutputOptions output;
  @Mixin private DeviceOption device;

  @Override
  public Integer call() throws IOException {
    requirePositive("-n", count);
    options = options();
    condition = condition();
    part = IndependentWork.fromEnvironment();
    if (count < part.size()) {
      throw usage(
          "-n must be at least 1 for each of " + part.size() + " processes, but is " + count);
    }
    output.check(part, this);
    if (CountModel.isAt(folder)) {
      countedPieces(CountModel.load(folder));
      return CommandLine.ExitCode.OK;
    }
    try (FittedModel model = RingFlow.load(folder, device.resolve())) {
      tellTempered(model);
      if (model instanceof TableModel table) {
        rows(table);
      } else {
        pieces((TextModel) model);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private SamplingOptions options() {
    try {
      return new SamplingOptions(Precision.of(precisionName), temperature);
    } catch (IllegalArgumentException e) {
      throw usage("--" + e.getMessage());
    }
  }

  private Condition condition() {
    try {
      return where == null ? Condition.ALWAYS : Condition.parse(where);
    } catch (IllegalArgumentException e) {
      throw usage("--where: " + e.getMessage());
    }
  }

  private void rows(TableModel model) throws IOException {
    Map<String, String> values = values(model.codec());
    TableModel.Sample sample;
    try (var progress = CountProgress.of(err(), "rows", part.of(count))) {
      long own = part.seed(seed.value());
      sample = model.sample(part.of(count), values, condition, own, options, progress);
    }
    tell(sample.exact(), sample.effective());
    output.write(part, out(), out -> sample.rows().write(out, ','));
  }

  private Map<String, String> values(TableCodec codec) {
    List<String> names = codec.columns().stream().map(column -> column.name()).toList();
    Map<String, String> values = new LinkedHashMap<>();
    for (String one : given) {
      List<NamedValue> readings = NamedValue.readings(one);
      if (readings.isEmpty()) {
        throw usage("--given must be COLUMN=VALUE for a model of a table, but is '" + one + "'");
      }
      NamedValue read =
          readings.stream()
              .filter(reading -> names.contains(reading.name()))
              .findFirst()
              .orElse(readings.get(0));
      if (values.put(read.name(), read.value()) != null) {
        throw usage("--given names the column " + read.name() + " twice");
      }
    }
    return values;
  }

  private String beginning() {
    if (where != null) {
      throw usage("--where is of columns, and this is a model of texts");
    }
    if (given.size() > 1) {
      throw usage("--given is the beginning of a text, and there can be one; quote its blanks");
    }
    return given.isEmpty() ? "" : given.get(0);
  }

  private void countedPieces(CountModel model) throws IOException {
    if (!options.equals(SamplingOptions.DEFAULTS)) {
      throw usage(
          "--temperature and --precision are for trained models, and this one only counted");
    }
    byte[] beginning = beginning().getBytes(StandardCharsets.UTF_8);
    int length = Math.max(COUNTED_PIECE, beginning.length);
    List<byte[]> samples;
    try (var progress = CountProgress.of(err(), "pieces", part.of(count))) {
      long own = part.seed(seed.value());
      samples = model.sample(part.of(count), beginning, length, own, progress);
    }
    write(samples.stream().map(SampleCommand::wholeCharacters).toList());
  }

  /** Bytes as text; a piece may end within a character, which is left out. */
  private static String wholeCharacters(byte[] bytes) {
    CharBuffer text = CharBuffer.allocate(bytes.length);
    StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .decode(ByteBuffer.wrap(bytes), text, false);
    return text.flip().toString();
  }

  private void write(List<String> pieces) throws IOException {
    String text = String.join("\n" + BETWEEN + "\n", pieces) + "\n";
    output.write(part, out(), out -> out.write(text));
  }

  private void pieces(TextModel model) throws IOException {
    String beginning = beginning();
    TextModel.Sample sample;
    try (var progress = CountProgress.of(err(), "pieces", part.of(count))) {
      sample = model.sample(part.of(count), beginning, part.seed(seed.value()), options, progress);
    }
    tell(sample.exact(), sample.effective());
    write(sample.pieces());
  }

  private void tellTempered(FittedModel model) {
    if (options.isTempered() && model.flow().architecture().movesSymbols()) {
      err().println("the temperature is that of the base alone: this model's layers move symbols");
      err().flush();
    }
  }

  private void tell(boolean exact, double effective) {
    if (!exact) {
      err()
          .printf(
              Locale.ROOT,
              "not exact: picked by importance resampling, worth %.1f independent samples of %d%n",
              effective,
              part.of(count));
      err().flush();
    }
  }
}
