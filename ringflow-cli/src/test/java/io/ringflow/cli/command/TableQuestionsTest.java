package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.base.AutoregressiveBase;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.OrdersTable;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.Condition;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can be asked of a table's model: probabilities of conditions, samples under them, columns.
 */
@Tag("slow")
final class TableQuestionsTest {
  @TempDir static Path shared;
  private static Path orders;
  private static Path model;
  private static Path wide;

  @TempDir Path folder;

  @BeforeAll
  static void train() throws IOException {
    orders = OrdersTable.write(shared);
    model = shared.resolve("orders.model");
    OrdersTable.train(orders, model).output();
    wide = wide(shared.resolve("wide.model"));
  }

  /** Too many columns for exact sums. */
  private static Path wide(Path to) throws IOException {
    List<String> names = IntStream.range(0, 12).mapToObj(column -> "c" + column).toList();
    List<List<String>> rows =
        IntStream.range(0, 40)
            .mapToObj(row -> IntStream.range(0, 12).mapToObj(c -> "v" + (row + c) % 10).toList())
            .toList();
    TableCodec codec = TableCodec.fit(DataTable.of(names, rows), CodecOptions.DEFAULTS);
    var base = new AutoregressiveBase(Order.natural(12), new Made(16, 1));
    Architecture architecture = Architecture.of(codec.space(), base);
    try (TableModel made =
        new TableModel(FlowModel.create(architecture, codec, Device.CPU, 1), codec)) {
      made.save(to);
    }
    return to;
  }

  private static CommandResult ask(Object... args) {
    Object[] all = new Object[args.length + 2];
    all[0] = "probability";
    all[1] = model;
    System.arraycopy(args, 0, all, 2, args.length);
    return CommandResult.of(all);
  }

  @Test
  void aConditionHasAProbability() throws IOException {
    String condition = "city IN (Rome, 'Oslo') AND amount BETWEEN 5 AND 30 AND paid IS NOT NULL";
    double wanted;
    try (TableModel loaded = (TableModel) RingFlow.load(model)) {
      wanted = loaded.probability(Condition.parse(condition)).value();
    }
    assertThat(ask(condition).output()).matches("probability 0\\.\\d{4}, exact\n");
    double found = Double.parseDouble(ask(condition).output().split("[ ,]", -1)[1]);
    assertThat(found).isCloseTo(wanted, within(5e-5));
    assertThat(found).isBetween(0.2, 0.6); // about 2/3 of the cities times 26/40 of the amounts
    assertThat(ask(condition, "--count", "1k").output())
        .matches("probability .*\nexpected rows [\\d.]+ of 1,000\n");
    assertThat(ask("city = Rome", "--given", "city = Rome AND paid = no").output())
        .isEqualTo("probability 1, exact\n");
    assertThat(ask("amount = 1000").output()).isEqualTo("probability 0, exact\n");
  }

  @Test
  void severalConditionsAreATable() throws IOException {
    Path file = folder.resolve("conditions.txt");
    Files.writeString(file, "# cities\ncity = Rome\n\ncity != Rome\n");
    List<String> lines = ask("--file", file, "--count", 100).lines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .isEqualTo("condition,probability,standard_error,samples,expected_rows");
    double rome = Double.parseDouble(lines.get(1).split(",", -1)[1]);
    double others = Double.parseDouble(lines.get(2).split(",", -1)[1]);
    assertThat(rome + others).isCloseTo(1, within(1e-9));
    assertThat(lines.get(1)).matches("city = Rome,0\\.\\d+,0\\.0,0,\\d+\\.\\d+");
    Path out = folder.resolve("answers.csv");
    ask("city = Rome", "city != Rome", "--count", 100, "--out", out).output();
    assertThat(Files.readAllLines(out)).isEqualTo(lines);
  }

  @Test
  void anEstimateSaysHowFarOffItMayBe() {
    String estimate =
        CommandResult.of("probability", wide, "c11 = v1 AND c7 != v2", "--tolerance", "5 %")
            .output();
    assertThat(estimate).matches("probability [\\d.e-]+ \\+/- [\\d.e-]+, from \\d+ samples\n");
    CommandResult few =
        CommandResult.of(
            "probability",
            wide,
            "c11 = v1",
            "--tolerance",
            "0.01%",
            "--samples",
            200,
            "--count",
            50);
    assertThat(few.code()).isZero();
    assertThat(few.out()).contains("from 200 samples\nexpected rows ", " +/- ", " of 50\n");
    assertThat(few.err())
        .isEqualTo("the tolerance was not reached: --samples takes more than 200\n");
    CommandResult.of("probability", wide, "c11 = v1", "--tolerance", 0)
        .fails(
            "exactly, this is a sum over 100,000,000,000 beginnings of rows, and at most 1,048,576"
                + " are summed; a tolerance above 0 estimates it");
  }

  @Test
  void samplesSatisfyWhatIsAsked() {
    List<String> rows =
        CommandResult.of(
                "sample",
                model,
                "-n",
                40,
                "--where",
                "amount > 35 AND city <> 'Rome' AND paid = yes")
            .lines();
    assertThat(rows).hasSize(41);
    assertThat(rows.subList(1, 41)).allMatch(row -> row.matches("(Oslo|Paris),yes,(3[6-9]|40)"));
    CommandResult picked =
        CommandResult.of("sample", wide, "-n", 5, "--where", "c9 IN (v1, v2)", "--given", "c3=v4");
    assertThat(picked.code()).isZero();
    assertThat(picked.out().lines().skip(1))
        .hasSize(5)
        .allMatch(row -> row.matches("(v\\d,){3}v4,(v\\d,){5}v[12],.*"));
    assertThat(picked.err())
        .matches(
            "not exact: picked by importance resampling, worth \\d\\.\\d independent samples of 5\n");
    CommandResult.of("sample", model, "--where", "amount = 99")
        .fails("no row satisfies the condition: its probability is 0");
    CommandResult.of("sample", model, "--where", "city = Rome", "--given", "city=Rome")
        .fails("column 'city' is both given and in the condition");
  }

  @Test
  void oneColumnIsPredictedFromTheOthers() throws IOException {
    CommandResult ran = CommandResult.of("predict", model, orders, "--column", "paid");
    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .matches("\\d\\d\\.\\d % of 200 predictions are right, log-loss 0\\.\\d{4} nats\n");
    List<String> lines = ran.out().lines().toList();
    assertThat(lines).hasSize(201);
    assertThat(lines.get(0))
        .isEqualTo("row,prediction,probability,standard_error,actual_probability");
    Path news = Files.write(folder.resolve("new.csv"), List.of("amount,city", "3,Rome", "5,Lima"));
    List<String> found =
        CommandResult.of(
                "predict", model, news, "--column", "paid", "--distribution", "--header", "yes")
            .lines();
    assertThat(found.get(0))
        .isEqualTo("row,prediction,probability,standard_error,p(yes),p(no),p((missing))");
    assertThat(found.get(1)).startsWith("1,no,0.");
    double[] all =
        Arrays.stream(found.get(1).split(",", -1))
            .skip(4)
            .mapToDouble(Double::parseDouble)
            .toArray();
    assertThat(Arrays.stream(all).sum()).isCloseTo(1, within(1e-12));
    assertThat(found.get(2)).as("Lima was never seen, and says nothing").startsWith("2,");
    Path cities = Files.write(folder.resolve("cities.csv"), List.of("city", "Rome", "Oslo"));
    CommandResult alone =
        CommandResult.of("predict", model, cities, "--column", "paid", "--header", "yes");
    assertThat(alone.lines().get(1)).startsWith("1,no,0.").endsWith(",0.0");
    assertThat(alone.err()).as("a sum over all amounts").isEmpty();
  }

  @Test
  void aMissingCellHasNoActualProbability() throws IOException {
    Path file = folder.resolve("some.csv");
    Files.writeString(file, "amount,city,paid\n3,Rome,no\n5,,yes\n7,NA,no\n9,Lima,yes\n");
    CommandResult ran = CommandResult.of("predict", model, file, "--column", "city");
    List<String> actual =
        ran.out().lines().skip(1).map(line -> line.substring(line.lastIndexOf(',') + 1)).toList();
    assertThat(actual.get(0)).startsWith("0.");
    assertThat(actual.subList(1, 4)).containsExactly("", "", "0.0");
    assertThat(ran.err())
        .matches(
            "\\d+\\.0 % of 2 predictions are right, log-loss \\d\\.\\d{4} nats without 1 values that"
                + " were never seen\n");
    Files.writeString(file, "amount,city,paid\n5,,yes\n7,NA,no\n");
    assertThat(CommandResult.of("predict", model, file, "--column", "city").err()).isEmpty();
    Files.writeString(file, "amount,city,paid\n5,Lima,yes\n7,,no\n");
    assertThat(CommandResult.of("predict", model, file, "--column", "city").err())
        .isEqualTo("0.0 % of 1 predictions are right\n");
  }

  @Test
  void missingCellsAreFilled() throws IOException {
    Path gaps =
        Files.writeString(folder.resolve("gaps.csv"), "amount,city,paid\n3,,no\n,Oslo,NA\n");
    CommandResult filled = CommandResult.of("complete", model, gaps, "--probability");
    List<String> lines = filled.out().lines().toList();
    assertThat(lines.get(0)).isEqualTo("amount,city,paid,probability");
    assertThat(lines.get(1)).matches("3,Rome,no,0\\.\\d+"); // in Rome nobody pays
    assertThat(lines.get(2)).matches("\\d+,Oslo,yes,0\\.\\d+");
    assertThat(lines).hasSize(3);
    assertThat(filled.err()).isEqualTo("3 missing cells filled\n");
    Path out = folder.resolve("draws.csv");
    assertThat(CommandResult.of("complete", model, gaps, "--draws", 4, "--out", out).code())
        .isZero();
    DataTable draws = DataTable.read(out);
    assertThat(draws.columns()).containsExactly("draw", "row", "amount", "city", "paid");
    assertThat(IntStream.range(0, 8).mapToObj(row -> draws.row(row).subList(0, 2)))
        .startsWith(List.of("1", "1"), List.of("1", "2"), List.of("2", "1"))
        .endsWith(List.of("4", "2"));
    for (int row = 0; row < 8; row++) {
      assertThat(draws.cell(row, 3)).isIn("Rome", "Oslo", "Paris");
      assertThat(draws.cell(row, 4)).isIn("yes", "no");
      assertThat(Integer.parseInt(draws.cell(row, 2))).isBetween(1, 40);
    }
  }

  @Test
  void rowsOfManyCompletionsAreSampled() throws IOException {
    Path gaps = folder.resolve("gaps.csv");
    String names = String.join(",", IntStream.range(0, 12).mapToObj(c -> "c" + c).toList());
    Files.writeString(gaps, names + "\nv1" + ",".repeat(11) + "\n");
    CommandResult filled = CommandResult.of("complete", wide, gaps, "--samples", 64);
    assertThat(filled.out().lines().skip(1).findFirst().orElseThrow()).matches("v1(,v\\d){11}");
    assertThat(filled.err())
        .matches(
            "11 missing cells filled\nnot exact in 1 rows of many completions: out of samples worth"
                + " \\d+\\.\\d independent ones on average\n");
    CommandResult.of("complete", wide, gaps, "--samples", 4)
        .isMisused("complete", "--samples must be in 16..65536, but is 4");
    CommandResult.of("complete", wide, gaps, "--draws", 0)
        .isMisused("complete", "--draws must be at least 1, but is 0");
    CommandResult.of("complete", model, gaps)
        .fails(
            gaps
                + ": the table must have the columns of training, but lacks [city, paid, amount] and"
                + " has [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11] too");
    Path named = Files.writeString(folder.resolve("named.csv"), "city,draw\nRome,1\n");
    CommandResult.of("complete", model, named, "--draws", 2)
        .fails(named + ": has a column 'draw', as the output would too; rename it");
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    ask("city = ")
        .isMisused("probability", "condition, character 8: expected a value, but found the end");
    ask("city = Rome", "--given", "paid")
        .isMisused(
            "probability",
            "--given: condition, character 5: expected a comparison, such as =, IN or IS NULL, but"
                + " found the end");
    ask("ciy = Rome")
        .fails("condition, character 1: there is no column 'ciy'; near: 'city', 'paid', 'amount'");
    ask("city = Roma")
        .fails(
            "condition, character 1: column 'city' never had 'Roma'; near: 'Rome', 'Oslo', 'Paris'");
    ask().isMisused("probability", "name a condition, or --file");
    ask("city = Rome", "--file", orders)
        .isMisused("probability", "--file and CONDITION exclude each other");
    ask("city = Rome", "--tolerance", "-1")
        .isMisused(
            "probability",
            "Invalid value for option '--tolerance': '-1' is not a share, such as 1% or 0.01");
    ask("city = Rome", "--tolerance", "200%")
        .isMisused("probability", "--tolerance must be at least 0 and below 1, but is 2.0");
    ask("city = Rome", "--samples", 5)
        .isMisused("probability", "--samples must be at least 128, but is 5");
    ask("city = Rome", "--given", "amount = 99").fails("what is given has probability 0");
    Path file = Files.writeString(folder.resolve("c.txt"), "city = Rome\ncity Rome\n");
    ask("--file", file)
        .fails(
            file
                + ": line 2: condition, character 6: expected a comparison, such as =, IN or IS NULL,"
                + " but found 'Rome'");
    CommandResult.of("sample", model, "--where", "OR")
        .isMisused(
            "sample",
            "--where: condition, character 1: expected a column (one of that name stands in double"
                + " quotes), but found 'OR'; OR is not known: ask for both, and subtract what they"
                + " share");
    CommandResult.of("predict", model, orders, "--column", "pai")
        .fails("there is no column 'pai'; near: 'paid', 'city', 'amount'");
  }
}
