package io.ringflow.layer;

import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Maps of symbols as dense products of one-hots, as the paper writes them: slow, and plain. */
final class DenseForms {
  static final double TEMPERATURE = 0.7;

  private DenseForms() {}

  static Tensor shifted(Tensor oneHot, Tensor logits, int k, int width) {
    Tensor y = oneHot.narrow(-1, 0, k);
    Tensor m = straightThrough(logits.narrow(-1, 0, k)); // [B, K]
    // z_j = sum_c m_c y_(j+c)
    return correlate(y, m, k, allBelow(k), (j, c) -> j + c);
  }

  static Tensor shiftedAndScaled(Tensor oneHot, Tensor logits, int k, int width) {
    Tensor z = shifted(oneHot, logits, k, width);
    List<Integer> units = allBelow(k).stream().filter(c -> Units.inverse(c, k) >= 0).toList();
    Tensor offered = index(units.stream().mapToInt(c -> c + width).toArray());
    Tensor p = straightThrough(logits.index_select(-1, offered)); // [B, units]
    // x_j = sum_c p_c z_(cj)
    return correlate(z, p, k, units, (j, c) -> j * c);
  }

  static Tensor permuted(Tensor oneHot, Tensor logits, int k, int width, int iterations) {
    Tensor corner = logits.view(-1, width, width).narrow(1, 0, k).narrow(2, 0, k); // [B, K, K]
    Tensor soft = corner.div(new Scalar(TEMPERATURE)).exp();
    for (int i = 0; i < iterations; i++) {
      soft = soft.div(soft.sum(-1).unsqueeze(-1));
      soft = soft.div(soft.sum(-2).unsqueeze(-2));
    }
    int[][] images = new int[(int) corner.size(0)][];
    for (int row = 0; row < images.length; row++) {
      double[] flat = Tensors.toDoubles(corner.select(0, row).transpose(0, 1)); // [i, j]
      double[][] wishes = new double[k][];
      Arrays.setAll(wishes, i -> Arrays.copyOfRange(flat, i * k, (i + 1) * k));
      images[row] = Assignment.best(wishes);
    }
    Tensor toBase = Tensors.ids(images, k, Device.CPU);
    Tensor hard = Tensors.oneHot(toBase, k, ScalarType.Double).transpose(1, 2); // [B, j, i]
    Tensor p = hard.add(Tensors.gradientOnly(soft));
    // z_j = sum_i p_ji y_i
    return p.matmul(oneHot.narrow(-1, 0, k).unsqueeze(-1)).squeeze(-1);
  }

  @FunctionalInterface
  interface Combination {
    int of(int j, int c);
  }

  /** {@code out_j = sum_c weights_c values_(combination of j and c mod k)}. */
  static Tensor correlate(
      Tensor values, Tensor weights, int k, List<Integer> choices, Combination combination) {
    int[] source = new int[k * choices.size()];
    for (int j = 0; j < k; j++) {
      for (int c = 0; c < choices.size(); c++) {
        source[j * choices.size() + c] = combination.of(j, choices.get(c)) % k;
      }
    }
    Tensor cube = values.index_select(-1, index(source)).view(-1, k, choices.size());
    return cube.mul(weights.unsqueeze(1)).sum(-1);
  }

  static Tensor straightThrough(Tensor logits) {
    Tensor soft = logits.div(new Scalar(TEMPERATURE)).softmax(-1);
    Tensor hard = Tensors.oneHot(Tensors.argmax(logits), logits.size(-1), ScalarType.Double);
    return hard.add(Tensors.gradientOnly(soft));
  }

  static List<Integer> allBelow(int k) {
    return Order.natural(k).positions();
  }

  static Tensor index(int... values) {
    return Tensors.ids(new int[][] {values}, values.length, Device.CPU).squeeze(0);
  }
}
