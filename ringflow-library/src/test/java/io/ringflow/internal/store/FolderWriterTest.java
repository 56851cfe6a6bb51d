package io.ringflow.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders are written whole or not at all. */
final class FolderWriterTest extends WrittenFolder {
  @Test
  void aFolderAppears() throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    assertHolds("one");
    assertNoLeftovers();
  }

  @Test
  void aFolderIsReplacedWhole() throws IOException {
    FolderWriter.write(
        target,
        FORMAT,
        folder -> {
          body("one").writeTo(folder);
          Files.createDirectories(folder.resolve("deep/er"));
          Files.writeString(folder.resolve("deep/er/extra"), "x");
        });
    FolderWriter.write(target, FORMAT, body("two"));
    assertHolds("two");
    assertThat(target.resolve("deep")).doesNotExist();
    assertNoLeftovers();
  }

  @Test
  void anEmptyFolderMayBeReplaced() throws IOException {
    Files.createDirectory(target);
    FolderWriter.write(target, FORMAT, body("one"));
    assertHolds("one");
    assertNoLeftovers();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[]",
        "{\"format\": 1}",
        "{\"format\": \"other\"}",
        "\"test-model\""
      })
  void aFolderOfSomethingElseIsNotTouched(String config) throws IOException {
    Files.createDirectory(target);
    Files.writeString(target.resolve("config.json"), config);
    Files.writeString(target.resolve("thesis.tex"), "years of work");
    assertRefused("has no config.json with \"format\": \"test-model\"");
    assertThat(target.resolve("thesis.tex")).hasContent("years of work");
    assertThat(target.resolve("config.json")).hasContent(config);
  }

  @Test
  void aFolderWithoutConfigIsNotTouched() throws IOException {
    Files.createDirectory(target);
    Files.writeString(target.resolve("thesis.tex"), "years of work");
    assertRefused("has no config.json");
    assertThat(target.resolve("thesis.tex")).hasContent("years of work");
  }

  @Test
  void aFileOrALinkIsNotReplaced() throws IOException {
    Files.writeString(target, "a file");
    assertRefused("is a file");
    assertThat(target).hasContent("a file");
    Files.delete(target);

    Path real = parent.resolve("real");
    FolderWriter.write(real, FORMAT, body("real"));
    Files.createSymbolicLink(target, real);
    assertRefused("is a symbolic link");
    Files.delete(real.resolve("config.json"));
    Files.delete(real.resolve("weights"));
    Files.delete(real);
    assertRefused("is a symbolic link");
    assertThat(Files.isSymbolicLink(target)).isTrue();
  }

  @Test
  void theParentMustBeThere() throws IOException {
    Path missing = parent.resolve("no").resolve("model");
    assertThatThrownBy(() -> FolderWriter.write(missing, FORMAT, body("one")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(parent.resolve("no") + ": no such folder");
    Files.writeString(target, "a file");
    assertThatThrownBy(() -> FolderWriter.write(target.resolve("model"), FORMAT, body("one")))
        .isInstanceOf(NotDirectoryException.class)
        .hasMessageContaining(target.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", ".", "..", "x/.."})
  void aFolderNeedsItsName(String nameless) {
    assertThatThrownBy(() -> FolderWriter.write(Path.of(nameless), FORMAT, body("one")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("own name");
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IOException("disk full"), new IllegalStateException("bug"), new StackOverflowError());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailingBodyChangesNothing(Throwable failure) throws IOException {
    FolderWriter.Body failing =
        folder -> {
          body("two").writeTo(folder);
          Files.createDirectory(folder.resolve("deep"));
          if (failure instanceof IOException e) {
            throw e;
          } else if (failure instanceof RuntimeException e) {
            throw e;
          }
          throw (Error) failure;
        };
    assertThatThrownBy(() -> FolderWriter.write(target, FORMAT, failing)).isSameAs(failure);
    assertThat(parent).isEmptyDirectory();

    FolderWriter.write(target, FORMAT, body("one"));
    assertThatThrownBy(() -> FolderWriter.write(target, FORMAT, failing)).isSameAs(failure);
    assertHolds("one");
    assertNoLeftovers();
  }

  @Test
  void aBodyThatForgetsTheFormatIsRefused() throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    assertThatThrownBy(() -> FolderWriter.write(target, FORMAT, folder -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(target + " has no config.json");
    assertHolds("one");
    assertNoLeftovers();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aFailingRenameIsUndone(int failing) throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    assertThatThrownBy(
            () -> FolderWriter.write(target, FORMAT, body("two"), failAt(List.of(failing))))
        .hasMessage("rename " + failing);
    assertHolds("one");
    assertNoLeftovers();
  }

  @Test
  void aFailingFirstRenameLeavesNothing() {
    assertThatThrownBy(() -> FolderWriter.write(target, FORMAT, body("one"), failAt(List.of(1))))
        .hasMessage("rename 1");
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void aRenameThatCannotBeUndoneIsFinishedLater() throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    assertThatThrownBy(() -> FolderWriter.write(target, FORMAT, body("two"), failAt(List.of(2, 3))))
        .hasMessage("rename 2")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(target).doesNotExist();
    FolderWriter.recover(target);
    assertHolds("two");
  }

  @Test
  void aReaderMayFinishTheSwapFirst() throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    FolderWriter.write(
        target,
        FORMAT,
        body("two"),
        (from, to) -> {
          FolderWriter.recover(target);
          Files.move(from, to);
        });
    assertHolds("two");
    assertNoLeftovers();
  }

  @Test
  void anInterruptedThreadMaySaveAndStaysInterrupted() throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    Thread.currentThread().interrupt();
    FolderWriter.write(target, FORMAT, body("two"));
    assertThat(Thread.interrupted()).isTrue();
    assertHolds("two");
  }

  /** The interrupt comes while the files are written: they are written again. */
  @Test
  void anInterruptWhileSavingLosesNothing() throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    int[] calls = {0};
    FolderWriter.write(
        target,
        FORMAT,
        folder -> {
          if (calls[0]++ == 0) {
            Thread.currentThread().interrupt();
          }
          body("two").writeTo(folder);
        });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(calls[0]).isEqualTo(2);
    assertHolds("two");
    assertNoLeftovers();
    FolderWriter.write(
        target,
        FORMAT,
        folder -> {
          body("three").writeTo(folder);
          if (calls[0]++ == 2) {
            Thread.currentThread().interrupt(); // is heard when they are synced
          }
        });
    assertThat(Thread.interrupted()).isTrue();
    assertHolds("three");
    assertNoLeftovers();
  }

  private static FolderWriter.Rename failAt(List<Integer> failing) {
    int[] calls = {0};
    return (from, to) -> {
      calls[0]++;
      if (failing.contains(calls[0])) {
        throw new IOException("rename " + calls[0]);
      }
      Files.move(from, to);
    };
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> FolderWriter.write(target, FORMAT, body("new")))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageStartingWith(target + ": ")
        .hasMessageContaining(reason);
  }
}
