package io.ringflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.FittedModel;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** One fitted model, many threads: the answers of one thread alone, bit by bit. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class FittedThreadsTest {
  private static final int THREADS = 16;
  private static final int CALLS = 1000;
  private static final int KINDS = 20;

  private static final TextCodec LETTERS = WildModels.characters(" abcdé");

  @TempDir Path temporary;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** One of many different calls; the answer has only what {@code equals} compares. */
  @FunctionalInterface
  private interface Call {
    Object answer(int which);
  }

  private static Object answer(TableModel model, int which) {
    DataTable rows = WildModels.TABLE.rows(IntStream.rangeClosed(0, which % 7).toArray());
    return switch (which % 4) {
      case 0 -> list(model.score(rows));
      case 1 -> cells(model.sample(1 + which, which).rows());
      case 2 -> model.explain(rows);
      default -> cells(model.sample(1 + which % 3, Map.of("city", "Rome"), which).rows());
    };
  }

  private static Object answer(TextModel model, Compressor compressor, int which) {
    byte[] text = "ab cd é xa ".repeat(1 + which / 2).getBytes(StandardCharsets.UTF_8);
    return switch (which % 4) {
      case 0 -> model.score(text, ProgressListener.IGNORED);
      case 1 -> model.sample(1 + which, "b", which);
      case 2 -> Arrays.toString(compressor.compress(text));
      default -> Arrays.toString(thereAndBack(compressor, text));
    };
  }

  private static byte[] thereAndBack(Compressor compressor, byte[] text) {
    try {
      return compressor.decompress(compressor.compress(text));
    } catch (CompressedFormatException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Double> list(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static List<List<String>> cells(DataTable table) {
    return IntStream.range(0, table.size()).mapToObj(table::row).toList();
  }

  private <M extends FittedModel> M loaded(M model, Class<M> type) throws IOException {
    Path folder = temporary.resolve("model");
    model.save(folder);
    model.close();
    return type.cast(RingFlow.load(folder));
  }

  private void assertAnswersOfOneThread(Call call) throws Exception {
    List<Object> wanted = IntStream.range(0, KINDS).mapToObj(call::answer).toList();
    CountDownLatch together = new CountDownLatch(THREADS);
    List<Future<Void>> found = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t;
      found.add(
          threads.submit(
              () -> {
                together.countDown();
                together.await();
                for (int i = first; i < CALLS; i += THREADS) {
                  assertThat(call.answer(i % KINDS)).isEqualTo(wanted.get(i % KINDS));
                }
                return null;
              }));
    }
    for (Future<Void> future : found) {
      future.get();
    }
  }

  @Test
  void aTableAnswersAsToOneThread() throws Exception {
    try (TableModel model = loaded(WildModels.table(Family.GROUP), TableModel.class)) {
      assertAnswersOfOneThread(which -> answer(model, which));
    }
  }

  @Test
  void aTextAnswersAsToOneThread() throws Exception {
    try (TextModel model = loaded(WildModels.text(LETTERS), TextModel.class)) {
      var compressor = new Compressor(model);
      assertAnswersOfOneThread(which -> answer(model, compressor, which));
    }
  }

  /** Every answer is right, until there is none because the model is closed. */
  private void assertClosingIsSafe(FittedModel model, Call call) throws Exception {
    List<Object> wanted = IntStream.range(0, KINDS).mapToObj(call::answer).toList();
    CountDownLatch together = new CountDownLatch(THREADS);
    List<Future<Integer>> found = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t;
      found.add(
          threads.submit(
              () -> {
                together.countDown();
                together.await();
                for (int i = first; ; i++) {
                  assertThat(call.answer(i % KINDS)).isEqualTo(wanted.get(i % KINDS));
                }
              }));
    }
    together.await();
    Thread.sleep(20);
    model.close();
    for (Future<Integer> future : found) {
      try {
        fail("a closed model answered " + future.get());
      } catch (ExecutionException e) {
        assertThat(e.getCause())
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("this model is closed");
      }
    }
    model.close();
  }

  @Test
  void closingATableWhileCallsRunIsSafe() throws Exception {
    for (Family family : Family.values()) {
      TableModel model = WildModels.table(family);
      assertClosingIsSafe(model, which -> answer(model, which));
    }
  }

  @Test
  void closingATextWhileCallsRunIsSafe() throws Exception {
    for (int round = 0; round < 3; round++) {
      TextModel model = WildModels.text(LETTERS);
      var compressor = new Compressor(model);
      assertClosingIsSafe(model, which -> answer(model, compressor, which));
    }
  }
}
