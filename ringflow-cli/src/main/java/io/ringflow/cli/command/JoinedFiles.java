package io.ringflow.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The bytes of files, one after the other; only one is open at a time. */
final class JoinedFiles extends InputStream {
  private final Deque<Path> files;
  private InputStream open = InputStream.nullInputStream();

  JoinedFiles(List<Path> files) {
    this.files = new ArrayDeque<>(files);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int read = open.read(bytes, from, length);
    while (read < 0 && !files.isEmpty()) {
      open.close();
      open = Files.newInputStream(files.remove());
      read = open.read(bytes, from, length);
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    files.clear();
    open.close();
  }
}
