package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.fit.ConditionalSampler;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions.Family;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Probabilities of random conditions, compared with sums over all rows of a table. */
@ExtendWith(LeakCheck.class)
final class TableProbabilityTest {
  /** A value that a symbol may stand for; a null text is a missing one. */
  private record Value(String text, int symbol, double share) {}

  /** A comparison, and what it means, written a second time. */
  private record Query(int column, String text, Predicate<String> accepts) {}

  private static List<Value> values(TableColumn column) {
    List<Value> values = new ArrayList<>();
    if (column instanceof TableColumn.Categories all) {
      for (int k = 0; k < all.values().size(); k++) {
        values.add(new Value(all.values().values().get(k), k, 1));
      }
      for (int i = 0; i < all.rare().size(); i++) {
        double share = all.rare().counts().get(i) / (double) all.rare().total();
        values.add(new Value(all.rare().values().get(i), all.rareSymbol(), share));
      }
    } else {
      List<TableColumn.Bin> bins = ((TableColumn.Bins) column).bins();
      for (int k = 0; k < bins.size(); k++) {
        BigDecimal step = new BigDecimal("0.01");
        BigDecimal max = new BigDecimal(bins.get(k).max());
        List<String> numbers = new ArrayList<>();
        for (var n = new BigDecimal(bins.get(k).min()); n.compareTo(max) <= 0; n = n.add(step)) {
          numbers.add(n.toPlainString());
        }
        for (String number : numbers) {
          values.add(new Value(number, k, 1.0 / numbers.size()));
        }
      }
    }
    if (column.missingSymbol() >= 0) {
      values.add(new Value(null, column.missingSymbol(), 1));
    }
    return values;
  }

  private static final class Queries {
    private final TableCodec codec;
    private final SplittableRandom random;
    private final List<List<Value>> values;

    Queries(TableCodec codec, long seed) {
      this.codec = codec;
      this.random = new SplittableRandom(seed);
      this.values = codec.columns().stream().map(TableProbabilityTest::values).toList();
    }

    List<Query> next() {
      return IntStream.rangeClosed(0, random.nextInt(3)).mapToObj(i -> one()).toList();
    }

    private Query one() {
      int column = random.nextInt(codec.columns().size());
      String name = '"' + codec.columns().get(column).name() + '"';
      boolean numbers = codec.columns().get(column) instanceof TableColumn.Bins;
      String a = some(column);
      String b = some(column);
      boolean not = random.nextBoolean();
      String word = not ? " NOT " : " ";
      return switch (random.nextInt(5)) {
        case 0 ->
            new Query(
                column,
                name + (not ? " != '" : " = '") + a + "'",
                text -> same(text, a, numbers) != not);
        case 1 ->
            new Query(
                column,
                name + word + "IN ('" + a + "', '" + b + "')",
                text -> (same(text, a, numbers) || same(text, b, numbers)) != not);
        case 2 ->
            new Query(
                column,
                name + word + "BETWEEN '" + a + "' AND '" + b + "'",
                text -> (compare(text, a, numbers) >= 0 && compare(text, b, numbers) <= 0) != not);
        case 3 ->
            new Query(
                column,
                (not ? "NOT " : "") + name + " < '" + a + "'",
                text -> (compare(text, a, numbers) < 0) != not);
        default -> new Query(column, name + (not ? " IS NOT NULL" : " IS NULL"), text -> not);
      };
    }

    /** A value that is not missing. */
    private String some(int column) {
      List<Value> own = values.get(column).stream().filter(value -> value.text != null).toList();
      return own.get(random.nextInt(own.size())).text;
    }

    private static boolean same(String text, String other, boolean numbers) {
      return compare(text, other, numbers) == 0;
    }

    private static int compare(String text, String other, boolean numbers) {
      return numbers
          ? new BigDecimal(text).compareTo(new BigDecimal(other))
          : text.compareTo(other);
    }

    /** Over all rows of symbols, each with the share of its values that all comparisons accept. */
    double sum(TableModel model, List<Query> queries) {
      double[][] shares = new double[values.size()][];
      for (int d = 0; d < shares.length; d++) {
        shares[d] = new double[codec.columns().get(d).cardinality()];
        int column = d;
        for (Value value : values.get(d)) {
          boolean accepted =
              queries.stream()
                  .filter(query -> query.column == column)
                  .allMatch(
                      query ->
                          value.text == null
                              ? query.text.endsWith(" IS NULL")
                              : query.accepts.test(value.text));
          shares[d][value.symbol] += accepted ? value.share : 0;
        }
      }
      double sum = 0;
      int[][] rows = codec.space().enumerate();
      double[] nats = model.flow().logProb(rows);
      for (int i = 0; i < rows.length; i++) {
        double product = Math.exp(nats[i]);
        for (int d = 0; d < shares.length; d++) {
          product *= shares[d][rows[i][d]];
        }
        sum += product;
      }
      return sum;
    }
  }

  private static Condition condition(List<Query> queries) {
    return Condition.parse(queries.stream().map(Query::text).collect(Collectors.joining(" AND ")));
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void sumsAreExactAndGrowUnderWeakerConditions(Family family) {
    try (TableModel model = WildModels.table(family)) {
      var queries = new Queries(model.codec(), 1);
      for (int i = 0; i < 334; i++) {
        List<Query> all = queries.next();
        Probability found = model.probability(condition(all));
        assertThat(found.exact()).isTrue();
        assertThat(found.value())
            .as("%s", condition(all))
            .isCloseTo(queries.sum(model, all), within(1e-9));
        if (all.size() > 1) {
          Probability weaker = model.probability(condition(all.subList(1, all.size())));
          assertThat(weaker.value()).isGreaterThanOrEqualTo(found.value() - 1e-12);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void estimatesAreWithinThreeStandardErrors(Family family) {
    try (TableModel model = WildModels.table(family)) {
      var estimating = new ConditionQueries(model.flow(), model.codec(), 0);
      var queries = new Queries(model.codec(), 2);
      int asked = 334;
      int near = 0;
      for (int i = 0; i < asked; i++) {
        List<Query> all = queries.next();
        // So small a tolerance that the networks compute in float64, and all samples are taken.
        Probability found =
            estimating.probability(condition(all), new ProbabilityOptions(1e-5, 512, i));
        double exact = queries.sum(model, all);
        near += Math.abs(found.value() - exact) <= 3 * found.standardError() + 1e-9 ? 1 : 0;
      }
      assertThat(near).isGreaterThanOrEqualTo((int) (0.99 * asked));
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void givenConditionsDivide(Family family) {
    try (TableModel model = WildModels.table(family)) {
      var queries = new Queries(model.codec(), 3);
      int asked = 0;
      while (asked < 30) {
        List<Query> first = queries.next();
        List<Query> second = queries.next();
        double below = queries.sum(model, second);
        if (below > 0) {
          List<Query> both = new ArrayList<>(first);
          both.addAll(second);
          Probability found =
              model.probability(condition(first), condition(second), ProbabilityOptions.DEFAULTS);
          assertThat(found.exact()).isTrue();
          assertThat(found.value()).isCloseTo(queries.sum(model, both) / below, within(1e-9));
          asked++;
        }
      }
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  model.probability(
                      Condition.parse("city = Rome"),
                      Condition.parse("size = 5"),
                      ProbabilityOptions.DEFAULTS))
          .withMessage("what is given has probability 0");
    }
  }

  @Test
  void theSameSeedGivesTheSameEstimate() {
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE)) {
      var estimating = new ConditionQueries(model.flow(), model.codec(), 0);
      Condition condition = Condition.parse("size < 2.5 AND city != Rome");
      var options = new ProbabilityOptions(0.05, 2000, 7);
      Probability found = estimating.probability(condition, options);
      assertThat(found.exact()).isFalse();
      assertThat(found.standardError()).isLessThanOrEqualTo(0.05 * found.value());
      assertThat(found.samples()).isLessThanOrEqualTo(2000);
      assertThat(estimating.probability(condition, options)).isEqualTo(found);
      assertThat(estimating.probability(condition, options.withSeed(8))).isNotEqualTo(found);
      assertThat(estimating.probability(condition, options.withTolerance(0)).exact()).isTrue();
    }
  }

  /** The share of samples in each cell is what the model says given the condition. */
  private static void assertSampledAsGiven(
      TableModel model, String condition, TableModel.Sample sample) {
    Condition where = Condition.parse(condition);
    Map<Integer, double[]> shares = BoundCondition.of(where, model.codec()).shares();
    var possible = new PossibleRows(model.codec().space(), shares);
    int[][] rows = model.codec().space().enumerate();
    double[] nats = model.flow().logProb(rows);
    double total = possible.sum(model.flow());
    Map<List<Integer>, Integer> counts = new HashMap<>();
    for (int[] row : model.codec().encode(sample.rows()).symbols()) {
      counts.merge(Arrays.stream(row).boxed().toList(), 1, Integer::sum);
    }
    int size = sample.rows().size();
    for (int i = 0; i < rows.length; i++) {
      double wanted = Math.exp(nats[i]) * possible.weight(rows[i]) / total;
      double found =
          counts.getOrDefault(Arrays.stream(rows[i]).boxed().toList(), 0) / (double) size;
      double error = Math.sqrt(wanted * (1 - wanted) / size);
      assertThat(found)
          .as("%s, row %s", condition, Arrays.toString(rows[i]))
          .isCloseTo(wanted, within(5 * error + 1e-12 + (wanted > 0 ? 3.0 / size : 0)));
    }
    for (int row = 0; row < size; row++) {
      assertThat(accepted(where, sample.rows().row(row))).isTrue();
    }
  }

  private static boolean accepted(Condition where, List<String> cells) {
    String city = cells.get(0);
    String size = cells.get(1);
    return where.toString().startsWith("city")
        ? !city.equals("Rome") && !size.isEmpty() && Double.parseDouble(size) > 1.8
        : List.of("Kiel", "Oslo").contains(city) && List.of("", "NA").contains(cells.get(3));
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void samplesSatisfyTheirConditionAndAreAsTheModelSays(Family family) {
    try (TableModel model = WildModels.table(family)) {
      for (String where :
          List.of("city != Rome AND size > 1.8", "kind IS NULL AND city IN (Kiel, Oslo)")) {
        TableModel.Sample sample = model.sample(2000, Condition.parse(where), 5);
        assertThat(sample.exact()).isTrue();
        assertSampledAsGiven(model, where, sample);
        if (family != Family.BIPARTITE) {
          var resampling = new ConditionQueries(model.flow(), model.codec(), 0);
          BoundCondition bound = BoundCondition.of(Condition.parse(where), model.codec());
          ConditionalSampler.Sampled picked =
              resampling.sample(
                  2000, bound.shares(), 6, SamplingOptions.DEFAULTS, ProgressListener.IGNORED);
          assertThat(picked.effective()).isBetween(500.0, 2000.0);
          assertSampledAsGiven(
              model,
              where,
              new TableModel.Sample(bound.decode(picked.rows(), 6), picked.exact(), 2000));
        }
      }
      assertThatIllegalStateException()
          .isThrownBy(() -> model.sample(1, Condition.parse("size = 5"), 1))
          .withMessage("no row satisfies the condition: its probability is 0");
    }
  }
}
