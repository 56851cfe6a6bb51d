package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.RingFlow;
import io.ringflow.base.FactorizedBase;
import io.ringflow.cli.Main;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.OrdersTable;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.table.DataTable;
import io.ringflow.table.NewValues;
import io.ringflow.table.NumberDetail;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for tables, on a tiny one: where an order goes decides how it is paid. */
@Tag("slow")
final class TableCommandsTest {
  @TempDir static Path shared;
  private static Path orders;
  private static Path model;
  private static CommandResult training;

  @TempDir Path folder;

  @BeforeAll
  static void train() throws IOException {
    orders = OrdersTable.write(shared);
    model = shared.resolve("orders.model");
    training = OrdersTable.train(orders, model);
  }

  private static TableModel load() throws IOException {
    return (TableModel) RingFlow.load(model);
  }

  private Path table(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  @Test
  void trainingSaysWhatWasLearned() {
    assertThat(training.lines())
        .startsWith(
            orders + ": 200 rows of 3 columns",
            "",
            "column  kind                      symbols  missing  rare values",
            "------  ------------------------  -------  -------  -----------",
            "city    categories                      3        -  -",
            "paid    categories                      3    2.0 %  -",
            "amount  numbers 1 to 40, in bins        4        -  -",
            "",
            "on 20 rows held out         nats per row  of factorised");
    assertThat(training.out())
        .containsPattern("\nthis model +\\d+\\.\\d{3} +\\d+\\.\\d %\n")
        .containsPattern("\nfactorised: each by itself +\\d+\\.\\d{3} +100\\.0 %\n")
        .containsPattern("\nraw: all symbols alike +3\\.584 ") // log(3 * 3 * 4)
        .containsPattern("\nTrained [\\d,]+ steps in \\d+\\.\\d s on cpu; .+\\.\n")
        .contains("\nModel: " + model + " (")
        .endsWith(
            """
            Try next:
              ringflow score %s %s --top 10
              ringflow sample %s -n 10
              ringflow inspect %s
            """
                .formatted(model, orders, model, model));
    assertThat(shared.resolve("orders.model.training")).doesNotExist();
  }

  @Test
  void aModelIsReplacedOnlyWhenAsked() throws IOException {
    Path kept = folder.resolve("kept");
    OrdersTable.train(orders, kept).output();
    OrdersTable.train(orders, kept).fails(kept + ": is there already; --overwrite replaces it");
    OrdersTable.train(orders, kept, "--overwrite", "--passes", 1).output();
    assertThat(CommandResult.of("inspect", kept).output())
        .contains("factorised", "bipartite", "Permute");
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("precious"), "data");
    CommandResult refused = OrdersTable.train(orders, other, "--overwrite");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).startsWith("ringflow: " + other).hasLineCount(1);
    assertThat(refused.out()).as("before any training").isEmpty();
    assertThat(other.resolve("precious")).hasContent("data");
  }

  @Test
  void aStoppedTrainingSaysHowToResume() throws Exception {
    Path stopped = folder.resolve("a model");
    Object[] args = {
      "train", orders, "--out", stopped, "--device", "cpu", "--minutes", "0.05", "--passes", "2"
    };
    var out = new StringWriter();
    var err = new StringWriter();
    var code = new CompletableFuture<Integer>();
    Thread thread =
        new Thread(
            () ->
                code.complete(
                    Main.execute(
                        new PrintWriter(out),
                        new PrintWriter(err),
                        Arrays.stream(args).map(Object::toString).toArray(String[]::new))));
    thread.start();
    while (!out.toString().contains("rows") && thread.isAlive()) {
      Thread.sleep(1);
    }
    thread.interrupt();

    assertThat(code.get()).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            ("ringflow: stopped; continue with: ringflow train %s --out '%s' --device cpu"
                    + " --minutes 0.05 --passes 2 --resume\n")
                .formatted(orders, stopped));
    assertThat(stopped).doesNotExist();
    assertThat(folder.resolve("a model.training").resolve("config.json")).exists();

    CommandResult other = OrdersTable.train(orders, stopped, "--resume");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err())
        .startsWith("ringflow: " + folder.resolve("a model.training"))
        .as("with other options")
        .contains("is the checkpoint of a training with another")
        .endsWith(": choose another folder, or delete it; without --resume, training begins anew\n")
        .hasLineCount(1);
    Object[] again = Arrays.copyOf(args, args.length + 1);
    again[args.length] = "--resume";
    assertThat(CommandResult.of(again).code()).isZero();
    assertThat(stopped).isDirectory();
    assertThat(folder.resolve("a model.training")).doesNotExist();
  }

  @Test
  void scoresAreTheModels() throws IOException {
    List<String> lines = CommandResult.of("score", model, orders, "--device", "cpu").lines();
    assertThat(lines.get(0)).isEqualTo("row,log_likelihood,unseen");
    try (TableModel loaded = load()) {
      double[] nats = loaded.score(DataTable.read(orders));
      assertThat(lines.subList(1, lines.size()))
          .containsExactlyElementsOf(
              IntStream.range(0, OrdersTable.ROWS)
                  .mapToObj(i -> (i + 1) + "," + nats[i] + ",")
                  .toList());
    }
  }

  @Test
  void severalTablesAreToldApartAndWhatIsUnseenIsNamed() throws IOException {
    Path first = table("a.csv", "amount,city,paid", "3,Rome,no", "4,Bonn,perhaps");
    Path second = table("b.csv", "city,paid,amount", "Oslo,yes,17");
    Path scores = folder.resolve("scores.csv");
    CommandResult.of("score", model, first, second, "--strict", "--out", scores, "--device", "cpu")
        .output();
    List<String> lines = Files.readAllLines(scores);
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).isEqualTo("file,row,log_likelihood,unseen");
    assertThat(lines.get(1)).startsWith(first + ",1,-").endsWith(",");
    assertThat(lines.get(2)).isEqualTo(first + ",2,-Infinity,city;paid");
    assertThat(lines.get(3)).startsWith(second + ",1,-").endsWith(",");
    CommandResult.of("score", model, first, "--out", scores)
        .fails(scores + ": is there already; --overwrite replaces it");
    CommandResult.of("score", model, first, "--out", scores, "--overwrite", "--device", "cpu")
        .output();
    assertThat(Files.readAllLines(scores)).hasSize(3);
    String reserved = Files.readAllLines(scores).get(2);
    assertThat(reserved).matches("2,-\\d+\\.\\d+,city;paid");
  }

  @Test
  void numbersAreScoredToTheirLastDigit() throws IOException {
    Path table = table("digits.csv", "city,paid,amount", "Rome,no,3", "Oslo,no,1000000");
    List<String> lines =
        CommandResult.of("score", model, table, "--last-digit", "--device", "cpu").lines();
    try (TableModel loaded = load()) {
      double[] nats =
          loaded.score(DataTable.read(table), NewValues.RESERVED, NumberDetail.LAST_DIGIT);
      assertThat(lines)
          .containsExactly("row,log_likelihood,unseen", "1," + nats[0] + ",", "2," + nats[1] + ",");
    }
  }

  @Test
  void theLeastLikelyRowsComeFirstWithReasons() throws IOException {
    Path odd = table("odd.csv", "city,paid,amount", "Rome,no,3", "Bonn,no,4", "Rome,yes,5");
    List<String> lines =
        CommandResult.of("score", model, odd, "--top", 2, "--strict", "--device", "cpu").lines();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).isEqualTo("row  log_likelihood  what costs most");
    assertThat(lines.get(2)).startsWith("  2       -Infinity  city=Bonn (unseen); ");
    try (TableModel loaded = load()) {
      double[] nats = loaded.score(DataTable.read(odd), NewValues.IMPOSSIBLE);
      int next = nats[0] < nats[2] ? 0 : 2;
      String cost = " \\(-\\d\\.\\d\\)";
      assertThat(lines.get(3))
          .startsWith("  " + (next + 1) + " ")
          .contains("  " + Numbers.fixed(nats[next]) + "  ")
          .containsPattern("city=Rome" + cost)
          .containsPattern((next == 0 ? "paid=no" : "paid=yes") + cost)
          .containsPattern((next == 0 ? "amount=3" : "amount=5") + cost);
    }

    Path csv = folder.resolve("top.csv");
    CommandResult.of("score", model, odd, "--top", 3, "--out", csv, "--device", "cpu").output();
    assertThat(Files.readAllLines(csv).get(0)).isEqualTo("row,log_likelihood,what costs most");
    assertThat(Files.readAllLines(csv))
        .anyMatch(line -> line.matches("2,-\\d+\\.\\d+,city=Bonn \\(unseen\\); .*"));
  }

  @Test
  void theTopOfAllIsSorted() throws IOException {
    List<String> lines =
        CommandResult.of("score", model, orders, "--top", 500, "--device", "cpu").lines();
    try (TableModel loaded = load()) {
      double[] nats = loaded.score(DataTable.read(orders));
      double[] sorted = Arrays.stream(nats).sorted().toArray();
      assertThat(lines).hasSize(2 + OrdersTable.ROWS);
      for (int i = 0; i < OrdersTable.ROWS; i++) {
        List<String> words = Pattern.compile(" +").splitAsStream(lines.get(2 + i).strip()).toList();
        assertThat(words.get(1)).isEqualTo(Numbers.fixed(sorted[i]));
        assertThat(nats[Integer.parseInt(words.get(0)) - 1]).isEqualTo(sorted[i]);
      }
    }
  }

  @Test
  void samplesAreTheModels() throws IOException {
    String rows =
        CommandResult.of("sample", model, "-n", 20, "--seed", 5, "--device", "cpu").output();
    var expected = new StringWriter();
    try (TableModel loaded = load()) {
      loaded.sample(20, 5).rows().write(expected, ',');
    }
    assertThat(rows).isEqualTo(expected.toString());
    assertThat(rows.lines()).hasSize(21).startsWith("city,paid,amount");
    Path out = folder.resolve("more.csv");
    CommandResult.of("sample", model, "-n", 20, "--seed", 5, "--out", out, "--device", "cpu")
        .output();
    assertThat(out).content().isEqualTo(rows);
    CommandResult.of("sample", model, "--out", out)
        .fails(out + ": is there already; --overwrite replaces it");
  }

  @Test
  void whatIsGivenStandsInEveryRow() {
    CommandResult ran =
        CommandResult.of("sample", model, "-n", 30, "--given", "amount=7", "--given", "city=Oslo");
    assertThat(ran.code()).isZero();
    assertThat(ran.out().lines().skip(1)).hasSize(30).allMatch(row -> row.matches("Oslo,.*,7"));
  }

  /** Columns are so small that all that may come before them is enumerated. */
  @Test
  void whateverIsGivenInASmallTableIsExact() {
    for (String given : List.of("city=Rome", "paid=no", "amount=3")) {
      assertThat(CommandResult.of("sample", model, "-n", 5, "--given", given).lines()).hasSize(6);
    }
  }

  @Test
  void inspectingShowsAllOfAModel() throws IOException {
    String shown = CommandResult.of("inspect", model, "--field").output();
    try (TableModel loaded = load()) {
      assertThat(shown)
          .contains("sha-256     " + HexFormat.of().formatHex(loaded.flow().fingerprint()) + "\n")
          .containsPattern(
              "\nbase +autoregressive +3 in turn +Made\\[hidden=512, .*"
                  + String.format(Locale.ROOT, "%,d", loaded.flow().parameterCount()));
    }
    assertThat(shown)
        .startsWith("model       of a table: 3 columns of 200 rows, in " + model + "\n")
        .contains("\nspace       3 positions of 3 to 4 symbols\n")
        .contains("\nto sample   3 passes of the network, one after the other\n")
        .contains("\nsource      orders.csv\n", "\nseed        1\n")
        .containsPattern("\ntrained +[\\d,]+ steps in \\d+\\.\\d s on cpu; ")
        .containsPattern("\nthis model +\\d")
        .contains("\namount  numbers 1 to 40, in bins        4        -  -\n")
        .contains("a symbol of the base depends on 1 symbol of the data.\n");
    assertThat(shown.lines().filter(line -> line.matches("  [012] <- (city|paid|amount)")))
        .hasSize(3);
  }

  @Test
  void aModelOfMereSymbolsCanBeInspectedAndNothingElse() throws IOException {
    Architecture architecture =
        Architecture.of(Space.uniform(4, 3), new FactorizedBase())
            .with(new Bipartite(Mask.even(4), new Made(8, 1), new Shift()));
    Path mere = folder.resolve("mere");
    try (FlowModel flow = FlowModel.create(architecture, 1)) {
      flow.save(mere);
    }
    assertThat(CommandResult.of("inspect", mere).output())
        .startsWith("model       of symbols only, in " + mere + "\nspace       4 positions of 3")
        .contains("\nto sample   1 pass of the network", "\ntrained     not recorded\n")
        .containsPattern("\nlayer 1 +bipartite +moves 2 by 2 +Made.* Shift +[1-9]");
    String message = mere + ": is a model of mere symbols: no codec.json says what they stand for";
    CommandResult.of("sample", mere).fails(message);
    CommandResult.of("score", mere, orders).fails(message);
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    Path nothing = folder.resolve("nothing.csv");
    OrdersTable.train(nothing, folder.resolve("m")).fails(nothing + ": no such file");
    for (String command : List.of("inspect", "sample")) {
      CommandResult.of(command, nothing)
          .fails("no such file: " + nothing + ": no such model folder");
    }
    CommandResult.of("score", model, nothing).fails(nothing + ": no such file");
    Path other = table("other.csv", "city,price", "Rome,1", "Oslo,2");
    CommandResult.of("score", model, other)
        .fails(
            other
                + ": the table must have the columns of training, but lacks [paid, amount] and has"
                + " [price] too");
    CommandResult.of("sample", model, "--given", "town=Rome")
        .fails("there is no column 'town'; near: 'amount', 'city', 'paid'");
    CommandResult.of("sample", model, "--given", "city=Roma")
        .fails("column 'city' never had 'Roma'; near: 'Rome', 'Oslo', 'Paris'");
    Path few = table("few.csv", "a,b", "1,2", "3,4");
    CommandResult small = OrdersTable.train(few, folder.resolve("m"));
    assertThat(small.code()).isEqualTo(1);
    assertThat(small.err())
        .isEqualTo("ringflow: a table needs at least 20 rows to learn from, but has 2\n");
  }

  @Test
  void aDamagedModelIsOneLine() throws IOException {
    Path damaged = Files.createDirectory(folder.resolve("damaged"));
    try (var files = Files.list(model)) {
      for (Path file : files.toList()) {
        Files.copy(file, damaged.resolve(file.getFileName().toString()));
      }
    }
    Path codec = damaged.resolve("codec.json");
    Files.writeString(codec, Files.readString(codec).replace("Rome", "Roma"));
    for (String command : List.of("inspect", "sample")) {
      CommandResult ran = CommandResult.of(command, damaged);
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).startsWith("ringflow: " + codec + ": ").hasLineCount(1);
      assertThat(ran.out()).isEmpty();
    }
  }

  @Test
  void commandLinesThatMakeNoSense() {
    CommandResult.of("score", model, orders, "--top", 0)
        .isMisused("score", "--top must be at least 1, but is 0");
    CommandResult.of("sample", model, "-n", 0)
        .isMisused("sample", "-n must be at least 1, but is 0");
    CommandResult.of("sample", model, "--given", "Rome")
        .isMisused("sample", "--given must be COLUMN=VALUE for a model of a table, but is 'Rome'");
    CommandResult.of("sample", model, "--given", "city=Rome", "--given", "city=Oslo")
        .isMisused("sample", "--given names the column city twice");
  }
}
