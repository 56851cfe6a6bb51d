package io.ringflow.train;

import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.StatisticsFile;
import io.ringflow.internal.natives.Versions;
import io.ringflow.internal.store.Json;
import io.ringflow.internal.store.Sha256;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Scope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Makes sure that all processes of a group do the same training: nothing else would tell, and what
 * came out would be no model of anything.
 */
final class ConsistencyCheck {
  private ConsistencyCheck() {}

  /**
   * Compares what the processes are about to do.
   *
   * @throws IllegalArgumentException on every one of them, if one is about to do something else
   */
  static void requireOfStart(
      ProcessGroup group, FlowModel model, TrainingOptions options, String data, Batch validation) {
    if (group.size() == 1) {
      return;
    }
    List<String> names =
        List.of(
            "version",
            "architecture",
            "set of options",
            "set of data",
            "validation rows",
            "set of counts");
    List<String> facts =
        List.of(
            Versions.ringflow() + " " + Versions.libtorch(),
            Json.plain(model.architecture()).toString(),
            Json.plain(options).toString(),
            data,
            validation.sha256(),
            StatisticsFile.sha256(EngineAccess.of(model).weights()));
    List<Double> prints = new ArrayList<>();
    facts.forEach(fact -> prints.add(print(fact)));
    double[][] all = group.allGather(prints.stream().mapToDouble(Double::doubleValue).toArray());
    for (int rank = 1; rank < all.length; rank++) {
      for (int i = 0; i < names.size(); i++) {
        if (all[rank][i] != all[0][i]) {
          throw new IllegalArgumentException(
              String.format(
                  "rank %d has another %s than rank 0: all must be started alike",
                  rank, names.get(i)));
        }
      }
    }
  }

  /** Six bytes of a text's digest: as much as a double holds exactly. */
  private static double print(String text) {
    byte[] digest = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    return (double) (ByteBuffer.wrap(digest).getLong() >>> 16);
  }

  /**
   * Compares weights, bit by bit.
   *
   * @throws TrainingException on every process, if one's are not those of rank 0
   */
  static void requireOfWeights(ProcessGroup group, Tensor values, long step) {
    if (group.size() == 1) {
      return;
    }
    long sum;
    try (Scope scope = Scope.inference()) {
      sum = values.view(ScalarType.Int).sum().item_long();
    }
    double[][] all = group.allGather((double) (sum >> 32), (double) (sum & 0xFFFFFFFFL));
    for (int rank = 1; rank < all.length; rank++) {
      if (all[rank][0] != all[0][0] || all[rank][1] != all[0][1]) {
        throw new TrainingException(
            String.format(
                "after step %d the weights of rank %d are no longer those of rank 0: do all machines"
                    + " have the same kind of CPU or GPU?",
                step, rank));
      }
    }
  }
}
