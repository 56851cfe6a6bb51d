package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.table.TableModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.SplitTables;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Files of rows with a column in two parts, through a model and back. */
@ExtendWith(LeakCheck.class)
final class SplitTableCompressorTest {
  private static final int TABLE = 11;

  private static byte[] rows() {
    var random = new SplittableRandom(1);
    var text = new StringBuilder("first,name,last\n");
    List<String> names = List.of("a", "b", "c", "d", "e", "f", "j", "rare1", "new", "");
    for (int i = 0; i < 60; i++) {
      text.append(random.nextBoolean() ? "x," : "y,");
      text.append(names.get(random.nextInt(names.size()))).append(",v\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void everyByteComesBack() throws CompressedFormatException {
    for (Map.Entry<String, TableModel> entry : SplitTables.all().entrySet()) {
      try (TableModel model = entry.getValue()) {
        var compressor = new Compressor(model, 5, 20);
        byte[] coded = compressor.coded(rows(), ProgressListener.IGNORED).orElseThrow();
        assertThat(coded[5]).as(entry.getKey()).isEqualTo((byte) TABLE);
        assertThat(compressor.decompress(coded)).as(entry.getKey()).isEqualTo(rows());
      }
    }
  }
}
