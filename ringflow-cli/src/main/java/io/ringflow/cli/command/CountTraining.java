package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ShellWord;
import io.ringflow.compress.CountModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/** {@code ringflow train DATA --fast}: a model by counting alone. */
record CountTraining(Path data, Path folder, int megabytes) {
  void run(OverwriteOption overwrite, PrintWriter out, PrintWriter err) throws IOException {
    overwrite.requireFree(folder);
    CountModel.requireSavable(folder);
    byte[] bytes = FileBytes.read(data);
    long started = System.nanoTime();
    CountModel model;
    try (var progress = CountProgress.of(err, "bytes")) {
      model = CountModel.train(bytes, megabytes, progress);
    }
    model.save(folder);
    String quoted = ShellWord.of(folder.toString());
    out.printf(
        Locale.ROOT,
        "%s: %,d bytes counted in %s%n",
        data,
        bytes.length,
        Numbers.time((System.nanoTime() - started) * 1e-9));
    out.printf(Locale.ROOT, "Model: %s (a table of %,d MB)%n", folder, megabytes);
    out.printf("%nTry next:%n  ringflow compress %s %s%n", quoted, ShellWord.of(data.toString()));
    out.flush();
  }
}
