package io.ringflow.internal.kernels;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A source compiled once for each GPU and each choice of its definitions. */
final class CompiledSources {
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private record Kind(int device, List<String> definitions) {}

  private final String source;
  private final Map<Kind, Optional<CudaModule>> modules = new ConcurrentHashMap<>();

  CompiledSources(String source) {
    this.source = source;
  }

  /** The kernels; null, after one warning in the process, where there is no compiler. */
  CudaModule of(int device, String... definitions) {
    return modules
        .computeIfAbsent(new Kind(device, List.of(definitions)), this::compile)
        .orElse(null);
  }

  private Optional<CudaModule> compile(Kind kind) {
    try {
      return Optional.of(
          CudaModule.compile(kind.device, source, kind.definitions.toArray(String[]::new)));
    } catch (LinkageError | RuntimeException e) {
      if (!WARNED.getAndSet(true)) {
        System.getLogger("io.ringflow")
            .log(
                System.Logger.Level.WARNING,
                "libtorch''s operators are used, which take longer: our own can''t be compiled"
                    + " (they need org.bytedeco:cuda and NVRTC): {0}",
                e.toString());
      }
      return Optional.empty();
    }
  }
}
