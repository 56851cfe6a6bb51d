package io.ringflow;

import static io.ringflow.core.ProgressListener.IGNORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.compress.Compressor;
import io.ringflow.model.FittedModel;
import io.ringflow.model.Metrics;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.text.Text;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions;
import io.ringflow.train.FitOptions.Family;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Fitting takes whatever table or text there is, of every family, and can be ended. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class FittingTest {
  private static final FitOptions SHORT = FitOptions.DEFAULTS.withTime(Duration.ofMillis(150));

  @TempDir Path temporary;

  /** Twenty rows, the fewest there may be. */
  private static DataTable rows(int count, IntFunction<List<String>> row) {
    int columns = row.apply(0).size();
    return DataTable.of(
        IntStream.range(0, columns).mapToObj(c -> "c" + c).toList(),
        IntStream.range(0, count).mapToObj(row).toList());
  }

  static Map<String, DataTable> tables() {
    return Map.of(
        "constant and varied", rows(20, i -> List.of("x", "v" + i % 3, "y", "w" + i % 2)),
        "nothing but constants", rows(20, i -> List.of("x", "y", "z")),
        "one constant column", rows(20, i -> List.of("x")),
        "one column", rows(30, i -> List.of("v" + i % 3)),
        "a constant and another", rows(20, i -> List.of("x", "v" + i % 3)),
        "all different", rows(20, i -> List.of("id" + i, "v" + i % 2)),
        "all different and alone", rows(20, i -> List.of("id" + i)),
        "numbers and gaps", rows(300, i -> List.of(i + ".5", i % 7 == 0 ? "" : "" + i * i)),
        "many columns",
            rows(25, i -> IntStream.range(0, 24).mapToObj(c -> "" + i * c % 3).toList()));
  }

  /** A family, with as many passes as it takes, and a table. */
  record Case(String table, FitOptions options) {
    @Override
    public String toString() {
      return table + ", " + options.family() + " " + options.passes();
    }
  }

  static Stream<Case> cases() {
    return tables().keySet().stream()
        .sorted()
        .flatMap(
            name ->
                Stream.of(
                        SHORT,
                        SHORT.withPasses(2),
                        SHORT.withPasses(50), // more than there are columns
                        SHORT.withFamily(Family.BIPARTITE))
                    .map(options -> new Case(name, options)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anyTableIsFitted(Case test) throws IOException {
    DataTable table = tables().get(test.table);
    try (TableModel model = RingFlow.train(table, test.options)) {
      for (double nats : model.score(table)) {
        assertThat(nats).isFinite().isLessThanOrEqualTo(1e-9);
      }
      assertThat(model.sample(5, 1).rows().columns()).isEqualTo(table.columns());
      Metrics metrics = model.metrics().orElseThrow();
      assertThat(metrics.unit()).isEqualTo("nats per row");
      for (double figure :
          List.of(metrics.model(), metrics.factorised(), metrics.raw(), metrics.deflated())) {
        assertThat(figure).isFinite();
      }
      Path folder = temporary.resolve("model");
      model.save(folder);
      try (FittedModel loaded = RingFlow.load(folder)) {
        assertThat(loaded.metrics()).contains(metrics);
        assertThat(((TableModel) loaded).score(table)).isEqualTo(model.score(table));
      }
    }
  }

  @Test
  void tooFewRowsAreRefused() {
    DataTable table = rows(19, i -> List.of("v" + i % 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingFlow.train(table))
        .withMessage("a table needs at least 20 rows to learn from, but has 19");
  }

  @Test
  void aCodecOfOtherRowsIsRefused() {
    DataTable table = rows(20, i -> List.of("v" + i % 2));
    DataTable other = rows(20, i -> List.of("v" + i % 5));
    try (TableModel model = RingFlow.train(table, SHORT)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> TableModel.train(other, model.codec(), SHORT))
          .withMessage("12 rows have values that the codec does not know");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Long enough that time decides nothing, and small enough to stop early. */
  private static final FitOptions STEPS = FitOptions.DEFAULTS.withTime(Duration.ofDays(30));

  private static final DataTable RESUMED =
      rows(40, i -> List.of("v" + i * i % 5, "w" + i % 3, "u" + i % 2));

  /** Interrupts its own thread at a step. */
  private static FitOptions interruptedAt(long step, FitOptions options) {
    return options.withListener(
        new TrainingListener() {
          @Override
          public void progressed(Progress progress) {
            if (progress.step() >= step) {
              Thread.currentThread().interrupt();
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void aResumedFitEndsInTheSameModel(Family family) throws IOException {
    FitOptions options = STEPS.withFamily(family);
    FitOptions kept = options.withCheckpoints(temporary.resolve("checkpoint"));
    assertThatThrownBy(() -> RingFlow.train(RESUMED, interruptedAt(40, kept)))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).as("the interrupt is still to be seen").isTrue();
    List<Long> starts = new ArrayList<>();
    FitOptions heard =
        kept.withListener(
            new TrainingListener() {
              @Override
              public void started(long fromStep, long totalSteps) {
                starts.add(fromStep);
              }
            });
    try (TableModel undisturbed = RingFlow.train(RESUMED, options);
        TableModel resumed = RingFlow.train(RESUMED, heard)) {
      assertThat(starts).containsExactly(40L);
      assertThat(resumed.flow().fingerprint()).isEqualTo(undisturbed.flow().fingerprint());
      assertThat(resumed.score(RESUMED)).isEqualTo(undisturbed.score(RESUMED));
    }
  }

  @Test
  void anInterruptedFitLeavesNothing() {
    assertThatThrownBy(() -> RingFlow.train(RESUMED, interruptedAt(20, STEPS)))
        .isInstanceOf(CancellationException.class)
        .hasMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aListenerThatFailsLeavesNothing() {
    FitOptions failing =
        STEPS.withListener(
            new TrainingListener() {
              @Override
              public void progressed(Progress progress) {
                throw new IllegalStateException("enough");
              }
            });
    assertThatThrownBy(() -> RingFlow.train(RESUMED, failing)).hasMessage("enough");
  }

  private Text text(String characters) throws IOException {
    Path file = temporary.resolve("text.txt");
    Files.writeString(file, characters);
    return Text.read(file);
  }

  /** A text, as bytes or characters, and a family. */
  record TextCase(String characters, boolean bytes, FitOptions options) {
    @Override
    public String toString() {
      return characters.substring(0, 20) + " " + bytes + " " + options.family();
    }
  }

  static List<TextCase> texts() {
    String prose = "the cat sat on the mat and ate ".repeat(40);
    return List.of(
        new TextCase("a".repeat(700), false, SHORT),
        new TextCase("a".repeat(700), false, SHORT.withPasses(3)),
        new TextCase(prose, false, SHORT),
        new TextCase(prose, true, SHORT),
        new TextCase(prose, false, SHORT.withPasses(3)),
        new TextCase(prose, false, SHORT.withFamily(Family.BIPARTITE)),
        // Rare characters are left out, and the text gets shorter.
        new TextCase("ab".repeat(330) + "cdefghijklmnopqrstuvwxyz", false, SHORT));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void anyTextIsFitted(TextCase test) throws IOException {
    byte[] bytes = test.characters.getBytes(StandardCharsets.UTF_8);
    Text text = test.bytes ? Text.ofBytes(bytes) : text(test.characters);
    try (TextModel model = RingFlow.train(text, test.options)) {
      var compressor = new Compressor(model);
      assertThat(compressor.decompress(compressor.compress(bytes))).isEqualTo(bytes);
      assertThat(model.score(bytes, IGNORED).bits()).isFinite().isGreaterThanOrEqualTo(0);
      // Without left to right, as many pieces are sampled as it takes: too slow for a test.
      String beginning = test.options.family() == Family.BIPARTITE ? "" : "a";
      assertThat(model.sample(2, beginning, 1).pieces())
          .hasSize(2)
          .allMatch(piece -> piece.startsWith(beginning));
      Metrics metrics = model.metrics().orElseThrow();
      assertThat(metrics.model()).isFinite();
      assertThat(metrics.unit()).isEqualTo(test.bytes ? "bits per byte" : "bits per character");
    }
  }

  @Test
  void piecesAreAsLongAsAsked() throws IOException {
    Text text = text("the cat sat on the mat and ate ".repeat(40)); // 1240 symbols
    for (FitOptions options : List.of(SHORT, SHORT.withPasses(4))) {
      assertThat(lengthOf(text, options)).isEqualTo(62); // of which it has twenty
      assertThat(lengthOf(text, options.withLength(24))).isEqualTo(24);
      assertThat(lengthOf(text, options.withLength(7))).isEqualTo(7);
    }
  }

  private static int lengthOf(Text text, FitOptions options) throws IOException {
    try (TextModel model = RingFlow.train(text, options)) {
      assertThat(TextModel.length(text, options)).isEqualTo(model.length());
      assertThat(model.score("the cat".getBytes(StandardCharsets.UTF_8), IGNORED).bits())
          .isFinite();
      return model.length();
    }
  }

  @Test
  void aTextThatIsTooShortIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingFlow.train(Text.ofBytes(new byte[639]), SHORT))
        .withMessage("a text needs at least 640 symbols to learn from, but has 639");
    var rare = new StringBuilder("a".repeat(10));
    IntStream.range(0x4E00, 0x4E00 + 700).forEach(rare::appendCodePoint);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RingFlow.train(text(rare.toString()), SHORT))
        .withMessage(
            "a text needs at least 640 symbols to learn from, but has 10, rare ones aside");
  }

  @Test
  void optionsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FitOptions.DEFAULTS.withLength(1))
        .withMessage("length must be in 2..16384, but is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FitOptions.DEFAULTS.withTime(Duration.ZERO))
        .withMessage("time must be above 0, but is PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FitOptions.DEFAULTS.withPasses(0))
        .withMessage("passes must be at least 2, but is 0");
    assertThat(FitOptions.DEFAULTS.withPasses(1).family()).isEqualTo(Family.BIPARTITE);
    assertThat(FitOptions.DEFAULTS.withPasses(7).passes()).isEqualTo(7);
    assertThat(FitOptions.DEFAULTS.withPasses(7).withFamily(Family.AUTOREGRESSIVE).passes())
        .isZero();
  }
}
