package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.RingFlow;
import io.ringflow.core.ProgressListener;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How near rows come to those of training. */
final class NearestRowsTest {
  @Test
  void theNearestIsFound() {
    var random = new Random(1);
    int[][] rows = rows(random, 40);
    int[][] training = rows(random, 5000);
    training[4321] = rows[7].clone();
    int[] found = NearestRows.nearest(rows, training, ProgressListener.IGNORED);
    for (int i = 0; i < rows.length; i++) {
      int[] row = rows[i];
      int nearest =
          Arrays.stream(training)
              .mapToInt(
                  other -> (int) IntStream.range(0, 9).filter(d -> row[d] != other[d]).count())
              .min()
              .orElseThrow();
      assertThat(found[i]).isEqualTo(nearest);
    }
    assertThat(found[7]).isZero();
  }

  private static int[][] rows(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> random.ints(9, 0, 5).toArray())
        .toArray(int[][]::new);
  }

  @Test
  void theTableOfTrainingIsRecognised() throws IOException {
    var random = new Random(3);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int letter = random.nextInt(6);
      rows.add(
          List.of("a" + letter, "b" + (letter + random.nextInt(2)) % 6, "c" + random.nextInt(2)));
    }
    List<String> names = List.of("a", "b", "c");
    DataTable table = DataTable.of(names, rows);
    FitOptions options = FitOptions.DEFAULTS.withTime(Duration.ofMillis(50)).withSeed(5);
    try (TableModel model = RingFlow.train(table, options)) {
      TableCodec.Encoded all = model.codec().encode(table);
      NearestRows itself = NearestRows.of(model, all, all, ProgressListener.IGNORED).orElseThrow();
      assertThat(itself.trainingRows()).isEqualTo(54);
      assertThat(Arrays.stream(itself.samples()).sum()).isEqualTo(60);
      assertThat(Arrays.stream(itself.heldOut()).sum()).isEqualTo(6);
      // Training rows are their own nearest; held-out ones are not among them.
      assertThat(itself.samples()[0]).isEqualTo(54 + itself.heldOut()[0]);
      assertThat(itself.copiedSamples()).isEqualTo(itself.samples()[0] / 60.0);

      List<List<String>> changed = new ArrayList<>(rows);
      changed.add(changed.remove(0));
      TableCodec.Encoded other = model.codec().encode(DataTable.of(names, changed));
      assertThat(NearestRows.of(model, other, all, ProgressListener.IGNORED)).isEmpty();
      TableCodec.Encoded fewer = model.codec().encode(DataTable.of(names, rows.subList(0, 59)));
      assertThat(NearestRows.of(model, fewer, all, ProgressListener.IGNORED)).isEmpty();
    }
  }
}
