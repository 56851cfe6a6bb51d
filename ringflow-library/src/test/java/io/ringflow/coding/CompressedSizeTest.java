package io.ringflow.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.Architecture;
import io.ringflow.AutoregressiveBase;
import io.ringflow.FactorizedBase;
import io.ringflow.FlowModel;
import io.ringflow.GroupBase;
import io.ringflow.Groups;
import io.ringflow.LeakCheck;
import io.ringflow.Order;
import io.ringflow.Pack;
import io.ringflow.Space;
import io.ringflow.data.Vocabulary;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files take what the model's likelihood says they do. */
@ExtendWith(LeakCheck.class)
final class CompressedSizeTest {
  private static final int POSITIONS = 32;
  private static final int ROWS = 4000;
  private static final int HEADER = 64;

  static Stream<Architecture> architectures() {
    Space space = Space.uniform(POSITIONS, 27);
    Order order = Order.natural(POSITIONS);
    return Stream.of(
        // Certain but for one symbol in a hundred, and uncertain.
        Architecture.of(space, new FactorizedBase(null, 8)),
        Architecture.of(space, new FactorizedBase(null, 2)),
        Architecture.of(space, new AutoregressiveBase(order, new Lstm(8, 16, 1), 3)),
        new Architecture(
            space,
            Space.NONE,
            new GroupBase(Groups.growing(POSITIONS / 2, 4), new Made(32, 1)),
            List.of(new Pack(2))));
  }

  /** On rows that the model draws itself. */
  @ParameterizedTest
  @MethodSource("architectures")
  void sizeIsTheRate(Architecture architecture) throws CompressedFormatException {
    try (FlowModel model = FlowModel.create(architecture, 11)) {
      var text = new StringBuilder();
      for (int[] row : model.sample(ROWS, 12)) {
        text.append(Vocabulary.TEXT8.text(row));
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
      var compressor =
          new FlowCompressor(model, ByteText.of(Vocabulary.TEXT8), Compressors.hash(1));
      byte[] compressed = compressor.byFlow(bytes, Progress.IGNORED).orElseThrow();
      double promised = compressor.estimatedBits(bytes) / 8;
      assertThat(compressed.length - promised)
          .as("of %.0f bytes by the model", promised)
          .isBetween(0.0, 0.01 * promised + HEADER);
      assertThat(compressor.decompress(compressed)).isEqualTo(bytes);
    }
  }
}
