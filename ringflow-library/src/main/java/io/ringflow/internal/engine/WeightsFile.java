package io.ringflow.internal.engine;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.store.Safetensors;
import io.ringflow.internal.store.Safetensors.Entry;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Stores a vector that is laid out like a model's parameters (the parameters themselves, or a
 * moment of the optimiser) as named tensors in a safetensors file.
 */
public final class WeightsFile {
  private WeightsFile() {}

  /**
   * Writes a vector.
   *
   * @param layout names and shapes
   * @param vector laid out like {@link Weights#values()}
   */
  public static void write(Path file, Weights layout, Tensor vector) throws IOException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    try (Scope scope = Scope.inference()) {
      Tensor plain = vector.cpu().to(ScalarType.Float).contiguous();
      layout
          .parameters()
          .forEach(
              (name, parameter) -> {
                float[] values = new float[Math.toIntExact(parameter.elements())];
                try (FloatPointer data = layout.slice(plain, parameter).data_ptr_float()) {
                  data.get(values);
                }
                ByteBuffer bytes =
                    ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
                bytes.asFloatBuffer().put(values);
                entries.put(name, new Entry("F32", shape(parameter), bytes));
              });
    }
    Safetensors.write(file, entries, Map.of("format", "ringflow"));
  }

  /**
   * Reads a vector. The file must hold exactly the layout's tensors in their shapes.
   *
   * @param vector laid out like {@link Weights#values()}; overwritten, and left half written if the
   *     file turns out to be wrong, so let it be one that nobody uses yet
   * @throws ModelFormatException if a tensor is missing, not wanted, or of another type or shape
   */
  public static void read(Path file, Weights layout, Tensor vector) throws IOException {
    Map<String, Parameter> missing = new LinkedHashMap<>(layout.parameters());
    Safetensors.read(
        file,
        (name, entry) -> {
          Parameter parameter = missing.remove(name);
          if (parameter == null) {
            throw new ModelFormatException(
                file, "holds '" + name + "', which this architecture has no place for");
          }
          if (!entry.dtype().equals("F32") || !entry.shape().equals(shape(parameter))) {
            throw new ModelFormatException(
                file,
                String.format(
                    "'%s' is %s%s, but should be F32%s",
                    name, entry.dtype(), entry.shape(), shape(parameter)));
          }
          float[] values = new float[Math.toIntExact(parameter.elements())];
          entry.data().asFloatBuffer().get(values);
          try (Scope scope = Scope.inference()) {
            layout.slice(vector, parameter).copy_(Tensor.create(values, values.length));
          }
        });
    if (!missing.isEmpty()) {
      throw new ModelFormatException(file, "lacks " + missing.keySet());
    }
  }

  private static List<Long> shape(Parameter parameter) {
    return Arrays.stream(parameter.shape()).boxed().toList();
  }
}
