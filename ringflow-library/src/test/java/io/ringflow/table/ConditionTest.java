package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.testing.WildModels;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConditionTest {
  /** Two cities and three rare ones; numbers in three bins or missing; x; a, b or missing. */
  private static final TableCodec CODEC =
      TableCodec.fit(WildModels.TABLE, new CodecOptions(5, 3, 2, List.of("", "NA")));

  private static final TableCodec NUMBERS =
      TableCodec.fit(
          DataTable.of(
              List.of("n", "day"),
              List.of(
                  List.of("1", "2024-01-05"),
                  List.of("1.0", "2024-02-01"),
                  List.of("20", "2025-01-01"))),
          new CodecOptions(16, 4, 1, List.of("")));

  private static double[] shares(TableCodec codec, String condition) {
    var all = BoundCondition.of(Condition.parse(condition), codec).shares();
    assertThat(all).hasSize(1);
    return all.values().iterator().next();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "city = Rome | 0 1 0", // Oslo and Rome are as frequent
        "CITY_IN | 1 1 0",
        "city != 'Rome' | 1 0 1",
        "NOT city = 'Rome' | 1 0 1",
        "NOT (NOT (city = \"Rome\")) | 0 1 0",
        "city <> Rome AND city <> Oslo | 0 0 1",
        "city = Kiel | 0 0 0.333",
        "city NOT IN (Kiel, Oslo) | 0 1 0.667",
        "city >= 'Oslo' | 1 1 0",
        "city BETWEEN 'Kiel' AND 'Lima' | 0 0 0.667",
        "city IS NULL | 0 0 0",
        "city is not missing | 1 1 1",
        "kind IS NULL | 0 0 1",
        "kind IS NOT NULL | 1 1 0",
        "kind != a | 0 1 0",
        "NOT kind IS NULL | 1 1 0",
        "kind IS NULL AND kind = a | 0 0 0",
        "of = x | 1"
      })
  void sharesOfCategories(String condition, String wanted) {
    String text = condition.equals("CITY_IN") ? "city in ('Rome','Oslo')" : condition;
    double[] expected = Arrays.stream(wanted.split(" ")).mapToDouble(Double::parseDouble).toArray();
    assertThat(shares(CODEC, text)).containsExactly(expected, within(4e-4));
  }

  @Test
  void numbersThatAreCategoriesAreComparedAsNumbers() {
    assertThat(shares(NUMBERS, "n = 1.00")).containsExactly(1, 1, 0);
    assertThat(shares(NUMBERS, "n > 3")).containsExactly(0, 0, 1);
    assertThat(shares(NUMBERS, "n NOT BETWEEN 1 AND 19")).containsExactly(0, 0, 1);
    assertThat(shares(NUMBERS, "day < '2025'")).containsExactly(1, 1, 0);
  }

  @Test
  void aBinCountsByTheNumbersItHasInside() {
    // The bins are 1.5 to 2, 2.25 to 3 and 7 to 8.5, in hundredths.
    TableColumn.Bins bins = (TableColumn.Bins) CODEC.columns().get(1);
    assertThat(bins.bins().stream().map(TableColumn.Bin::toString))
        .containsExactly("1.5 to 2", "2.25 to 3", "7 to 8.5");
    assertThat(shares(CODEC, "size <= 2")).containsExactly(1, 0, 0, 0);
    assertThat(shares(CODEC, "size < 2")).containsExactly(50 / 51.0, 0, 0, 0);
    assertThat(shares(CODEC, "size > 2.125 AND size <= 2.255")).containsExactly(0, 1 / 76.0, 0, 0);
    assertThat(shares(CODEC, "size BETWEEN 2.9 AND 8"))
        .containsExactly(0, 11 / 76.0, 101 / 151.0, 0);
    assertThat(shares(CODEC, "size NOT BETWEEN 2.9 AND 8"))
        .containsExactly(1, 65 / 76.0, 50 / 151.0, 0);
    assertThat(shares(CODEC, "size IN (2, 7.50, 7.505, 100)"))
        .containsExactly(1 / 51.0, 0, 1 / 151.0, 0);
    assertThat(shares(CODEC, "size != 2")).containsExactly(50 / 51.0, 1, 1, 0);
    assertThat(shares(CODEC, "size BETWEEN 5 AND 4")).containsExactly(0, 0, 0, 0);
    assertThat(shares(CODEC, "size IS NULL")).containsExactly(0, 0, 0, 1);
    assertThat(BoundCondition.of(Condition.parse("size = 2.001"), CODEC).isImpossible()).isTrue();
  }

  @Test
  void decodedValuesSatisfyTheCondition() {
    BoundCondition bound =
        BoundCondition.of(
            Condition.parse(
                "city > 'Bonn' AND city < 'Oslo' AND size != 7 AND size > 6.98 AND size < 7.03"),
            CODEC);
    int[][] symbols = new int[200][];
    Arrays.fill(symbols, new int[] {2, 2, 0, 0});
    DataTable rows = bound.decode(symbols, 1);
    assertThat(rows.size()).isEqualTo(200);
    assertThat(IntStream.range(0, 200).mapToObj(row -> rows.cell(row, 0)))
        .containsOnly("Kiel", "Lima");
    assertThat(IntStream.range(0, 200).mapToObj(row -> rows.cell(row, 1)))
        .containsOnly("7.01", "7.02");
    assertThat(rows.cell(3, 3)).isEqualTo("a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 1 | expected a column, but found the end",
        "city | 5 | expected a comparison, such as =, IN or IS NULL, but found the end",
        "city = | 7 | expected a value, but found the end",
        "city = = x | 8 | expected a value, but found '='",
        "city Rome | 6 | expected a comparison, such as =, IN or IS NULL, but found 'Rome'",
        "city = a b | 10 | expected AND or the end, but found 'b'",
        "city = a OR city = b | 10 | expected AND or the end, but found 'OR'; OR is not known: ask for both, and subtract what they share",
        "(city = a | 10 | expected AND or ')', but found the end",
        "city = a) | 9 | expected AND or the end, but found ')'",
        "city IN a | 9 | expected '(' and values, but found 'a'",
        "city IN () | 10 | expected a value, but found ')'",
        "city IN (a b) | 12 | expected ',' or ')', but found 'b'",
        "n BETWEEN 1, 2 | 12 | expected AND and the upper bound, but found ','",
        "n NOT = 1 | 7 | expected IN or BETWEEN, but found '='",
        "n IS 1 | 6 | expected NULL or MISSING, but found '1'",
        "n = NULL | 5 | expected a value (a missing one is asked for by IS NULL), but found 'NULL'",
        "n = and | 5 | expected a value (such a text stands in single quotes), but found 'and'",
        "in = 1 | 1 | expected a column (one of that name stands in double quotes), but found 'in'",
        "NOT (a = 1 AND b = 2) | 1 | NOT of several conditions is not known: put it before one of them",
        "a = \"b | 5 | the quote \" is not closed",
        "! a = b | 1 | expected a column, but found '!'; NOT is the word"
      })
  void mistakesAreNamedWithTheirPlace(String condition, int at, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.parse(condition))
        .withMessage("condition, character " + at + ": " + message);
  }

  @Test
  void aColumnOrValueThatIsNotThereIsAnsweredByTheNearest() {
    refuses(
        "  ciy = 'Rome'",
        "character 3: there is no column 'ciy'; near: 'city', 'kind', 'of', 'size'");
    refuses(
        "of = x AND city = Rmoe", "character 12: column 'city' never had 'Rmoe'; near: 'Rome', ");
    refuses("city NOT IN (Paris)", "character 1: column 'city' never had 'Paris'; near: ");
    refuses(
        "kind = 'NA'",
        "character 1: in column 'kind', 'NA' stands for a missing value: say IS NULL");
    refuses(
        "size = ''", "character 1: in column 'size', '' stands for a missing value: say IS NULL");
    refuses(
        "size > big", "character 1: column 'size' holds the numbers 1.5 to 8.5, but 'big' is none");
    refuses("city < 5", "character 1: column 'city' holds texts, such as ");
  }

  private static void refuses(String condition, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BoundCondition.of(Condition.parse(condition), CODEC))
        .withMessageStartingWith("condition, " + message);
  }

  @Test
  void depthAndLengthAreBounded() {
    assertThat(Condition.parse("(".repeat(99) + "a=1" + ")".repeat(99)).terms()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.parse("(".repeat(100_000)))
        .withMessage("condition, character 101: at most 100 parentheses and NOTs may be nested");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Condition.parse("x".repeat(1_000_001)))
        .withMessageContaining("1000001");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a = 'it''s'", "\"a\"\"b\" = 1", "a=-1.5e3 AND b<=2024-01-01"})
  void aConditionIsShownAsItWasWritten(String text) {
    Condition condition = Condition.parse(" " + text);
    assertThat(condition).hasToString(text);
    assertThat(Condition.ALWAYS.and(condition)).hasToString(text);
    assertThat(Condition.parse(condition.and(condition).toString()).terms())
        .hasSize(2 * condition.terms().size());
  }

  @Provide
  Arbitrary<String> pieces() {
    Arbitrary<String> piece =
        Arbitraries.of(
            "city",
            "size",
            "kind",
            "\"of\"",
            "'Rome'",
            "Kiel",
            "2",
            "-7.5",
            "''",
            "=",
            "!=",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "(",
            ")",
            ",",
            "AND",
            "or",
            "NOT",
            "In",
            "BETWEEN",
            "IS",
            "NULL",
            "missing",
            "'",
            "\"",
            "!",
            "\u00e9\ud83d\ude00",
            "\n",
            "x");
    return piece.list().ofMaxSize(24).map(parts -> String.join(" ", parts));
  }

  /** Whatever stands there is a condition, or one mistake at a place inside it. */
  @Property(tries = 2000)
  void anyTextIsAConditionOrAMistake(@ForAll("pieces") String text) {
    check(text);
  }

  @Property(tries = 500)
  void anyCharactersAreAConditionOrAMistake(@ForAll String text) {
    check(text);
  }

  private static void check(String text) {
    try {
      Condition condition = Condition.parse(text);
      for (double[] shares : BoundCondition.of(condition, CODEC).shares().values()) {
        assertThat(Arrays.stream(shares)).allMatch(share -> share >= 0 && share <= 1);
      }
      assertThat(Condition.parse(condition.toString()).terms()).hasSize(condition.terms().size());
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(?s)condition, character \\d+: .*");
      int at = Integer.parseInt(e.getMessage().replaceAll("(?s)\\D*(\\d+).*", "$1"));
      assertThat(at).isBetween(1, text.length() + 1);
    }
  }

  /** The same for as many bytes as a property says; ten million take half a minute. */
  @Test
  void randomBytesNeverDoWorse() {
    int bytes = Integer.getInteger("ringflow.conditionBytes", 20_000);
    var random = new SplittableRandom(1);
    String signs = "city sizekndof='\"<>!(),ANDINOTBETWEISULMx12.-e ";
    for (int left = bytes; left > 0; ) {
      int length = Math.min(left, 1 + random.nextInt(60));
      var text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.append(
            random.nextInt(8) == 0
                ? (char) random.nextInt(256)
                : signs.charAt(random.nextInt(signs.length())));
      }
      check(text.toString());
      left -= length;
    }
  }
}
