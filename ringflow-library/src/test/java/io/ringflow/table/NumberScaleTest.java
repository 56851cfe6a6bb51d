package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringflow.RingFlow;
import io.ringflow.core.Groups;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.network.Made;
import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where numbers lie on a scale. */
final class NumberScaleTest {
  private static final ValueCounts NONE = ValueCounts.NONE;

  @Test
  void binsLieAtTheirShareOfRows() {
    List<Bin> bins = IntStream.range(0, 8).mapToObj(i -> new Bin("" + i, "" + i, 1)).toList();
    assertThat(NumberScale.of(new Bins("x", bins, 0, 0, NONE)))
        .containsExactly(0.0625, 0.1875, 0.3125, 0.4375, 0.5625, 0.6875, 0.8125, 0.9375);
    ValueCounts missing = new ValueCounts(List.of("NA"), List.of(100));
    assertThat(NumberScale.of(new Bins("x", bins, 0, 0, missing))).hasSize(9).endsWith(-1.0);
    assertThat(NumberScale.of(new Bins("x", bins.subList(0, 7), 0, 0, NONE))).isEmpty();
  }

  /** However often they are, and however they are written. */
  @Test
  void categoriesLieInTheOrderOfTheirNumbers() {
    ValueCounts values =
        new ValueCounts(
            List.of("10", "9", "-1", "1e3", "2.50", "2.6", "11", "12"),
            List.of(3, 1, 1, 1, 1, 1, 1, 1));
    List<Double> scale = NumberScale.of(new Categories("x", values, NONE, NONE));
    assertThat(scale).containsExactly(0.55, 0.35, 0.05, 0.95, 0.15, 0.25, 0.75, 0.85);
    ValueCounts rare = new ValueCounts(List.of("a", "b"), List.of(1, 1));
    assertThat(NumberScale.of(new Categories("x", values, rare, NONE))).isEmpty();
    ValueCounts texts = new ValueCounts(List.of("10", "9", "x"), List.of(3, 1, 1));
    assertThat(NumberScale.of(new Categories("x", texts, NONE, NONE))).isEmpty();
  }

  @Test
  void scalesMustFitTheSpace() {
    Made made = new Made(4, 1, List.of(), List.of(List.of(0.5, 0.7), List.of()));
    assertThat(made.causal(Space.of(2, 3), Order.natural(2), Space.NONE, 3)).isNotNull();
    for (Space space : List.of(Space.of(3, 3), Space.of(2, 3, 2))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> made.causal(space, Groups.singles(Order.natural(space.size())), Space.NONE, 3))
          .withMessageContaining("scales must be of the");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Made(4, 1, List.of(), List.of(List.of(0.5, 1.7))))
        .withMessage("scales must end at 1, but one has 1.7");
  }

  /** As checkpoints were written before numbers shared weights with their neighbours. */
  @Test
  void aCheckpointOfNumbersWithoutScalesIsRefusedInOneLine(@TempDir Path folder)
      throws IOException {
    DataTable table =
        DataTable.of(
            List.of("number", "text"),
            IntStream.range(0, 200)
                .mapToObj(i -> List.of("" + i * i % 23, i % 3 == 0 ? "a" : "b"))
                .toList());
    Path checkpoint = folder.resolve("checkpoint");
    FitOptions options =
        FitOptions.DEFAULTS.withTime(Duration.ofMillis(50)).withCheckpoints(checkpoint);
    RingFlow.train(table, options).close();
    Path file = checkpoint.resolve("config.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode config = (ObjectNode) mapper.readTree(file.toFile());
    ObjectNode network = (ObjectNode) config.get("architecture").get("base").get("network");
    assertThat(network.remove("scales")).isNotNull();
    network.put("layers", 1);
    mapper.writeValue(file.toFile(), config);
    assertThatThrownBy(() -> RingFlow.train(table, options))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(
            checkpoint
                + ": is the checkpoint of a training with another architecture (other data or"
                + " options, or another version of ringflow): choose another folder, or delete it");
  }
}
