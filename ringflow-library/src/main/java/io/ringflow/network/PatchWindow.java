package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/**
 * What is known next to each patch before it is predicted: the symbols of its nearest neighbours on
 * both sides, of earlier groups, as {@link PatchFeatures} side by side. Attention could find them
 * too, but would have to learn first where to look.
 */
final class PatchWindow implements Module {
  private final int neighbours;
  private final int width;
  private final Buffer sources; // [T * neighbours]: the place of each in order; T if not known

  /**
   * The neighbours of patches.
   *
   * @param groups of patches
   * @param reach how far they are to the left and to the right; 0 for none
   * @param width of the features of a patch
   */
  PatchWindow(Groups groups, int reach, int width) {
    this.neighbours = 2 * reach;
    this.width = width;
    int size = groups.positions();
    int[] order = groups.order().positions().stream().mapToInt(Integer::intValue).toArray();
    int[] groupOf = groups.inOrder();
    int[] placeOf = new int[size];
    for (int place = 0; place < size; place++) {
      placeOf[order[place]] = place;
    }
    long[] found = new long[size * neighbours];
    Arrays.fill(found, size);
    for (int place = 0; place < size; place++) {
      for (int i = 0; i < neighbours; i++) {
        int position = order[place] + (i < reach ? i - reach : i - reach + 1);
        if (position >= 0 && position < size && groupOf[placeOf[position]] < groupOf[place]) {
          found[place * neighbours + i] = placeOf[position];
        }
      }
    }
    this.sources = Buffer.longs(found, found.length);
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (neighbours > 0) {
      registry.buffer(sources);
    }
  }

  /** The width of a patch's window; 0 where there is none. */
  int width() {
    return neighbours * width;
  }

  /**
   * The windows of the patches {@code from … from + count - 1}, {@code [B, count, width]}.
   *
   * @param hot the features of all patches in order; those of unknown ones are not looked at
   */
  Tensor of(Tensor hot, long from, long count, EvaluationContext context) {
    Tensor nothing = Tensors.zeros(hot, hot.size(0), 1, width);
    Tensor index = context.get(sources).narrow(0, from * neighbours, count * neighbours);
    return Tensors.cat(1, hot, nothing)
        .index_select(1, index)
        .view(hot.size(0), count, width());
  }
}
