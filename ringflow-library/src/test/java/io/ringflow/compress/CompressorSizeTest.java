package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.testing.LeakCheck;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files take what the model's likelihood says they do, to a thousandth. */
@ExtendWith(LeakCheck.class)
final class CompressorSizeTest {
  private static final int POSITIONS = 32;
  private static final int HEADER = 64;
  private static final TextCodec TEXT8 =
      new TextCodec(TextCodec.Unit.CHARACTERS, Vocabulary.TEXT8, Collections.nCopies(27, 1L));

  /** A model, and how many rows of it. */
  record Sample(int rows, Architecture architecture) {}

  static Stream<Sample> samples() {
    Space space = Space.uniform(POSITIONS, 27);
    Order order = Order.natural(POSITIONS);
    return Stream.of(
        // Nearly certain, and uncertain.
        new Sample(8000, Architecture.of(space, new FactorizedBase(null, 8))),
        new Sample(3000, Architecture.of(space, new FactorizedBase(null, 2))),
        new Sample(
            400, Architecture.of(space, new AutoregressiveBase(order, new Lstm(8, 16, 1), 3))),
        new Sample(
            250,
            new Architecture(
                space,
                Space.NONE,
                new GroupBase(Groups.growing(POSITIONS / 2, 4), new Made(32, 1)),
                List.of(new Pack(2)))));
  }

  /** On rows that the model samples itself. */
  @ParameterizedTest
  @MethodSource("samples")
  void sizeIsTheRate(Sample sample) throws CompressedFormatException {
    try (TextModel model = Compressors.model(sample.architecture(), TEXT8, 11)) {
      byte[] bytes =
          String.join("", model.sample(sample.rows(), 12)).getBytes(StandardCharsets.US_ASCII);
      var compressor = new Compressor(model);
      byte[] compressed = compressor.coded(bytes, ProgressListener.IGNORED).orElseThrow();
      double promised = model.score(bytes, ProgressListener.IGNORED).bits() / 8;
      assertThat(compressed.length - promised)
          .as("of %.0f bytes by the model", promised)
          .isBetween(0.0, 0.001 * promised + HEADER);
      assertThat(compressor.decompress(compressed)).isEqualTo(bytes);
    }
  }
}
