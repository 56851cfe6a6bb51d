package io.ringflow.paper.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DebdTest {
  private static final String NO_TABLE =
      "has no table, neither directly nor one folder down: three files NAME.train.data,"
          + " NAME.valid.data and NAME.test.data; in the public repository they are in the folder"
          + " datasets";

  @TempDir Path parent;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createDirectory(parent.resolve("datasets"));
  }

  private void write(String inside, String name, String train) throws IOException {
    Path where = Files.createDirectories(folder.resolve(inside));
    Files.writeString(where.resolve(name + ".train.data"), train);
    Files.writeString(where.resolve(name + ".valid.data"), "0,1,1\n");
    Files.writeString(where.resolve(name + ".test.data"), "1,1,1\n0,1,0\n");
  }

  private static void assertRefused(ThrowingCallable call, Path file, String reason) {
    assertThatThrownBy(call)
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": " + reason);
  }

  @Test
  void namesAreOfWholeTablesHereAndOneFolderDown() throws IOException {
    write("", "plants", "1,0,0\n");
    write("nltcs", "nltcs", "1,0,0\n");
    write("", "c.20.ng", "1,0,0\n");
    write("other", "elsewhere", "1,0,0\n");
    write("deep/deeper", "deeper", "1,0,0\n");
    write("", "half", "1,0,0\n");
    Files.delete(folder.resolve("half.valid.data"));
    write("", "folder", "1,0,0\n");
    Files.delete(folder.resolve("folder.test.data"));
    Files.createDirectory(folder.resolve("folder.test.data"));
    write("", "", "1,0,0\n");
    Files.createDirectory(folder.resolve("odd.train.data"));
    Files.writeString(folder.resolve("README"), "");
    assertThat(Debd.names(folder)).containsExactly("c.20.ng", "nltcs", "plants");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nltcs"})
  void aTableIsItsThreeFiles(String inside) throws IOException {
    write(inside, "nltcs", "1,0,0\n0,0,0\n1,0,1\n");
    Debd table = Debd.read(folder, "nltcs");
    assertThat(table.space()).isEqualTo(Space.of(2, 2, 2));
    assertThat(table.train()).isDeepEqualTo(new int[][] {{1, 0, 0}, {0, 0, 0}, {1, 0, 1}});
    assertThat(table.validation()).isDeepEqualTo(new int[][] {{0, 1, 1}});
    assertThat(table.test()).isDeepEqualTo(new int[][] {{1, 1, 1}, {0, 1, 0}});
  }

  @Test
  void filesOutsideCountBeforeThoseOneFolderDown() throws IOException {
    write("nltcs", "nltcs", "1,0,0\n");
    write("", "nltcs", "0,0,0\n");
    assertThat(Debd.names(folder)).containsExactly("nltcs");
    assertThat(Debd.read(folder, "nltcs").train()).isDeepEqualTo(new int[][] {{0, 0, 0}});
    Files.delete(folder.resolve("nltcs.test.data"));
    assertThat(Debd.read(folder, "nltcs").train()).isDeepEqualTo(new int[][] {{1, 0, 0}});
  }

  @ParameterizedTest
  @ValueSource(strings = {"train", "valid", "test"})
  void aSymbolThatIsNoBit(String part) throws IOException {
    write("", "nltcs", "1,0,0\n");
    Path file = folder.resolve("nltcs." + part + ".data");
    Files.writeString(file, "0,1,0\n0,1,2\n");
    assertRefused(
        () -> Debd.read(folder, "nltcs"),
        file,
        "line 2, column 5: '2' is too large; the largest symbol is 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"valid", "test"})
  void rowsOfAnotherLength(String part) throws IOException {
    write("", "nltcs", "1,0,0\n");
    Path file = folder.resolve("nltcs." + part + ".data");
    Files.writeString(file, "0,1\n");
    assertRefused(
        () -> Debd.read(folder, "nltcs"),
        file,
        "a row has 2 symbols, but one of nltcs.train.data has 3");
  }

  @Test
  void anotherTable() throws IOException {
    write("plants", "plants", "1,0,0\n");
    write("", "nltcs", "1,0,0\n");
    for (String name : new String[] {"half", "", "plants/plants"}) {
      assertRefused(
          () -> Debd.read(folder, name),
          folder,
          "has no table '%1$s', which is three files %1$s.train.data, %1$s.valid.data and"
                  .formatted(name)
              + " %s.test.data; it has nltcs, plants".formatted(name));
    }
  }

  @Test
  void noTable() throws IOException {
    assertRefused(() -> Debd.names(folder), folder, NO_TABLE);
    assertRefused(() -> Debd.read(folder, "nltcs"), folder, NO_TABLE);
    write("nltcs", "nltcs", "1,0,0\n");
    assertRefused(() -> Debd.names(parent), parent, NO_TABLE);
    Path file = folder.resolve("nltcs/nltcs.train.data");
    assertRefused(() -> Debd.names(file), file, "is a file, not a folder");
    Path nowhere = folder.resolve("nowhere");
    assertRefused(() -> Debd.names(nowhere), nowhere, "no such folder");
  }
}
