package io.ringflow.cli.progress;

import io.ringflow.core.ProgressListener;
import java.io.PrintWriter;

/** Shows how much of a file has been coded; how long that is, the first report tells. */
public final class BytesProgress implements ProgressListener, AutoCloseable {
  private final PrintWriter err;
  private CountProgress shown; // null before the first report
  private long last;

  public BytesProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void done(long done, long total) {
    if (shown == null) {
      shown = CountProgress.of(err, "bytes", total);
    }
    if (done > last) {
      shown.add(done - last);
      last = done;
    }
  }

  @Override
  public void close() {
    if (shown != null) {
      shown.close();
    }
  }
}
