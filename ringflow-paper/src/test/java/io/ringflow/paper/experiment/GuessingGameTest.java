package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.layer.TopTwo;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.paper.oracle.Entropy;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.Models;
import io.ringflow.train.WarmStart;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks whose predictions are known, against plain Java. */
final class GuessingGameTest {
  private static final int K = 4;

  /** More rows than are worked on at a time, so that sums go on from one part to the next. */
  private static final int ROWS = 300;

  private static int[][] rows(int size) {
    var random = new SplittableRandom(5);
    int[][] rows = new int[ROWS][size];
    for (int[] row : rows) {
      Arrays.setAll(row, d -> Math.min(random.nextInt(K), random.nextInt(K)));
    }
    return rows;
  }

  /** The same game, symbol by symbol. */
  private static final class PlainGame {
    private final List<Integer> ranks = new ArrayList<>();
    private final List<Integer> shifts = new ArrayList<>();
    private final List<Integer> scaled = new ArrayList<>();
    private double nats;

    void guess(int symbol, double[] probabilities) {
      int rank = 0;
      int likeliest = 0;
      for (int k = 0; k < K; k++) {
        rank += probabilities[k] > probabilities[symbol] ? 1 : 0;
        likeliest = probabilities[k] > probabilities[likeliest] ? k : likeliest;
      }
      ranks.add(rank);
      shifts.add(Math.floorMod(symbol - likeliest, K));
      scaled.add(scaled(symbol, likeliest, probabilities));
      nats -= Math.log(probabilities[symbol]);
    }

    /** The number of steps from the likeliest symbol to the runner-up that lead to the symbol. */
    private static int scaled(int symbol, int likeliest, double[] probabilities) {
      int runnerUp = -1;
      for (int k = 0; k < K; k++) {
        boolean reachesAll =
            BigInteger.valueOf(Math.abs(k - likeliest)).gcd(BigInteger.valueOf(K)).intValue() == 1;
        if (reachesAll && (runnerUp < 0 || probabilities[k] > probabilities[runnerUp])) {
          runnerUp = k;
        }
      }
      int steps = 0;
      while (Math.floorMod(likeliest + steps * (runnerUp - likeliest), K) != symbol) {
        steps++;
      }
      return steps;
    }

    double logLoss() {
      return nats / ranks.size() / Math.log(2);
    }

    static double entropy(List<Integer> values) {
      double bits = 0;
      for (int k = 0; k < K; k++) {
        int symbol = k;
        double share =
            (double) values.stream().filter(value -> value == symbol).count() / values.size();
        bits -= share == 0 ? 0 : share * Math.log(share) / Math.log(2);
      }
      return bits;
    }

    void assertSame(GuessingGame game) {
      assertThat(game.logLoss()).isCloseTo(logLoss(), within(1e-5)); // networks in 32 bits
      assertThat(game.ranks()).isCloseTo(entropy(ranks), within(1e-12));
      assertThat(game.scaled()).isCloseTo(entropy(scaled), within(1e-12));
      assertThat(game.shifts()).isCloseTo(entropy(shifts), within(1e-12));
    }
  }

  private static FlowModel autoregressive(long seed) {
    Space space = Space.uniform(3, K);
    Architecture architecture =
        Architecture.of(space, new AutoregressiveBase(Order.natural(3), new Made(16, 1)));
    FlowModel model = FlowModel.create(architecture, seed);
    var random = new SplittableRandom(seed);
    set(model, Models.weights(model).parameters().keySet().toArray(new String[0]), random);
    return model;
  }

  /** Fills parameters with numbers well apart from each other. */
  private static void set(FlowModel model, String[] names, SplittableRandom random) {
    for (String name : names) {
      Parameter parameter = Models.weights(model).parameters().get(name);
      double[] values = new double[(int) parameter.elements()];
      Arrays.setAll(values, i -> random.nextDouble(-1.5, 1.5));
      set(model, parameter, values);
    }
  }

  private static void set(FlowModel model, Parameter parameter, double[] values) {
    try (Scope scope = Scope.inference()) {
      Models.weights(model)
          .get(parameter)
          .copy_(Tensors.reals(values, Precision.FLOAT32, Device.CPU, parameter.shape()));
    }
  }

  /** Every row there is, the last symbol changing fastest. */
  private static int[][] everyRow() {
    int[][] all = new int[K * K * K][];
    Arrays.setAll(all, i -> new int[] {i / (K * K), i / K % K, i % K});
    return all;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anAutoregressiveModelPlaysByItsConditionalProbabilities(long seed) {
    int[][] rows = rows(3);
    try (FlowModel model = autoregressive(seed)) {
      double[] logProbs = model.logProb(everyRow());
      PlainGame plain = new PlainGame();
      for (int[] row : rows) {
        for (int d = 0; d < 3; d++) {
          double[] probabilities = new double[K];
          for (int i = 0; i < logProbs.length; i++) {
            int[] other = everyRow()[i];
            if (Arrays.equals(row, 0, d, other, 0, d)) {
              probabilities[other[d]] += Math.exp(logProbs[i]);
            }
          }
          double sum = Arrays.stream(probabilities).sum();
          plain.guess(row[d], Arrays.stream(probabilities).map(p -> p / sum).toArray());
        }
      }

      List<GuessingGame> games = GuessingGame.play(model, rows);

      assertThat(games).hasSize(1);
      assertThat(games.get(0).name()).isEqualTo("base");
      assertThat(games.get(0).share()).isEqualTo(1);
      plain.assertSame(games.get(0));
      double nats = -Arrays.stream(model.logProb(rows)).sum();
      assertThat(games.get(0).logLoss())
          .as("what the model itself pays")
          .isCloseTo(nats / (3 * ROWS) / Math.log(2), within(1e-5));
    }
  }

  /** The layer's table, by the symbol that it sees: what it gives each symbol, and each scale. */
  private static final double[][] LOGITS = {
    {0.3, 1.7, -0.4, 1.2}, {2.1, -0.2, 0.9, 1.6}, {-1.1, 0.4, 1.3, 0.2}, {0.1, 1.9, -0.6, 1.8}
  };

  private static FlowModel oneLayer(SymbolMap map) {
    Architecture architecture =
        Architecture.of(Space.uniform(3, K), new FactorizedBase())
            .with(new Bipartite(new Mask("101"), new LookupTable(1), map));
    FlowModel model = FlowModel.create(architecture, 1);
    Map.Entry<String, Parameter> table =
        Models.weights(model).parameters().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("layers."))
            .reduce(
                (one, other) -> {
                  throw new AssertionError("a layer of one table");
                })
            .orElseThrow();
    int width = (int) table.getValue().shape()[1];
    double[] values = new double[K * width];
    var random = new SplittableRandom(1);
    Arrays.setAll(
        values, i -> i % width < K ? LOGITS[i / width][i % width] : random.nextDouble(10, 20));
    set(model, table.getValue(), values);
    return model;
  }

  private static double[] softmax(double[] logits) {
    double sum = Arrays.stream(logits).map(Math::exp).sum();
    return Arrays.stream(logits).map(logit -> Math.exp(logit) / sum).toArray();
  }

  @Test
  void aLayerPlaysForWhatItMovesByItsShifts() {
    int[][] rows = rows(3);
    PlainGame plain = new PlainGame();
    for (int[] row : rows) {
      plain.guess(row[1], softmax(LOGITS[row[0]])); // of two equally near, the earlier is seen
    }
    try (FlowModel model = oneLayer(new Shift())) {
      List<GuessingGame> games = GuessingGame.play(model, rows);
      assertThat(games).hasSize(1);
      assertThat(games.get(0).name()).isEqualTo("layer 1");
      assertThat(games.get(0).share()).isEqualTo(1.0 / 3);
      plain.assertSame(games.get(0));

      List<Integer> moved = Arrays.stream(model.encode(rows)).map(row -> row[1]).toList();
      assertThat(games.get(0).shifts())
          .as("entropy of what the layer hands to the base")
          .isCloseTo(PlainGame.entropy(moved), within(1e-12));
    }
    try (FlowModel model = oneLayer(new TopTwo())) {
      List<Integer> moved = Arrays.stream(model.encode(rows)).map(row -> row[1]).toList();
      assertThat(GuessingGame.play(model, rows).get(0).scaled())
          .isCloseTo(PlainGame.entropy(moved), within(1e-12));
    }
    try (FlowModel model = oneLayer(new ShiftScale())) {
      plain.assertSame(GuessingGame.play(model, rows).get(0)); // scales are no predictions
    }
  }

  @Test
  void layersAreCountedFromTheDataAndSeeWhatThoseBeforeThemMade() {
    int[][] rows = rows(3);
    Architecture architecture =
        Architecture.of(Space.uniform(3, K), new FactorizedBase())
            .with(new Bipartite(new Mask("010"), new Made(8, 1), new Shift()))
            .with(new Bipartite(new Mask("101"), new Made(8, 1), new Shift()));
    try (FlowModel model = FlowModel.create(architecture, 4)) {
      set(
          model,
          Models.weights(model).parameters().keySet().stream()
              .filter(name -> name.startsWith("layers."))
              .toArray(String[]::new),
          new SplittableRandom(2));
      List<GuessingGame> games = GuessingGame.play(model, rows);
      int[][] encoded = model.encode(rows);
      List<Integer> first = Arrays.stream(encoded).map(row -> row[1]).toList();
      List<Integer> second = new ArrayList<>();
      for (int[] row : encoded) {
        second.add(row[0]);
        second.add(row[2]);
      }

      assertThat(games).extracting(GuessingGame::name).containsExactly("layer 1", "layer 2");
      assertThat(games).extracting(GuessingGame::share).containsExactly(1.0 / 3, 2.0 / 3);
      assertThat(games.get(0).shifts()).isCloseTo(PlainGame.entropy(first), within(1e-12));
      assertThat(games.get(1).shifts()).isCloseTo(PlainGame.entropy(second), within(1e-12));
      for (GuessingGame game : games) {
        assertThat(game.ranks()).isBetween(0.0, Math.log(K) / Math.log(2) + 1e-12);
        assertThat(game.shifts()).isBetween(0.0, Math.log(K) / Math.log(2) + 1e-12);
      }
    }
  }

  @Test
  void aNetworkThatKnowsNothingPaysForAllSymbolsAndRanksThemFirst() {
    int[][] rows = rows(3);
    try (FlowModel model = autoregressive(1);
        Scope scope = Scope.inference()) {
      Models.weights(model).values().zero_();
      GuessingGame game = GuessingGame.play(model, rows).get(0);
      List<Integer> symbols = new ArrayList<>();
      Arrays.stream(rows).flatMapToInt(Arrays::stream).forEach(symbols::add);
      assertThat(game.logLoss()).isCloseTo(Math.log(K) / Math.log(2), within(1e-6));
      assertThat(game.ranks()).as("none is likelier than another").isZero();
      assertThat(game.shifts()).isCloseTo(PlainGame.entropy(symbols), within(1e-12));
    }
  }

  /** The entropy of each position by itself, their mean. */
  private static double meanEntropy(int[][] values) {
    double sum = 0;
    for (int d = 0; d < values[0].length; d++) {
      int position = d;
      sum += PlainGame.entropy(Arrays.stream(values).map(row -> row[position]).toList());
    }
    return sum / values[0].length;
  }

  @Test
  void eachPositionMayHaveADistributionOfItsOwn() {
    int[][] rows = rows(3);
    Arrays.stream(rows).forEach(row -> row[2] = 2); // unlike the others
    try (FlowModel model = autoregressive(1);
        Scope scope = Scope.inference()) {
      Models.weights(model).values().zero_(); // the likeliest is symbol 0 everywhere
      GuessingGame pooled = GuessingGame.play(model, rows).get(0);
      GuessingGame each = GuessingGame.playEach(model, rows).get(0);
      assertThat(each.shifts()).isCloseTo(meanEntropy(rows), within(1e-12));
      assertThat(each.shifts()).isLessThan(pooled.shifts() - 0.1);
      assertThat(each.logLoss()).isEqualTo(pooled.logLoss());
      assertThat(each.predicted()).isEqualTo(3);
    }
  }

  @Test
  void aBasePlaysForWhatIsPackedAndReordered() {
    int[][] rows = rows(4);
    Architecture architecture =
        new Architecture(
            Space.uniform(4, K),
            Space.NONE,
            new GroupBase(Groups.singles(Order.natural(2)), new Made(16, 1)),
            List.of(new Pack(2), new Reorder(Order.reversed(4))));
    // The same base on rows that were packed by hand.
    Architecture alone =
        Architecture.of(
            Space.uniform(2, K * K),
            new GroupBase(Groups.singles(Order.natural(2)), new Made(16, 1)));
    int[][] packed = new int[rows.length][];
    Arrays.setAll(
        packed, i -> new int[] {rows[i][3] * K + rows[i][2], rows[i][1] * K + rows[i][0]});
    try (FlowModel model = FlowModel.create(architecture, 3);
        FlowModel base = FlowModel.create(alone, 3)) {
      WarmStart.copyBase(model, base);
      List<GuessingGame> games = GuessingGame.play(model, rows);
      assertThat(games).isEqualTo(GuessingGame.play(base, packed));
      assertThat(games.get(0).predicted()).isEqualTo(2);
      assertThat(games.get(0).share()).isEqualTo(1);
      assertThat(games.get(0).logLoss() * 2 * Math.log(2))
          .as("what a row costs")
          .isCloseTo(-Arrays.stream(model.logProb(rows)).average().orElseThrow(), within(1e-5));
    }
  }

  @Test
  void aSortingLayerOnPackedSymbolsPaysTheEntropyOfRanks() {
    int[][] rows = rows(4);
    Architecture architecture =
        new Architecture(
            Space.uniform(4, K),
            Space.NONE,
            new FactorizedBase(),
            List.of(new Bipartite(new Mask("10"), new Made(8, 1), new Permute()), new Pack(2)));
    try (FlowModel model = FlowModel.create(architecture, 4)) {
      List<GuessingGame> games = GuessingGame.playEach(model, rows);
      assertThat(games).extracting(GuessingGame::name).containsExactly("layer 1");
      assertThat(games.get(0).predicted()).isEqualTo(1);
      assertThat(games.get(0).share()).isEqualTo(0.5);
      double[] counts = new double[K * K];
      Arrays.stream(model.encode(rows)).forEach(row -> counts[row[1]] += 1.0 / ROWS);
      assertThat(games.get(0).ranks()).isCloseTo(Entropy.of(counts) / Math.log(2), within(1e-12));
    }
  }
}
