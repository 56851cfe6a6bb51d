package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.ringflow.RingFlow;
import io.ringflow.cli.external.OtherCompressor;
import io.ringflow.compress.Compressor;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class OwnTextTest {
  @TempDir Path folder;

  @Test
  void sizesAreThoseOfTheFiles() throws IOException {
    Path train = Files.writeString(folder.resolve("train"), words(2000, 1));
    String known = words(300, 2);
    Path test = Files.writeString(folder.resolve("test"), known + "\u00e9\u00e8");
    Path kept = folder.resolve("model");
    List<OtherCompressor> others =
        List.of(new OtherCompressor.Gzip(), new OtherCompressor.Program("xz -9", List.of(folder)));
    Printed printed =
        Printed.by(new OwnText(train, test, Duration.ofMillis(1), kept, Device.CPU, others)::print);
    byte[] original = Files.readAllBytes(test);
    assertThat(printed.number("none", 1)).isEqualTo(original.length);
    assertThat(printed.number("gzip -9", 1))
        .isEqualTo((double) new OtherCompressor.Gzip().bytes(test).getAsLong());
    assertThat(printed.row("xz -9").get(1)).isEqualTo("not installed");
    try (TextModel model = (TextModel) RingFlow.load(kept)) {
      int compressed = new Compressor(model).compress(original).length;
      double promised = model.score(original, ProgressListener.IGNORED).bits() / 8;
      assertThat(printed.number("Ringflow", 1)).isEqualTo(compressed);
      assertThat(printed.number("promised by the likelihood", 1)).isCloseTo(promised, offset(0.06));
      assertThat(printed.number("the file is longer by", 1))
          .isCloseTo(compressed - promised, offset(0.06));
      assertThat(printed.number("parameters", 1)).isEqualTo((double) model.flow().parameterCount());
    }
    assertThat(printed.row("decompressed is the original").get(1)).isEqualTo("yes");
    assertThat(printed.row("coded by").get(1)).isEqualTo("the model and counts");
    assertThat(printed.number("symbols", 1)).isEqualTo((double) known.length());
    assertThat(printed.text()).contains("Seed 1, on cpu; ");
  }

  /** Words to learn, so that a model gains more than it takes to name it. */
  private static String words(int count, long seed) {
    String[] words = {"rose", "is", "a", "by", "any", "other", "name", "would", "smell", "sweet"};
    return new SplittableRandom(seed)
        .ints(count, 0, words.length)
        .mapToObj(i -> words[i] + " ")
        .collect(Collectors.joining());
  }
}
