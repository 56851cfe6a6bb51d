package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.cli.external.OtherCompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SizesByKindTest {
  @TempDir Path folder;

  /** Constants of all kinds, for {@link SizesByKind#foreign}. */
  @SuppressWarnings("unused")
  private static final class Constants {
    static final long LONG = 1L << 40;
    static final double DOUBLE = 0.1;
    static final float FLOAT = 0.1f;
    static final int INT = 1 << 20;

    static String foreign(Runnable with) {
      Runnable lambda = () -> with.run();
      lambda.run();
      return "größer als " + LONG + DOUBLE + FLOAT + INT + lambda;
    }
  }

  @Test
  void everyKindIsMadeAndComparedAloneAndAfterItsKind() throws IOException {
    Path sources = Files.createDirectories(folder.resolve("module/src/main/java"));
    for (String name : SizesByKind.LEFT_OUT) {
      Files.writeString(sources.resolve(name), "final class LeftOut {}\n".repeat(9));
    }
    Files.writeString(sources.resolve("B.java"), "final class B {}\n");
    Files.writeString(sources.resolve("A.java"), "final class A {}\n");
    Files.writeString(folder.resolve("module/C.java"), "final class Copied {}\n");
    Path made = Files.createDirectories(folder.resolve("made"));
    var copier = new OtherCompressor.Archiver("a copy", List.of("cp", "FILE", "ARCHIVE"));
    Printed printed =
        Printed.by(
            (out, err) ->
                new SizesByKind(made)
                    .print(folder, new CountingSizes(List.of(copier), bytes -> 1), out));
    assertThat(made.resolve("code.txt")).hasContent("final class A {}\nfinal class B {}\n");
    for (String name : SizesByKind.LEFT_OUT) {
      assertThat(printed.number(name + " |", 1)).isEqualTo(23 * 9);
      assertThat(printed.number(name + " after code.txt", 2)).isEqualTo(23 * 9);
    }
    assertThat(printed.number("shell-ja.txt after compiler-ja.txt", 3)).isPositive();
    assertThat(Files.readString(made.resolve("compiler-ja.txt")))
        .hasSizeGreaterThan(10_000)
        .matches("(?s).*\\p{IsHiragana}.*")
        .doesNotContain("compiler.err.");
    assertThat(Files.readString(made.resolve("compiler-zh.txt")))
        .doesNotMatch("(?s).*\\p{IsHiragana}.*");
    String library = System.mapLibraryName("jnijavacpp");
    double size = Files.readAllBytes(made.resolve(library)).length;
    assertThat(printed.number(library + " |", 1)).isEqualTo(size);
    assertThat(printed.number(library + " after ", 1)).isEqualTo(size);
    assertThat(Files.readAllBytes(made.resolve("ObjectMapper.class")))
        .startsWith(0xCA, 0xFE, 0xBA, 0xBE);
    assertThat(printed.text()).doesNotContain("WRONG");
  }

  @Test
  void textsOfAClassAreFoundAmongAllItsConstants() throws IOException {
    String name = "SizesByKindTest$Constants.class";
    try (InputStream in = SizesByKindTest.class.getResourceAsStream(name)) {
      assertThat(SizesByKind.foreign(in)).singleElement().asString().startsWith("größer als ");
    }
    byte[] wrong = {0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 99};
    assertThatThrownBy(() -> SizesByKind.foreign(new ByteArrayInputStream(wrong)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("99");
  }
}
