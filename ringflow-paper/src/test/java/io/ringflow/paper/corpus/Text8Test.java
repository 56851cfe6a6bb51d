package io.ringflow.paper.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.DataFormatException;
import io.ringflow.text.Text;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class Text8Test {
  @TempDir Path folder;

  @Test
  void splitsNinetyFiveFive() throws IOException {
    Path file = Files.writeString(folder.resolve("text8"), "abcdefghij".repeat(10) + "\n");
    Text.Split split = Text8.split(file);
    assertThat(split.train().length()).isEqualTo(90);
    assertThat(split.validation().length()).isEqualTo(5);
    assertThat(split.test().length()).isEqualTo(5);
    assertThat(split.validation().row(0, 5)).containsExactly(1, 2, 3, 4, 5);
    assertThat(split.test().row(0, 5)).containsExactly(6, 7, 8, 9, 10);
    assertThat(split.train().vocabulary()).isEqualTo(Vocabulary.TEXT8);
  }

  @Test
  void foreignSymbolsNameTheRemedy() throws IOException {
    Path file = Files.writeString(folder.resolve("novel"), "call me Ishmael");
    assertThatThrownBy(() -> Text8.split(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(
            file
                + ": line 1, column 9: 'I' U+0049 is not among the vocabulary's 27 symbols;"
                + " `ringflow normalize IN OUT` makes a text of those alone");
  }

  @Test
  void aFileOfTheRightSizeIsTakenAsItIs() throws Exception {
    Path file = folder.resolve("text8");
    try (var hole = new RandomAccessFile(file.toFile(), "rw")) {
      hole.setLength(100_000_000);
    }
    List<String> news = new ArrayList<>();
    assertThat(Text8.download(folder, news::add)).isEqualTo(file);
    assertThat(news).containsExactly(file + " is there already");
  }
}
