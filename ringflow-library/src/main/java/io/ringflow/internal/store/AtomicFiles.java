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

/** Writes single files all at once or not at all, and reads them strictly. */
public final class AtomicFiles {
  /** Writes a file's bytes. */
  @FunctionalInterface
  public interface Body {
    /**
     * Writes all bytes.
     *
     * @param out closed by the caller
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
    String obstacle = obstacle(file);
    if (obstacle != null) {
      throw new ModelFormatException(file, obstacle);
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /** Why a path cannot be read as a file; null if it can. */
  static String obstacle(Path file) {
    if (Files.isDirectory(file)) {
      return "is a folder, not a file";
    }
    if (!Files.exists(file)) {
      return "no such file";
    }
    return Files.isRegularFile(file) ? null : "is not a regular file";
  }

  /** Fills the buffer from a position on; the file was long enough when it was opened. */
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

  /** Makes files created, renamed or deleted in a folder durable, where the system can. */
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

  /** Sixteen random hexadecimal digits, so that no two writers share a temporary name. */
  static String suffix() {
    return String.format("%016x", ThreadLocalRandom.current().nextLong());
  }
}
