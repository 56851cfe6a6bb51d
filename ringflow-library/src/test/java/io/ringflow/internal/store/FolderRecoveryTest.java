package io.ringflow.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a killed writer left is finished or undone by the next one. */
final class FolderRecoveryTest extends WrittenFolder {
  private static final String R = "0123456789abcdef";

  @Test
  void killedWhileWritingForTheFirstTime() throws IOException {
    body("half").writeTo(leftover("tmp", R));
    FolderWriter.recover(target);
    assertThat(target).doesNotExist();
    FolderWriter.write(target, FORMAT, body("one"));
    assertHolds("one");
    assertNoLeftovers();
  }

  @Test
  void killedWhileWritingAnew() throws IOException {
    FolderWriter.write(target, FORMAT, body("one"));
    Files.writeString(leftover("tmp", R).resolve("weights"), "half");
    FolderWriter.recover(target);
    assertHolds("one");
    assertThat(parent.resolve(".model.tmp-" + R)).as("may be a writer's at work").exists();
    FolderWriter.write(target, FORMAT, body("two"));
    assertHolds("two");
    assertNoLeftovers();
  }

  @Test
  void killedBetweenTheRenames() throws IOException {
    body("one").writeTo(leftover("old", R));
    body("two").writeTo(leftover("tmp", R));
    body("half").writeTo(leftover("tmp", R.replace('0', '1')));
    FolderWriter.recover(target);
    assertHolds("two");
    FolderWriter.recover(target);
    assertHolds("two");
    FolderWriter.write(target, FORMAT, body("three"));
    assertHolds("three");
    assertNoLeftovers();
  }

  @Test
  void killedBetweenTheRenamesAndWrittenAgainAtOnce() throws IOException {
    body("one").writeTo(leftover("old", R));
    body("two").writeTo(leftover("tmp", R));
    assertThatThrownBy(
            () ->
                FolderWriter.write(
                    target,
                    FORMAT,
                    folder -> {
                      throw new IOException("again");
                    }))
        .hasMessage("again");
    assertHolds("two");
    assertNoLeftovers();
  }

  @Test
  void killedWhileDeletingTheOldOne() throws IOException {
    FolderWriter.write(target, FORMAT, body("two"));
    Files.writeString(leftover("old", R).resolve("weights"), "one");
    FolderWriter.recover(target);
    assertHolds("two");
    FolderWriter.write(target, FORMAT, body("three"));
    assertNoLeftovers();
  }

  @Test
  void anOldOneAloneIsRestored() throws IOException {
    body("one").writeTo(leftover("old", R));
    body("half").writeTo(leftover("tmp", R.replace('0', '1')));
    FolderWriter.recover(target);
    assertHolds("one");
  }

  @Test
  void aHalfDeletedOldOneIsNotRestored() throws IOException {
    Files.writeString(leftover("old", R).resolve("weights"), "one");
    FolderWriter.recover(target);
    assertThat(target).doesNotExist();
    FolderWriter.write(target, FORMAT, body("two"));
    assertNoLeftovers();
  }

  @Test
  void severalOldOnesAreLeftToThePerson() throws IOException {
    body("one").writeTo(leftover("old", R));
    body("two").writeTo(leftover("old", R.replace('0', '1')));
    assertThatThrownBy(() -> FolderWriter.recover(target))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageStartingWith(target + ": missing");
    assertThatThrownBy(() -> FolderWriter.write(target, FORMAT, body("three")))
        .isInstanceOf(ModelFormatException.class);
    assertThat(names()).hasSize(2);
  }

  @Test
  void othersHiddenFoldersAreLeftAlone() throws IOException {
    for (String name :
        List.of(".model.tmp-mine", ".model.old-" + R + "0", ".model2.tmp-" + R, "model.tmp-" + R)) {
      Files.createDirectory(parent.resolve(name));
    }
    Files.writeString(parent.resolve(".model.tmp-" + R), "a file");
    FolderWriter.write(target, FORMAT, body("one"));
    FolderWriter.write(target, FORMAT, body("two"));
    assertThat(names()).hasSize(6);
  }

  @Test
  void linksInsideAreNotFollowedWhenDeleting() throws IOException {
    Path outside = Files.createDirectory(parent.resolve("outside"));
    Files.writeString(outside.resolve("kept"), "kept");
    FolderWriter.write(
        target,
        FORMAT,
        folder -> {
          body("one").writeTo(folder);
          Files.createSymbolicLink(folder.resolve("link"), outside);
        });
    FolderWriter.write(target, FORMAT, body("two"));
    assertThat(outside.resolve("kept")).hasContent("kept");
  }

  @Test
  void recoveringWhereThereIsNothingDoesNothing() throws IOException {
    FolderWriter.recover(target);
    FolderWriter.recover(parent.resolve("no/such/model"));
    FolderWriter.recover(Path.of("/"));
    FolderWriter.recover(Path.of("."));
    assertThat(parent).isEmptyDirectory();
  }

  private Path leftover(String kind, String suffix) throws IOException {
    return Files.createDirectory(parent.resolve(".model." + kind + "-" + suffix));
  }
}
