package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringflow.core.ModelFormatException;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.Toys;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a trainer refuses to begin with: foreign rows, folders and checkpoints. */
final class TrainerRefusalTest extends ToyTraining {
  @Test
  void rowsOfAnotherSpaceAreRefused() {
    Trainer trainer = new Trainer(model, options(10).build());
    assertThatThrownBy(() -> trainer.train(Batches.sampled(1, random -> new int[][] {{0, 5}})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("row 0, position 1: symbol 5 is not in 0..4");
    assertThatThrownBy(() -> trainer.train(Batches.sampled(1, random -> new int[0][])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the batch of step 0 has no rows");
    assertThatThrownBy(() -> trainer.validation(new int[][] {{1}}).train(DATA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("row 0 has 1 symbols, but the space has 2 positions");
  }

  @Test
  void aConditionalModelNeedsWhatItIsGiven() {
    Architecture conditional = Toys.architectures().get("conditional");
    try (FlowModel condition = FlowModel.create(conditional, 1)) {
      Batches withoutGiven = Batches.shuffled(Toys.rows(conditional.space(), 8, 1), 4, 1);
      assertThatThrownBy(() -> new Trainer(condition, options(10).build()).train(withoutGiven))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs a condition of [3] for each");
    }
  }

  @Test
  void aFolderOfSomethingElseIsRefusedBeforeTraining() throws IOException {
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("notes.txt"), "mine");
    double[] before = weights();
    Trainer trainer = new Trainer(model, options(10).build());
    assertThatThrownBy(() -> trainer.checkpoints(foreign).train(DATA))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(foreign.toString());
    assertThat(foreign.resolve("notes.txt")).hasContent("mine");

    model.save(folder.resolve("model"));
    assertThatThrownBy(() -> trainer.checkpoints(folder.resolve("model")).train(DATA))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("is not that of a ringflow-checkpoint");
    Path underFile = foreign.resolve("notes.txt").resolve("checkpoint");
    assertThatThrownBy(() -> trainer.checkpoints(underFile).train(DATA))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(foreign.resolve("notes.txt").toString());
    assertThat(weights()).isEqualTo(before);
    FlowModel.load(folder.resolve("model")).close();
  }

  @Test
  void aCheckpointOfAnotherTrainingIsRefused() throws IOException {
    new Trainer(model, options(10).build()).checkpoints(checkpoint).train(DATA);
    double[] before = weights();
    assertThatThrownBy(
            () -> new Trainer(model, options(11).build()).checkpoints(checkpoint).train(DATA))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("another set of options");
    Batches others = Batches.shuffled(Toys.rows(SPACE, 200, 4), 16, 2);
    assertThatThrownBy(
            () -> new Trainer(model, options(10).build()).checkpoints(checkpoint).train(others))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("another set of data");
    try (FlowModel other = FlowModel.create(Toys.architectures().get("made"), 1)) {
      assertThatThrownBy(
              () -> new Trainer(other, options(10).build()).checkpoints(checkpoint).train(DATA))
          .isInstanceOf(ModelFormatException.class)
          .hasMessageContaining("another architecture");
    }
    assertThat(weights()).isEqualTo(before);
  }

  /** Checkpoints from before there was a choice were of AdamW, a cosine and no average. */
  @Test
  void aCheckpointWithoutTheNewerOptionsIsOfTheirDefaults() throws IOException {
    TrainingOptions options = options(10).build();
    new Trainer(model, options).checkpoints(checkpoint).train(DATA);
    Path file = checkpoint.resolve("config.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode config = (ObjectNode) mapper.readTree(file.toFile());
    ObjectNode named = (ObjectNode) config.get("options");
    named.remove(
        List.of("optimizer", "matrixLearningRate", "rateDecay", "averageWeights", "hiddenSymbols"));
    mapper.writeValue(file.toFile(), config);
    assertThat(new Trainer(model, options).checkpoints(checkpoint).train(DATA).steps())
        .isEqualTo(10);
    mapper.writeValue(file.toFile(), config);
    TrainingOptions linear = options(10).linearDecay().build();
    assertThatThrownBy(() -> new Trainer(model, linear).checkpoints(checkpoint).train(DATA))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("another set of options");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "weights.safetensors",
        "first-moment.safetensors",
        "second-moment.safetensors",
        "best.safetensors",
        "average.safetensors",
        "config.json"
      })
  void aDamagedCheckpointChangesNothing(String name) throws IOException {
    TrainingOptions options = options(20).averageWeights(0.9).build();
    int[][] heldOut = Toys.rows(SPACE, 20, 3);
    new Trainer(model, options).validation(heldOut).checkpoints(checkpoint).train(DATA);
    Path file = checkpoint.resolve(name);
    byte[] whole = Files.readAllBytes(file);
    byte[] flipped = whole.clone();
    flipped[name.equals("config.json") ? 10 : whole.length - 3] ^= 4;
    try (FlowModel fresh = FlowModel.create(Toys.tables(), 3)) {
      double[] before = weights(fresh);
      for (byte[] damaged : List.of(flipped, Arrays.copyOf(whole, whole.length - 2), new byte[0])) {
        Files.write(file, damaged);
        assertThatThrownBy(
                () ->
                    new Trainer(fresh, options)
                        .validation(heldOut)
                        .checkpoints(checkpoint)
                        .train(DATA))
            .isInstanceOf(ModelFormatException.class)
            .hasMessageContaining(file.toString());
        assertThat(weights(fresh)).isEqualTo(before);
        assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
      }
    }
  }
}
