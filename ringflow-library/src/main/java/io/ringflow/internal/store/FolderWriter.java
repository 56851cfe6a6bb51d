package io.ringflow.internal.store;

import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Writes a folder so that it is there whole or not at all, also when the process is killed.
 *
 * <p>No file system swaps two folders in one portable step, so replacing {@code NAME} goes
 *
 * <pre>
 *   1  write  .NAME.tmp-R, and sync it to the disk
 *   2  rename NAME          to .NAME.old-R
 *   3  rename .NAME.tmp-R   to NAME
 *   4  delete .NAME.old-R,  its config.json first
 * </pre>
 *
 * <p>with the same random R. The names left by a crash tell its step, so that no marker is needed:
 *
 * <ul>
 *   <li>NAME is there: it is whole, the old one or the new one. Leftovers are garbage.
 *   <li>old-R and tmp-R without NAME: step 2 happens only after step 1, so tmp-R is whole. {@link
 *       #recover} finishes step 3 rather than undoing step 2: both are sound, and the new folder is
 *       what the caller asked for.
 *   <li>old-R alone without NAME, with its config.json: undoing step 2 was cut short; old-R is
 *       whole, and becomes NAME again. Without config.json it was half deleted: garbage.
 *   <li>tmp-R alone: it may be half written, and nobody was told it was saved: garbage.
 * </ul>
 *
 * <p>Garbage is deleted by the next {@link #write}, never by {@link #recover}: one process may load
 * a model while another is saving it, and a reader must not sweep away the folder being written.
 * There may be many readers, but one writer at a time.
 */
public final class FolderWriter {
  /** The file that every such folder has, with a field {@code format}. */
  private static final String CONFIG = ConfigFile.NAME;

  private static final Pattern SUFFIX = Pattern.compile("[0-9a-f]{16}");

  /** Fills a folder. */
  @FunctionalInterface
  public interface Body {
    /**
     * Writes the files, {@code config.json} with its {@code format} among them.
     *
     * @param folder an empty folder; not yet the final one, so keep no path into it
     * @throws IOException to give up: nothing will have changed
     */
    void writeTo(Path folder) throws IOException;
  }

  /** Renames a folder; tests put a failing one here. */
  @FunctionalInterface
  interface Rename {
    void move(Path from, Path to) throws IOException;
  }

  private FolderWriter() {}

  /**
   * Writes a folder in place of an older one of the same format, if there is one.
   *
   * <p>The old folder is replaced whole: files that others put there go with it. An empty folder
   * may be replaced as well. If anything fails the old folder stands as it was. An interrupted
   * thread may save, and stays interrupted; the body is called again if the interrupt comes
   * meanwhile.
   *
   * @param target the folder; its parent must exist
   * @param format the value that {@code "format"} has in {@code config.json}, in an old folder that
   *     may be replaced and in the new one
   * @param body writes the files
   * @throws FileAlreadyExistsException if something else is in the way: a file, a link, or a folder
   *     that is not of this format
   * @throws IllegalStateException if the body wrote no such {@code config.json}
   * @throws IOException if the disk or the body refuses
   */
  public static void write(Path target, String format, Body body) throws IOException {
    // Channels refuse an interrupted thread, yet saving is how an interrupted training ends.
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          write(target, format, body, FolderWriter::rename);
          return;
        } catch (ClosedByInterruptException e) { // the interrupt came now: nothing was changed
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Makes the folders that lead to a target, where they are missing. */
  public static void createParents(Path target) throws IOException {
    Path parent = target.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
  }

  /**
   * Deletes a folder of a format, and what killed writes left beside it; does nothing where there
   * is none.
   *
   * @throws FileAlreadyExistsException if something else is there: a file, a link, or a folder that
   *     is not of this format
   * @throws IOException if the disk refuses
   */
  public static void delete(Path target, String format) throws IOException {
    Path absolute = target.toAbsolutePath();
    if (!isNamed(absolute) || !Files.isDirectory(absolute.getParent())) {
      return;
    }
    if (checkReplaceable(absolute, format)) {
      delete(absolute);
    }
    sweep(absolute);
  }

  static void write(Path target, String format, Body body, Rename rename) throws IOException {
    Path absolute = target.toAbsolutePath();
    boolean replaces = check(absolute, format);
    sweep(absolute);

    String suffix = AtomicFiles.suffix();
    Path temporary = sibling(absolute, "tmp", suffix);
    Path old = sibling(absolute, "old", suffix);
    // Not createTempDirectory: its folders are closed to everyone but their owner.
    Files.createDirectory(temporary);
    try {
      body.writeTo(temporary);
      if (!ConfigFile.hasFormat(temporary, format)) {
        throw new IllegalStateException(
            String.format(
                "what was written for %s has no %s with \"format\": \"%s\"; write it in the body",
                target, CONFIG, format));
      }
      sync(temporary);
      if (replaces) {
        swap(absolute, temporary, old, rename);
      } else {
        rename.move(temporary, absolute);
      }
    } catch (IOException | RuntimeException | Error e) {
      // With old still aside, both are kept: recover() needs the pair.
      if (!Files.exists(old)) {
        try {
          delete(temporary);
        } catch (IOException left) {
          e.addSuppressed(left);
        }
      }
      throw e;
    }
    AtomicFiles.syncFolder(absolute.getParent());
    deleteQuietly(old);
  }

  /**
   * Checks that {@link #write} would succeed, long before there is something to write. Finishes
   * what a killed write left.
   *
   * @return whether there is a folder that would be replaced
   * @throws IOException as {@link #write}
   */
  public static boolean check(Path target, String format) throws IOException {
    Path absolute = target.toAbsolutePath();
    if (!isNamed(absolute)) {
      throw new FileSystemException(
          target.toString(), null, "give the folder's own name, not a root, '.' or '..'");
    }
    if (Files.exists(absolute.getParent()) && !Files.isDirectory(absolute.getParent())) {
      throw new NotDirectoryException(absolute.getParent().toString());
    }
    AtomicFiles.requireFolder(absolute.getParent());
    recover(absolute);
    return checkReplaceable(absolute, format);
  }

  /**
   * Finishes what a killed {@link #write} left between its two renames; call it before reading.
   *
   * <p>Does nothing if the target is there, or if there is nothing to restore. Deletes nothing.
   *
   * @param target the folder about to be read
   * @throws ModelFormatException if several old versions claim the name
   * @throws IOException if the disk refuses
   */
  public static void recover(Path target) throws IOException {
    Path absolute = target.toAbsolutePath();
    if (Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)
        || !isNamed(absolute)
        || !Files.isDirectory(absolute.getParent())) {
      return;
    }
    List<Path> candidates = new ArrayList<>();
    for (Path old : leftovers(absolute, "old")) {
      Path temporary = sibling(absolute, "tmp", suffixOf(absolute, "old", old));
      if (Files.isDirectory(temporary, LinkOption.NOFOLLOW_LINKS)) {
        candidates.add(temporary);
      } else if (Files.exists(old.resolve(CONFIG))) {
        candidates.add(old);
      }
    }
    if (candidates.isEmpty()) {
      return;
    }
    if (candidates.size() > 1) {
      throw new ModelFormatException(
          target,
          "missing, and more than one interrupted save could be restored: rename one of "
              + candidates
              + " by hand");
    }
    try {
      rename(candidates.get(0), absolute);
    } catch (IOException e) {
      // Another reader may have been quicker.
      if (!Files.isDirectory(absolute)) {
        throw e;
      }
    }
    AtomicFiles.syncFolder(absolute.getParent());
  }

  private static void swap(Path target, Path temporary, Path old, Rename rename)
      throws IOException {
    rename.move(target, old);
    try {
      rename.move(temporary, target);
    } catch (IOException | RuntimeException | Error e) {
      // A reader that found the name missing has recovered it, which is what we wanted to do.
      if (!Files.exists(temporary) && Files.isDirectory(target)) {
        return;
      }
      try {
        rename.move(old, target);
      } catch (IOException stuck) {
        e.addSuppressed(stuck);
      }
      throw e;
    }
  }

  /** Whether there is something to replace; anything that must not be is an error. */
  private static boolean checkReplaceable(Path target, String format) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    String obstacle;
    if (Files.isSymbolicLink(target)) {
      obstacle = "is a symbolic link; give the folder it points to";
    } else if (!Files.isDirectory(target)) {
      obstacle = "is a file, and a folder is to be written";
    } else if (!isEmpty(target) && !ConfigFile.hasFormat(target, format)) {
      obstacle =
          String.format(
              "has no %s with \"format\": \"%s\"; a folder of something else is not overwritten",
              CONFIG, format);
    } else {
      return true;
    }
    throw new FileAlreadyExistsException(target.toString(), null, obstacle);
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      return !files.iterator().hasNext();
    }
  }

  private static boolean isNamed(Path absolute) {
    Path name = absolute.getFileName();
    return name != null
        && !name.toString().isEmpty()
        && !name.toString().equals(".")
        && !name.toString().equals("..");
  }

  private static Path sibling(Path target, String kind, String suffix) {
    return target.resolveSibling(prefix(target, kind) + suffix);
  }

  private static String prefix(Path target, String kind) {
    return "." + target.getFileName() + "." + kind + "-";
  }

  private static String suffixOf(Path target, String kind, Path leftover) {
    return leftover.getFileName().toString().substring(prefix(target, kind).length());
  }

  private static List<Path> leftovers(Path target, String kind) throws IOException {
    String prefix = prefix(target, kind);
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> siblings =
        Files.newDirectoryStream(
            target.getParent(),
            p ->
                p.getFileName().toString().startsWith(prefix)
                    && SUFFIX.matcher(suffixOf(target, kind, p)).matches()
                    && Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS))) {
      siblings.forEach(found::add);
    }
    return found;
  }

  private static void sweep(Path target) throws IOException {
    for (String kind : List.of("tmp", "old")) {
      for (Path leftover : leftovers(target, kind)) {
        deleteQuietly(leftover);
      }
    }
  }

  private static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void sync(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            AtomicFiles.syncFolder(visited);
            return super.postVisitDirectory(visited, e);
          }
        });
  }

  // A folder that will not go is only in the way of tidiness: the next write tries again.
  private static void deleteQuietly(Path folder) {
    try {
      delete(folder);
    } catch (IOException e) {
      return;
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    // First, so that a half-deleted folder is never taken for a whole one.
    Files.deleteIfExists(folder.resolve(CONFIG));
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
