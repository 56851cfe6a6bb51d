package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.core.ProgressListener;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Ranks;
import io.ringflow.internal.store.Json;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions;
import io.ringflow.train.FitOptions.Family;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Missing values of training that are summed out. */
@ExtendWith(LeakCheck.class)
final class MissingValuesTest {
  private static final CodecOptions SUMMED_OUT =
      new CodecOptions(5, 3, 2, List.of("", "NA")).withMissingValues(MissingValues.SUMMED_OUT);
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

  private static DataTable rows(String... cells) {
    return DataTable.of(
        WildModels.TABLE.columns(),
        Arrays.stream(cells).map(row -> List.of(row.split(",", -1))).toList());
  }

  @Test
  void haveNoSymbolAndAreCounted(@TempDir Path folder) throws IOException {
    TableCodec codec = TableCodec.fit(WildModels.TABLE, SUMMED_OUT);
    assertThat(codec.columns()).allMatch(column -> column.missingSymbol() == -1);
    assertThat(codec.missingShare(3)).isCloseTo(2 / 7.0, within(1e-12));
    assertThat(codec.missingShare(0)).isZero();
    assertThat(codec).hasToString("4 columns of 7 rows");
    TableCodec.Encoded encoded = codec.encode(rows("Rome,NA,x,a", " ,8.5,x,NA", "Rome,2,x,z"));
    assertThat(encoded.missing(0)).containsExactly(1);
    assertThat(encoded.missing(1)).containsExactly(0, 3);
    assertThat(encoded.missing(2)).isEmpty();
    assertThat(encoded.unseen(1)).isEmpty();
    assertThat(encoded.unseen(2)).containsExactly(3);
    Path file = folder.resolve("codec.json");
    Json.write(file, codec);
    assertThat(Json.read(file, TableCodec.class)).isEqualTo(codec);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TableCodec(codec.columns(), List.of(ValueCounts.NONE)))
        .withMessage("summedOut must be of 4 columns, but is of 1");
  }

  @Test
  void aColumnWithoutAnyValueIsConstant() {
    DataTable empty = DataTable.of(List.of("x", "y"), List.of(List.of("", "1"), List.of("", "2")));
    TableCodec codec = TableCodec.fit(empty, SUMMED_OUT);
    assertThat(codec.space().cardinalities()).containsExactly(1, 2);
    assertThat(codec.encode(empty).missing(0)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void areSummedOutOfScoresPredictionsAndCompletions(Family family) {
    try (TableModel model = WildModels.table(family, WildModels.TABLE, SUMMED_OUT)) {
      DataTable gaps = rows("Rome,,x,NA", "NA,2,x,b", ",,,");
      double[] found = model.score(gaps, NewValues.IMPOSSIBLE);
      int[][] all = model.codec().space().enumerate();
      double[] nats = model.flow().logProb(all);
      TableCodec.Encoded known = model.codec().encode(gaps);
      for (int row = 0; row < found.length; row++) {
        double sum = 0;
        for (int i = 0; i < all.length; i++) {
          int[] own = known.observed()[row];
          int[] other = all[i];
          boolean agrees =
              IntStream.range(0, own.length).allMatch(d -> own[d] < 0 || own[d] == other[d]);
          sum += agrees ? Math.exp(nats[i]) : 0;
        }
        assertThat(found[row]).isCloseTo(Math.log(sum), within(1e-9));
      }
      assertThat(found[2]).isCloseTo(0, within(1e-9));
      Predictions cities = model.predict(gaps, "city", ProgressListener.IGNORED);
      assertThat(cities.values()).doesNotContain(Predictions.MISSING);
      assertThat(cities.actual(1)).isEqualTo(-1);
      assertThat(cities.hasActual(1)).isFalse();
      assertThat(cities.hasActual(0)).isTrue();
      assertThat(Arrays.stream(cities.probabilities(2)).sum()).isCloseTo(1, within(1e-9));
      assertThat(model.complete(gaps).row(2)).noneMatch(String::isBlank);
      assertThat(model.sample(50, 1).rows().toString()).startsWith("50 rows");
      assertThat(model.probability(Condition.parse("kind IS NULL")).value()).isZero();
      assertThat(model.explain(gaps).get(0).parts())
          .allSatisfy(part -> assertThat(part.nats()).isNegative());
    }
  }

  /** Of rows that know the same, what is redrawn is what the model says given that. */
  @Test
  void areRedrawnAsTheModelSaysAndFromWhereTheyWere() {
    try (TableModel model = WildModels.table(Family.GROUP, WildModels.TABLE, SUMMED_OUT)) {
      int[] known = {1, -1, 0, -1};
      int[][] observed = new int[2048][];
      Arrays.fill(observed, known);
      var tree = new ProposalTree(model.codec().space(), model.codec().space().enumerate());
      RedrawnBatches batches = batches(model, observed, tree);
      double[][] counts = new double[model.codec().space().cardinality(1)][2];
      int[][] rows = {};
      for (int step = 0; step < 24; step++) {
        rows = batches.batch(step).rows();
        for (int i = 0; step >= 8 && i < rows.length; i++) {
          counts[rows[i][1]][rows[i][3]]++;
        }
      }
      double total = Arrays.stream(counts).flatMapToDouble(Arrays::stream).sum();
      double[][] wanted = new double[counts.length][2];
      double mass = 0;
      for (int k = 0; k < counts.length; k++) {
        for (int j = 0; j < 2; j++) {
          wanted[k][j] = Math.exp(model.flow().logProb(new int[][] {{1, k, 0, j}})[0]);
          mass += wanted[k][j];
        }
      }
      for (int k = 0; k < counts.length; k++) {
        for (int j = 0; j < 2; j++) {
          double share = wanted[k][j] / mass;
          // Rows are independent, the 16 looks at each of them are not.
          double error = Math.sqrt(share * (1 - share) / 2048);
          assertThat(counts[k][j] / total).isCloseTo(share, within(4 * error));
        }
      }
      assertThat(batches.acceptedShare()).isBetween(0.05, 0.999);
      RedrawnBatches others = batches(model, observed, tree);
      others.restore(batches.state());
      assertThat(others.batch(24).rows()).isDeepEqualTo(batches.batch(24).rows());
      assertThat(others.description()).isEqualTo(batches.description());
    }
  }

  private static RedrawnBatches batches(TableModel model, int[][] observed, ProposalTree tree) {
    var batches = new RedrawnBatches(observed, tree, 2048, 1, ProcessGroup.single());
    batches.use(model.flow());
    return batches;
  }

  /** What the tree says it sampled with is what it says of whole rows. */
  @Test
  void aTreeSamplesGivenTheOthers() {
    TableCodec codec = TableCodec.fit(WildModels.TABLE, SUMMED_OUT);
    int[][] observed = codec.encode(WildModels.TABLE).observed();
    var tree = new ProposalTree(codec.space(), observed);
    var random = new SplittableRandom(1);
    for (int i = 0; i < 50; i++) {
      int[] row = observed[i % observed.length].clone();
      tree.sample(row, IntStream.range(0, 4).filter(d -> row[d] < 0).boxed().toList(), random);
      List<Integer> places =
          IntStream.range(0, 4).filter(d -> random.nextBoolean()).boxed().toList();
      double nats = tree.sample(row, places, random);
      double sum = 0;
      for (int[] other : codec.space().enumerate()) {
        boolean agrees =
            IntStream.range(0, 4).allMatch(d -> places.contains(d) || other[d] == row[d]);
        sum += agrees ? Math.exp(tree.logProb(other)) : 0;
      }
      assertThat(nats).isCloseTo(tree.logProb(row) - Math.log(sum), within(1e-9));
    }
  }

  /** Five columns of which each depends on the one before, and some cells are gone. */
  private static DataTable chain(int size, double removed, boolean onlyComplete) {
    var random = new SplittableRandom(5);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      List<String> row = new ArrayList<>();
      int last = random.nextInt(3);
      for (int d = 0; d < NAMES.size(); d++) {
        row.add(random.nextDouble() < removed ? "" : "v" + last);
        last = random.nextDouble() < 0.8 ? (last + 1) % 3 : random.nextInt(3);
      }
      if (!onlyComplete || !row.contains("")) {
        rows.add(row);
      }
    }
    return DataTable.of(NAMES, rows);
  }

  private static double divergence(DataTable table, MissingValues missing) throws IOException {
    CodecOptions options = CodecOptions.DEFAULTS.withMissingValues(missing);
    FitOptions fit = FitOptions.DEFAULTS.withTime(Duration.ofMillis(700));
    try (TableModel model = TableModel.train(table, TableCodec.fit(table, options), fit)) {
      double sum = 0;
      List<List<String>> all = new ArrayList<>();
      List<Double> truth = new ArrayList<>();
      for (int i = 0; i < 243; i++) {
        int[] row = {i / 81, i / 27 % 3, i / 9 % 3, i / 3 % 3, i % 3};
        double p = 1.0 / 3;
        for (int d = 1; d < row.length; d++) {
          p *= row[d] == (row[d - 1] + 1) % 3 ? 0.8 + 0.2 / 3 : 0.2 / 3;
        }
        all.add(Arrays.stream(row).mapToObj(k -> "v" + k).toList());
        truth.add(p);
      }
      double[] nats = model.score(DataTable.of(NAMES, all), NewValues.IMPOSSIBLE);
      for (int i = 0; i < nats.length; i++) {
        sum += truth.get(i) * (Math.log(truth.get(i)) - nats[i]);
      }
      return sum;
    }
  }

  @Test
  void whatIsObservedTeachesMoreThanCompleteRowsAlone() throws IOException {
    double summedOut = divergence(chain(1000, 0.4, false), MissingValues.SUMMED_OUT);
    double complete = divergence(chain(1000, 0.4, true), MissingValues.SYMBOL);
    assertThat(summedOut).isBetween(0.0, complete / 2);
  }

  /** Interrupts its training after a while. */
  private static TrainingListener stopping() {
    return new TrainingListener() {
      @Override
      public void progressed(Progress progress) {
        if (progress.step() == 60) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  @Test
  void anInterruptedTrainingEndsInTheSameModel(@TempDir Path folder) throws IOException {
    DataTable table = chain(60, 0.3, false);
    TableCodec codec =
        TableCodec.fit(table, CodecOptions.DEFAULTS.withMissingValues(MissingValues.SUMMED_OUT));
    FitOptions options = FitOptions.DEFAULTS.withTime(Duration.ofDays(1));
    TrainingListener stopping = stopping();
    FitOptions kept = options.withCheckpoints(folder.resolve("checkpoint"));
    assertThatThrownBy(() -> TableModel.train(table, codec, kept.withListener(stopping)))
        .isInstanceOf(CancellationException.class);
    Thread.interrupted();
    Path saved = folder.resolve("model");
    try (TableModel whole = TableModel.train(table, codec, options);
        TableModel resumed = TableModel.train(table, codec, kept)) {
      assertThat(resumed.score(table)).containsExactly(whole.score(table));
      assertThat(resumed.metrics()).isEqualTo(whole.metrics());
      assertThat(whole.metrics().orElseThrow().heldOut()).isEqualTo("observed cells of 6 rows");
      resumed.save(saved);
      try (TableModel loaded = (TableModel) RingFlow.load(saved)) {
        assertThat(loaded.codec()).isEqualTo(codec);
        assertThat(loaded.score(table)).containsExactly(whole.score(table));
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TableModel.train(table, codec, options.withPasses(1)))
        .withMessage(
            "missing values can be summed out of autoregressive and group models, but this is"
                + " bipartite");
  }

  /** What a rank of a group ends with. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Trained(double[] scores, double heldOut) {
    static Trained of(DataTable table, FitOptions options) throws IOException {
      TableCodec codec =
          TableCodec.fit(table, CodecOptions.DEFAULTS.withMissingValues(MissingValues.SUMMED_OUT));
      try (TableModel model = TableModel.train(table, codec, options)) {
        return new Trained(model.score(table), model.metrics().orElseThrow().model());
      }
    }
  }

  /** All redraw the same cells, though each scores only some of the rows. */
  @Test
  @Tag("slow")
  void processesOfAGroupEndInOneModelAlsoIfStopped(@TempDir Path folder) throws Exception {
    DataTable table = chain(60, 0.3, false);
    FitOptions options = FitOptions.DEFAULTS.withTime(Duration.ofDays(1));
    List<Trained> whole = Ranks.run(2, group -> Trained.of(table, options.withGroup(group)));
    assertThat(whole.get(1).scores).containsExactly(whole.get(0).scores);
    // Rows are scored in other batches than by one process, which rounds otherwise.
    assertThat(whole.get(0).heldOut).isCloseTo(Trained.of(table, options).heldOut, within(0.1));

    FitOptions kept = options.withCheckpoints(folder.resolve("checkpoint"));
    TrainingListener stopping = stopping();
    for (Future<Trained> end :
        Ranks.ends(
            2,
            Duration.ofSeconds(20),
            group -> Trained.of(table, kept.withGroup(group).withListener(stopping)))) {
      assertThatThrownBy(end::get).cause().isInstanceOf(CancellationException.class);
    }
    List<Trained> resumed = Ranks.run(2, group -> Trained.of(table, kept.withGroup(group)));
    assertThat(resumed.get(0).scores).containsExactly(whole.get(0).scores);
    assertThat(resumed.get(1).scores).containsExactly(whole.get(0).scores);
  }
}
