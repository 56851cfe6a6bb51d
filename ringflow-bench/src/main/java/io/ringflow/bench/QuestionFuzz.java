package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.CompletionOptions;
import io.ringflow.table.Completions;
import io.ringflow.table.Condition;
import io.ringflow.table.DataTable;
import io.ringflow.table.MissingValues;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Asks a table's model random questions: conditions and tables to complete, sound, damaged or made
 * of mere pieces. Each ends in an answer that makes sense, or in an exception that says what is
 * wrong in one line; anything else ends the program.
 *
 * <pre>
 *   java io.ringflow.bench.QuestionFuzz [BYTES]
 * </pre>
 */
public final class QuestionFuzz {
  private static final long SEED = 1;

  /** One of so many texts that can be read is asked. */
  private static final int ASKED_OF = 10;

  private static final List<String> NAMES = List.of("city", "size", "kind");
  private static final String[] PIECES = {
    "city",
    "size",
    "kind",
    "\"kind\"",
    "Rome",
    "'Rome'",
    "Oslo",
    "1.5",
    "'it''s'",
    "2",
    "7",
    "1e9",
    "-1",
    "=",
    "!=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "IN",
    "NOT",
    "BETWEEN",
    "AND",
    "IS",
    "NULL",
    "MISSING",
    "OR",
    "(",
    ")",
    ",",
    "'",
    "\"",
    " ",
    "\u0000",
    "é",
    "\u2028",
    "\ud800",
    ";",
    "--"
  };
  private static final String[] CELLS = {
    "Rome", "Oslo", "Lima", "", "", " ", "NA", "1.5", "2", "8.25", "-7", "1e400", "a", "b", "new",
    "\"\"", "\"a,b\"", "é", "\u2028"
  };
  private static final String[] CONDITIONS = {
    "city = 'Rome' AND size BETWEEN 1 AND 2.5",
    "size < 3 AND kind IN ('a', b) AND city != Oslo",
    "NOT (kind IS NULL) AND size NOT IN (1.5, 2)",
    "\"city\" IS NOT NULL"
  };

  private final long bytes;
  private final SplittableRandom random = new SplittableRandom(SEED);

  /** With so many bytes in all. */
  QuestionFuzz(long bytes) {
    this.bytes = bytes;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    new QuestionFuzz(arguments.number(0, 10_000_000)).print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out, err, progress -> measure(out, progress), value("Questions of seed %d", SEED));
  }

  /** What became of questions. */
  private static final class Outcome {
    private long bytes;
    private long asked;
    private long read;
    private long refused;
    private long answered;

    String[] row(String name) {
      return new String[] {
        name,
        value("%,d", bytes),
        value("%,d", asked),
        value("%,d", read),
        value("%,d", answered),
        value("%,d", refused)
      };
    }
  }

  private TableModel model(MissingValues missing) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(
          List.of(
              CELLS[random.nextInt(4)],
              random.nextInt(9) == 0 ? "" : value("%.2f", random.nextInt(1, 40) / 4.0),
              random.nextInt(5) == 0 ? "NA" : random.nextBoolean() ? "a" : "b"));
    }
    DataTable table = DataTable.of(NAMES, rows);
    CodecOptions options = new CodecOptions(12, 6, 2, List.of("", "NA")).withMissingValues(missing);
    return TableModel.train(
        table,
        TableCodec.fit(table, options),
        FitOptions.DEFAULTS.withTime(Duration.ofMillis(200)));
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    var conditions = new Outcome();
    var tables = new Outcome();
    Path file = Files.createTempFile("question", ".csv");
    try (TableModel symbols = model(MissingValues.SYMBOL);
        TableModel summedOut = model(MissingValues.SUMMED_OUT)) {
      while (conditions.bytes + tables.bytes < bytes) {
        TableModel model = random.nextBoolean() ? symbols : summedOut;
        if (conditions.bytes <= tables.bytes) {
          ask(model, condition(), conditions);
        } else {
          complete(model, file, table(), tables);
        }
        if ((conditions.asked + tables.asked) % 10_000 == 0) {
          progress.done("bytes", conditions.bytes + tables.bytes, bytes);
        }
      }
    } finally {
      Files.delete(file);
    }
    out.println(
        new ValueTable(
                "random questions", "bytes", "texts", "read", "answered", "refused in one line")
            .row(conditions.row("probability of a condition"))
            .row(tables.row("completion of a file")));
  }

  private void ask(TableModel model, String text, Outcome outcome) {
    outcome.bytes += text.getBytes(UTF_8).length;
    outcome.asked++;
    try {
      Condition condition = Condition.parse(text);
      outcome.read++;
      if (random.nextInt(ASKED_OF) > 0) {
        return; // most of the time is the model's
      }
      double found = model.probability(condition).value();
      require(found >= 0 && found <= 1 + 1e-9, "probability %s of %s", found, text);
      outcome.answered++;
    } catch (IllegalArgumentException e) {
      requireOneLine(e);
      outcome.refused++;
    }
  }

  private void complete(TableModel model, Path file, byte[] content, Outcome outcome)
      throws IOException {
    outcome.bytes += content.length;
    outcome.asked++;
    Files.write(file, content);
    try {
      DataTable table = DataTable.read(file);
      outcome.read++;
      if (random.nextInt(ASKED_OF) > 0) {
        return;
      }
      int draws = random.nextInt(3);
      Completions found =
          model.complete(
              table, CompletionOptions.DEFAULTS.withDraws(draws), ProgressListener.IGNORED);
      for (int i = 0; i < found.tables().size(); i++) {
        requireFilled(model, table, found.tables().get(i));
        double[] likely = found.probabilities(i);
        require(
            Arrays.stream(likely).allMatch(p -> p > 0 && p <= 1), "%s", Arrays.toString(likely));
      }
      outcome.answered++;
    } catch (DataFormatException | IllegalArgumentException e) {
      requireOneLine(e);
      outcome.refused++;
    }
  }

  /** No cell is blank any more, and those that were not are what they were. */
  private static void requireFilled(TableModel model, DataTable gaps, DataTable filled) {
    require(filled.size() == gaps.size(), "%s of %s", filled, gaps);
    for (int row = 0; row < gaps.size(); row++) {
      for (int d = 0; d < gaps.columns().size(); d++) {
        String before = gaps.cell(row, d);
        String after = filled.cell(row, d);
        boolean was = before.isBlank() || before.strip().equals("NA");
        require(was ? !after.isBlank() : after.equals(before), "'%s' became '%s'", before, after);
      }
    }
    model.codec().encode(filled);
  }

  private static void requireOneLine(Exception e) {
    String message = e.getMessage();
    require(message != null && !message.isBlank() && !message.contains("\n"), "%s", e);
  }

  private static void require(boolean condition, String format, Object... values) {
    if (!condition) {
      throw new IllegalStateException(value(format, values));
    }
  }

  private String condition() {
    if (random.nextInt(3) > 0) {
      return damaged(CONDITIONS[random.nextInt(CONDITIONS.length)]);
    }
    var text = new StringBuilder();
    for (int length = random.nextInt(20); length > 0; length--) {
      text.append(pick(PIECES)).append(random.nextInt(4) == 0 ? "" : " ");
    }
    return text.toString();
  }

  private String damaged(String sound) {
    var text = new StringBuilder(sound);
    for (int hits = random.nextInt(4); hits > 0 && text.length() > 0; hits--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, pick(PIECES));
        case 2 -> text.setCharAt(at, (char) random.nextInt(256));
        default -> text.setLength(at);
      }
    }
    return text.toString();
  }

  private byte[] table() {
    var text = new StringBuilder(String.join(",", NAMES)).append('\n');
    for (int row = random.nextInt(40); row >= 0; row--) {
      for (int d = 0; d < NAMES.size(); d++) {
        text.append(d == 0 ? "" : ",").append(pick(CELLS));
      }
      text.append('\n');
    }
    byte[] content = text.toString().getBytes(UTF_8);
    for (int hits = random.nextInt(4) == 0 ? random.nextInt(1, 4) : 0; hits > 0; hits--) {
      content[random.nextInt(content.length)] = (byte) random.nextInt(256);
    }
    return content;
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
