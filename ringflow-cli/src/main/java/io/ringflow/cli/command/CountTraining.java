package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ShellWord;
import io.ringflow.compress.CountModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** {@code ringflow train DATA... --fast}: a model by counting alone. */
record CountTraining(List<Path> files, Path folder, MemoryOption memory) {
  void run(OverwriteOption overwrite, PrintWriter out, PrintWriter err) throws IOException {
    overwrite.requireFree(folder);
    CountModel.requireSavable(folder);
    long size = 0;
    for (Path file : files) {
      size += Files.size(file);
    }
    long total = size;
    int megabytes = memory.orElse(CountModel.megabytes(total));
    long started = System.nanoTime();
    CountModel model;
    try (var text = new JoinedFiles(files);
        var progress = CountProgress.of(err, "bytes")) {
      model = CountModel.train(text, megabytes, (done, unknown) -> progress.done(done, total));
    }
    model.save(folder);
    String quoted = ShellWord.of(folder.toString());
    out.printf(
        Locale.ROOT,
        "%s: %,d bytes counted in %s%n",
        files.size() == 1 ? files.get(0) : files.size() + " files",
        model.trainingBytes(),
        Numbers.time((System.nanoTime() - started) * 1e-9));
    out.printf(Locale.ROOT, "Model: %s (a table of %,d MB)%n", folder, megabytes);
    out.printf(
        "%nTry next:%n  ringflow compress %s %s%n  ringflow sample %s -n 3%n",
        quoted, ShellWord.of(files.get(0).toString()), quoted);
    out.flush();
  }
}
