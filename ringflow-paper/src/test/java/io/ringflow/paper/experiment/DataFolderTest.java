package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.harness.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFolderTest {
  @TempDir Path folder;

  @Test
  void anEmptyFolderHoldsNothing() {
    assertThat(Experiments.all()).allMatch(experiment -> experiment.dataIn(folder).isEmpty());
  }

  @Test
  void everyExperimentThatNeedsDataFindsItUnderItsPublishedName() throws IOException {
    Files.createFile(folder.resolve("text8"));
    Files.createFile(folder.resolve("ghz-n10.txt"));
    Files.createDirectories(folder.resolve("DEBD/datasets"));
    Files.createDirectories(folder.resolve("bif"));
    Path sentences = Files.createDirectories(folder.resolve("simple-examples/data"));
    assertThat(DataFolder.find("ptb", folder)).as("a folder without the files").isEmpty();
    Files.createFile(sentences.resolve("ptb.char.train.txt"));

    assertThat(DataFolder.find("text8", folder)).hasValue(folder.resolve("text8"));
    assertThat(DataFolder.find("ptb", folder)).hasValue(sentences);
    for (Experiment experiment : Experiments.all()) {
      assertThat(experiment.dataIn(folder).isPresent())
          .as(experiment.name())
          .isEqualTo(experiment.dataHelp().isPresent());
    }
  }
}
