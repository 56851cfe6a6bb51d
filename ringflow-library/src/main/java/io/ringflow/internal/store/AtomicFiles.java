package io.ringflow.internal.store;

import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** Single files, written all at once or not at all and read with care. */
public final class AtomicFiles {
  /** Writes a file's bytes. */
  @FunctionalInterface
  public interface Body {
    /**
     * Writes all of them.
     *
     * @param out borrowed
     */
    void writeTo(FileChannel out) throws IOException;
  }

  private AtomicFiles() {}

  /**
   * Writes beside the file, then moves into place: whoever reads sees the old file or the new one,
   * also after a crash.
   */
  public static void replace(Path file, Body body) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path name = absolute.getFileName();
    if (name == null) {
      throw new IllegalArgumentException("file: a root cannot be written: " + file);
    }
    Path folder = absolute.getParent();
    requireFolder(folder);
    Path temporary = folder.resolve("." + name + ".tmp-" + suffix());
    try {
      try (FileChannel out =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        body.writeTo(out);
        out.force(true);
      }
      Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
    syncFolder(folder);
  }

  /** Opens a file that must be there; a pipe or a folder is refused instead of waited for. */
  static FileChannel open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new ModelFormatException(file, "is a folder, not a file");
    }
    if (!Files.exists(file)) {
      throw new ModelFormatException(file, "no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new ModelFormatException(file, "is not a regular file");
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /** Fills the buffer from that position on; the file is known to have been long enough. */
  static void readFully(Path file, FileChannel in, ByteBuffer buffer, long position)
      throws IOException {
    for (long at = position; buffer.hasRemaining(); ) {
      int read = in.read(buffer, at);
      if (read < 0) {
        throw new ModelFormatException(file, "became shorter while it was read");
      }
      at += read;
    }
  }

  /** Strict UTF-8: a damaged byte is an error, never a replacement character. */
  static String decode(Path file, ByteBuffer bytes) throws ModelFormatException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new ModelFormatException(file, "text is not valid UTF-8", e);
    }
  }

  /** Makes what was created, renamed or deleted in a folder last, where the system can. */
  static void syncFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows cannot open a folder and some network file systems cannot sync one. The rename
      // itself has happened; only its surviving a power cut is left to the system.
      return;
    }
  }

  static void requireFolder(Path folder) throws NoSuchFileException {
    if (folder == null || !Files.isDirectory(folder)) {
      throw new NoSuchFileException(String.valueOf(folder), null, "no such folder");
    }
  }

  /** Sixteen hexadecimal digits, so that no two writers meet in one temporary name. */
  static String suffix() {
    return String.format("%016x", ThreadLocalRandom.current().nextLong());
  }
}
