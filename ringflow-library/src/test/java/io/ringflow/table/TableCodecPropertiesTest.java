package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** What holds for every table and all options. */
final class TableCodecPropertiesTest {
  @Provide
  static Arbitrary<DataTable> tables() {
    Arbitrary<String> text = Arbitraries.strings().withChars("abc ").ofMaxLength(2);
    Arbitrary<String> number =
        Arbitraries.oneOf(
            Arbitraries.integers().between(-20, 20).map(String::valueOf),
            Arbitraries.bigDecimals()
                .between(new BigDecimal(-5), new BigDecimal(5))
                .ofScale(2)
                .map(BigDecimal::toString),
            Arbitraries.of("", "NA", "1e1", "0.0", ".5"));
    return Combinators.combine(text, number, text)
        .as(List::of)
        .list()
        .ofMinSize(1)
        .ofMaxSize(60)
        .map(rows -> DataTable.of(List.of("a", "b", "c"), rows));
  }

  @Provide
  static Arbitrary<CodecOptions> options() {
    return Combinators.combine(
            Arbitraries.integers().between(2, 12),
            Arbitraries.integers().between(1, 8),
            Arbitraries.integers().between(1, 3),
            Arbitraries.of(List.of(""), List.of("", "NA"), List.<String>of()))
        .as(CodecOptions::new);
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void everyTrainingRowHasSymbolsAndComesBack(
      @ForAll("tables") DataTable table, @ForAll("options") CodecOptions options) {
    TableCodec codec = TableCodec.fit(table, options);
    TableCodec.Encoded encoded = codec.encode(table);
    codec.space().check("row", encoded.symbols());
    DataTable decoded = codec.decode(encoded.symbols(), 5);
    TableCodec.Encoded again = codec.encode(decoded);
    assertThat(encoded.unseenRows()).isZero();
    assertThat(again.unseenRows()).isZero();
    assertThat(again.symbols()).isDeepEqualTo(encoded.symbols());
    for (int row = 0; row < table.size(); row++) {
      for (int d = 0; d < codec.columns().size(); d++) {
        if (codec.columns().get(d) instanceof Categories column
            && encoded.symbols()[row][d] < column.values().size()) {
          assertThat(decoded.cell(row, d)).isEqualTo(table.cell(row, d));
        }
      }
    }
    assertThat(DataTableFuzzTest.cells(codec.decode(encoded.symbols(), 5)))
        .isEqualTo(DataTableFuzzTest.cells(decoded));
  }

  /** With the training shares as the model, the values of a column have probabilities 1 in all. */
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void sharesAreThoseOfTraining(
      @ForAll("tables") DataTable table, @ForAll("options") CodecOptions options) {
    TableCodec codec = TableCodec.fit(table, options);
    for (int d = 0; d < codec.columns().size(); d++) {
      if (codec.columns().get(d) instanceof Categories) {
        TextColumn cells = table.column(d);
        int[] counts = cells.counts();
        var lookup = new ColumnLookup(codec.columns().get(d));
        double[] shares = new double[codec.space().cardinality(d)];
        for (int id = 0; id < counts.length; id++) {
          ColumnLookup.Match match = lookup.find(cells.text(id));
          shares[match.symbol()] += Math.exp(match.logProb());
        }
        for (double share : shares) {
          assertThat(share).isCloseTo(1, within(1e-12));
        }
        double[] seen = new double[shares.length];
        for (int[] row : codec.encode(table).symbols()) {
          seen[row[d]]++;
        }
        for (int id = 0; id < counts.length; id++) {
          ColumnLookup.Match match = lookup.find(cells.text(id));
          assertThat(seen[match.symbol()] * Math.exp(match.logProb()))
              .isCloseTo(counts[id], within(1e-9));
        }
      }
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void symbolsAreAsFewAsPromisedAndAllUsed(
      @ForAll("tables") DataTable table, @ForAll("options") CodecOptions options) {
    TableCodec codec = TableCodec.fit(table, options);
    int[][] symbols = codec.encode(table).symbols();
    for (int d = 0; d < codec.columns().size(); d++) {
      TableColumn column = codec.columns().get(d);
      Set<Integer> used = new TreeSet<>();
      for (int[] row : symbols) {
        used.add(row[d]);
      }
      assertThat(used).hasSize(column.cardinality());
      boolean missing = column.missingSymbol() >= 0;
      int max = column instanceof Bins ? options.bins() : options.maxCategories();
      assertThat(column.cardinality() - (missing ? 1 : 0)).isLessThanOrEqualTo(max);
      if (column instanceof Bins bins) {
        assertBinsHoldWhatTheyCount(bins, table.column(d));
      }
    }
  }

  private static void assertBinsHoldWhatTheyCount(Bins column, TextColumn cells) {
    List<Integer> counts = new ArrayList<>();
    for (Bin bin : column.bins()) {
      int count = 0;
      Set<String> ends = new LinkedHashSet<>();
      for (int row = 0; row < cells.size(); row++) {
        BigDecimal number = Decimal.parse(cells.cell(row));
        if (number != null && !column.missing().values().contains(cells.cell(row))) {
          boolean inside =
              number.compareTo(bin.minNumber()) >= 0 && number.compareTo(bin.maxNumber()) <= 0;
          count += inside ? 1 : 0;
          ends.add(cells.cell(row));
        }
      }
      assertThat(ends).contains(bin.min(), bin.max());
      counts.add(count);
    }
    assertThat(counts).isEqualTo(column.bins().stream().map(Bin::count).toList());
  }
}
