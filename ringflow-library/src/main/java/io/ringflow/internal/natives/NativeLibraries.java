package io.ringflow.internal.natives;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.StandardOpenOption;
import org.bytedeco.javacpp.Loader;

/**
 * Loads libtorch, one process of a machine at a time: the binding unpacks its libraries to a folder
 * that all share, and one that maps a file which another is still writing crashes.
 */
public final class NativeLibraries {
  private static boolean loaded;

  private NativeLibraries() {}

  /** Returns when they are there; does nothing the second time. */
  public static synchronized void load() {
    if (loaded) {
      return;
    }
    try (FileChannel file =
            FileChannel.open(
                Loader.getCacheDir().toPath().resolve("ringflow.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      loadUnlocked();
    } catch (IOException e) {
      loadUnlocked(); // a folder that can't be written has been filled by somebody else
    }
    BlasThreads.choose();
    loaded = true;
  }

  private static void loadUnlocked() {
    Loader.load(org.bytedeco.pytorch.global.torch.class);
    Loader.load(org.bytedeco.pytorch.global.torch_gloo.class);
    Loader.load(org.bytedeco.openblas.global.openblas_nolapack.class);
  }
}
