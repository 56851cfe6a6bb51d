package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.core.Space;
import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import io.ringflow.table.TableFormat.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TableCodecTest {
  private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS;

  @TempDir Path folder;

  static DataTable column(List<String> cells) {
    return DataTable.of(List.of("x"), cells.stream().map(List::of).toList());
  }

  private static DataTable column(String... cells) {
    return column(Arrays.asList(cells));
  }

  private static TableCodec fit(CodecOptions options, String... cells) {
    return TableCodec.fit(column(cells), options);
  }

  private static ValueCounts counts(Object... valuesAndCounts) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < valuesAndCounts.length; i += 2) {
      counts.put((String) valuesAndCounts[i], (Integer) valuesAndCounts[i + 1]);
    }
    return ValueCounts.of(counts);
  }

  @Test
  void theMostFrequentComeFirst() {
    TableCodec codec = fit(OPTIONS, "b", "c", "a", "c", "b", "a", "c", "d", "d");
    assertThat(codec.columns())
        .containsExactly(
            new Categories(
                "x", counts("c", 3, "a", 2, "b", 2, "d", 2), ValueCounts.NONE, ValueCounts.NONE));
    assertThat(((Categories) codec.columns().get(0)).values().values())
        .containsExactly("c", "a", "b", "d");
    assertThat(codec.space()).isEqualTo(Space.of(4));
    TableCodec.Encoded encoded = codec.encode(column("c", "d", "nobody", ""));
    assertThat(encoded.symbols()).isDeepEqualTo(new int[][] {{0}, {3}, {0}, {0}});
    assertThat(encoded.logProbGivenSymbols()).containsExactly(0, 0, 0, 0);
    assertThat(encoded.unseen(1)).isEmpty();
    assertThat(encoded.unseen(2)).containsExactly(0);
    assertThat(encoded.unseen(3)).as("missing, which never happened").containsExactly(0);
    assertThat(encoded.unseenRows()).isEqualTo(2);
  }

  @Test
  void rareValuesShareASymbolExactly() {
    var cells = new ArrayList<>(List.of("a", "a", "a", "a", "b", "b", "b", "c", "c", "d", ""));
    TableCodec codec = TableCodec.fit(column(cells), OPTIONS.withMaxCategories(3).withMinCount(1));
    assertThat(codec.columns())
        .containsExactly(
            new Categories("x", counts("a", 4, "b", 3), counts("c", 2, "d", 1), counts("", 1)));
    assertThat(codec.space()).isEqualTo(Space.of(4));
    TableCodec.Encoded encoded = codec.encode(column("c", "d", "", "a", "e"));
    assertThat(encoded.symbols()).isDeepEqualTo(new int[][] {{2}, {2}, {3}, {0}, {2}});
    assertThat(encoded.logProbGivenSymbols())
        .containsExactly(Math.log(2 / 3.0), Math.log(1 / 3.0), 0, 0, 0);
    assertThat(encoded.unseen(4)).containsExactly(0);
  }

  @Test
  void whatWasSeenOnceIsRareButNeverAlone() {
    assertThat(fit(OPTIONS, "a", "a", "b", "c").columns())
        .containsExactly(
            new Categories("x", counts("a", 2), counts("b", 1, "c", 1), ValueCounts.NONE));
    assertThat(fit(OPTIONS, "a", "a", "b").columns())
        .containsExactly(
            new Categories("x", counts("a", 2, "b", 1), ValueCounts.NONE, ValueCounts.NONE));
    assertThat(fit(OPTIONS, "a", "b").columns())
        .as("nothing but rare values")
        .containsExactly(
            new Categories("x", ValueCounts.NONE, counts("a", 1, "b", 1), ValueCounts.NONE));
    assertThat(fit(OPTIONS, "1", "2", "3").columns())
        .as("numbers are not pooled")
        .containsExactly(
            new Categories(
                "x", counts("1", 1, "2", 1, "3", 1), ValueCounts.NONE, ValueCounts.NONE));
  }

  @Test
  void constantAndEmptyColumnsHaveOneSymbol() {
    TableCodec constant = fit(OPTIONS, "a", "a", "a");
    assertThat(constant.space()).isEqualTo(Space.of(1));
    assertThat(constant.decode(new int[][] {{0}}, 1).row(0)).containsExactly("a");
    assertThat(constant.encode(column("b")).unseen(0)).containsExactly(0);
    TableCodec empty = fit(OPTIONS, "", "", "");
    assertThat(empty.space()).isEqualTo(Space.of(1));
    assertThat(empty.decode(new int[][] {{0}}, 1).row(0)).containsExactly("");
  }

  @Test
  void missingIsWrittenAsItWas() {
    CodecOptions options = OPTIONS.withMissing(List.of("", "NA")).withMaxCategories(2);
    TableCodec codec = fit(options.withBins(2), "1", " NA ", "2", "", "3", "", "4", "");
    assertThat(codec.columns())
        .containsExactly(
            new Bins(
                "x",
                List.of(new Bin("1", "2", 2), new Bin("3", "4", 2)),
                0,
                0,
                counts("", 3, " NA ", 1)));
    TableCodec.Encoded encoded = codec.encode(column("", " NA ", "NA", "x"));
    assertThat(encoded.symbols()).isDeepEqualTo(new int[][] {{2}, {2}, {0}, {0}});
    assertThat(encoded.logProbGivenSymbols()).containsExactly(Math.log(0.75), Math.log(0.25), 0, 0);
    assertThat(encoded.unseen(2)).as("not written like this").containsExactly(0);
    assertThat(encoded.unseen(3)).containsExactly(0);
    int[][] missing = Collections.nCopies(4000, new int[] {2}).toArray(int[][]::new);
    DataTable sampled = codec.decode(missing, 3);
    long empty =
        DataTableFuzzTest.cells(sampled).stream().filter(row -> row.get(0).isEmpty()).count();
    assertThat(empty).isBetween(2850L, 3150L); // 5 standard deviations around 3000
    assertThat(DataTableFuzzTest.cells(sampled)).containsOnly(List.of(""), List.of(" NA "));
  }

  @Test
  void numbersAreCutIntoQuantiles() {
    String[] cells = IntStream.rangeClosed(1, 1000).mapToObj(i -> "" + i).toArray(String[]::new);
    var bins = ((Bins) fit(OPTIONS.withBins(4), cells).columns().get(0)).bins();
    assertThat(bins)
        .containsExactly(
            new Bin("1", "250", 250),
            new Bin("251", "500", 250),
            new Bin("501", "750", 250),
            new Bin("751", "1000", 250));
    TableCodec codec = fit(OPTIONS, cells);
    assertThat(codec.space()).isEqualTo(Space.of(32));
    TableCodec.Encoded encoded =
        codec.encode(column("-1e9", "1", "1000", "1e300", "31.5", "32", "1 000"));
    assertThat(encoded.symbols()).isDeepEqualTo(new int[][] {{0}, {0}, {31}, {31}, {0}, {1}, {0}});
    assertThat(encoded.unseenRows()).as("the last is no number").isEqualTo(1);
  }

  @Test
  void aHeavyNumberHasABinOfItsOwn() {
    List<String> cells = new ArrayList<>(Collections.nCopies(500, "0.0"));
    for (int i = 1; i <= 300; i++) {
      cells.add("-" + i + ".5");
      cells.add(i + ".25");
    }
    var column = (Bins) TableCodec.fit(column(cells), OPTIONS.withBins(10)).columns().get(0);
    assertThat(column.bins()).contains(new Bin("0.0", "0.0", 500));
    assertThat(column.bins()).hasSizeLessThanOrEqualTo(10);
    assertThat(column.minDecimals()).isEqualTo(1);
    assertThat(column.maxDecimals()).isEqualTo(2);
  }

  @Test
  void numbersAreSampledAsTheyWereWritten() {
    var whole =
        new Bins("x", List.of(new Bin("1", "3", 2), new Bin("5", "5", 1)), 0, 0, ValueCounts.NONE);
    assertThat(sampled(whole, 0)).containsOnlyKeys("1", "2", "3");
    assertThat(sampled(whole, 0).values()).as("6 deviations").allMatch(n -> n > 817 && n < 1183);
    assertThat(sampled(whole, 1)).containsOnlyKeys("5");
    var mixed = new Bins("x", List.of(new Bin("-0.1", "1e-1", 2)), 1, 2, ValueCounts.NONE);
    assertThat(sampled(mixed, 0)).hasSize(21).containsKeys("-0.1", "-0.09", "0.0", "0.07", "0.1");
    var fixed = new Bins("x", List.of(new Bin("1.50", "1.52", 2)), 2, 2, ValueCounts.NONE);
    assertThat(sampled(fixed, 0)).containsOnlyKeys("1.50", "1.51", "1.52");
    var wide = new Bins("x", List.of(new Bin("-1e308", "1E-300", 2)), 0, 300, ValueCounts.NONE);
    assertThat(sampled(wide, 0)).hasSizeGreaterThan(2900);
  }

  private static Map<String, Integer> sampled(TableColumn column, int symbol) {
    int[][] symbols = Collections.nCopies(3000, new int[] {symbol}).toArray(int[][]::new);
    TextColumn cells = new TableCodec(List.of(column)).decode(symbols, 7).column(0);
    int[] counts = cells.counts();
    Map<String, Integer> sampled = new HashMap<>();
    for (int id = 0; id < counts.length; id++) {
      sampled.put(cells.text(id), counts[id]);
    }
    return sampled;
  }

  @Test
  void columnsAreFoundByName() throws IOException {
    DataTable training =
        DataTable.of(List.of("a", "b"), List.of(List.of("x", "1"), List.of("x", "2")));
    TableCodec codec = TableCodec.fit(training, OPTIONS);
    DataTable turned = DataTable.of(List.of("b", "a"), List.of(List.of("2", "x")));
    assertThat(codec.encode(turned).symbols()).isDeepEqualTo(new int[][] {{0, 1}});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.encode(DataTable.of(List.of("b", "c"), List.of())))
        .withMessage("the table must have the columns of training, but lacks [a] and has [c] too");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.encode(DataTable.of(List.of("b", "a", "c"), List.of())))
        .withMessage("the table must have the columns of training, but has [c] too");
    Path file = Files.writeString(folder.resolve("plain.csv"), "x,2\n");
    DataTable unnamed = DataTable.read(file, new TableFormat(',', Header.NO));
    assertThat(codec.encode(unnamed).symbols()).isDeepEqualTo(new int[][] {{0, 1}});
    Files.writeString(file, "x,2,3\n");
    DataTable wide = DataTable.read(file, new TableFormat(',', Header.NO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.encode(wide))
        .withMessage("the table must have 2 columns, but has 3");
    assertThat(codec.position("b")).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.position("bb"))
        .withMessage("there is no column 'bb'; near: 'b', 'a'");
  }

  @Test
  void aGivenValueHasItsSymbolOrNeighbours() {
    CodecOptions few = OPTIONS.withMaxCategories(2).withMinCount(1);
    TableCodec codec =
        TableCodec.fit(
            DataTable.of(
                List.of("job", "age"),
                List.of(
                    List.of("clerk", "17"),
                    List.of("clerk", "30"),
                    List.of("cook", "90"),
                    List.of("smith", ""))),
            few.withBins(3));
    assertThat(codec.symbolOf(0, "clerk")).isZero();
    assertThat(codec.symbolOf(0, "cook")).isEqualTo(1);
    assertThat(codec.symbolOf(0, "smith")).as("rare too").isEqualTo(1);
    assertThat(codec.symbolOf(1, "30")).isEqualTo(1);
    assertThat(codec.symbolOf(1, "1000")).isEqualTo(2);
    assertThat(codec.symbolOf(1, "")).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.symbolOf(0, "Clark"))
        .withMessage("column 'job' never had 'Clark'; near: 'clerk', 'cook', 'smith'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.symbolOf(1, "old"))
        .withMessage("column 'age' holds the numbers 17 to 90, but 'old' is none");
    assertThat(codec.columns().get(0))
        .hasToString("job: 2 symbols, categories, 2 rare values in 50.0% of the rows");
    assertThat(codec.columns().get(1))
        .hasToString("age: 4 symbols, numbers 17 to 90 in bins, 25.0% missing");
    assertThat(codec).hasToString("2 columns of 4 rows");
  }

  @Test
  void moreRowsHaveMoreBins() {
    assertThat(LongStream.of(1, 1000, 50_000, 1_000_000_000).mapToInt(OPTIONS::bins))
        .containsExactly(32, 32, 110, 256);
    assertThat(OPTIONS.withBins(7).bins(50_000)).isEqualTo(7);
  }

  @Test
  void optionsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OPTIONS.withMaxCategories(1))
        .withMessage("maxCategories must be in 2..65536, but is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OPTIONS.withBins(-1))
        .withMessage("bins must be in 0..65536, but is -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OPTIONS.withMinCount(0))
        .withMessage("minCount must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TableCodec.fit(DataTable.of(List.of("a"), List.of()), OPTIONS))
        .withMessage("table must have at least 1 row, but has 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fit(OPTIONS, "a").decode(new int[][] {{1}}, 0))
        .withMessage("row 0, position 0: symbol 1 is not in 0..0");
  }
}
