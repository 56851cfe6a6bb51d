package io.ringflow.cli.command;

import io.ringflow.infer.Inference;
import io.ringflow.infer.InferredModel;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Trainer;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that say where an inferred model is kept, and whether its training resumes. */
final class InferredModelOptions {
  static final String MODEL = "--model";
  static final String RESUME = "--resume";

  @Option(
      names = MODEL,
      paramLabel = "FOLDER",
      description = "Save the model too, and while it learns a checkpoint of it, FOLDER.training.")
  private Path folder;

  @Option(
      names = RESUME,
      description = "Continue the training of an earlier run with the same options and --model.")
  private boolean resume;

  /** Refuses a folder that can't be written, before any long work. */
  void check(OverwriteOption overwrite, ToolCommand command) throws IOException {
    if (resume && folder == null) {
      throw command.usage(RESUME + " needs " + MODEL + ", the folder of the earlier run");
    }
    if (folder != null) {
      overwrite.requireFree(folder);
      FlowModel.requireSavable(folder);
    }
  }

  private Path checkpoints() {
    Path whole = folder.toAbsolutePath().normalize();
    return whole.resolveSibling(whole.getFileName() + ".training");
  }

  /** Makes a training write checkpoints, and resume where that is wanted. */
  void prepare(Inference inference) throws IOException {
    if (folder != null) {
      if (!resume) {
        Trainer.deleteCheckpoint(checkpoints());
      }
      inference.checkpoints(checkpoints());
    }
  }

  /** Saves a model that has learned to the end. */
  void save(InferredModel model) throws IOException {
    if (folder != null) {
      model.flow().save(folder);
      Trainer.deleteCheckpoint(checkpoints());
    }
  }

  /** Whether a training that stopped can be resumed. */
  boolean isResumable() {
    return folder != null && Trainer.hasCheckpoint(checkpoints());
  }
}
