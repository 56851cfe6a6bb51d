package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * Neighbouring symbols as one of a larger alphabet: {@code n} symbols on the data's side are one
 * symbol on the base's, a number in mixed radix whose last digit is the last of them.
 *
 * <p>What comes before it on the base's side then predicts them jointly, in one pass, with a
 * probability for each combination. Pairs of 27 letters are 729 symbols: a model that samples them
 * in S passes loses about as little as one that samples letters in 2S.
 *
 * <p>No network call. Gradients do not pass through it: layers on its data side learn by {@link
 * io.ringflow.core.Objective#LAYERWISE_CROSS_ENTROPY}.
 *
 * @param size how many neighbours are one symbol; must divide the number of positions
 */
@JsonTypeName("pack")
public record Pack(int size) implements Layer {
  /** The most symbols a position of the base may have. */
  private static final long LIMIT = 1 << 20;

  /** Checks the size. */
  public Pack {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, but is " + size);
    }
  }

  @Override
  public Bijection on(Space space, Space condition) {
    if (space.size() % size != 0) {
      throw new IllegalArgumentException(
          "packing "
              + size
              + " at a time needs a multiple of as many positions, but the space has "
              + space.size());
    }
    List<Integer> packed = new ArrayList<>();
    long[] strides = new long[space.size()];
    for (int first = 0; first < space.size(); first += size) {
      long combinations = 1;
      for (int d = first + size - 1; d >= first; d--) {
        strides[d] = combinations;
        combinations *= space.cardinality(d);
        if (combinations > LIMIT) {
          throw new IllegalArgumentException(
              "packing "
                  + size
                  + " positions from "
                  + first
                  + " on makes more than "
                  + LIMIT
                  + " symbols");
        }
      }
      packed.add((int) combinations);
    }
    return new Bound(space, new Space(packed), size, strides);
  }

  /** Of one position at a time, itself; else no layer, as a symbol does not tell its digits. */
  @Override
  public Layer inverted() {
    return size == 1 ? this : new Inverse(this);
  }

  @Override
  public boolean stopsGradients() {
    return true;
  }

  @Override
  public PartSummary summary() {
    return new PartSummary("pack", size + " neighbours as one", "", "");
  }

  @Override
  public boolean rearranges() {
    return true;
  }

  @Override
  public Optional<Rearrangement> rearrangement(Space space) {
    return Optional.of(
        Rearrangement.of(
            space,
            IntStream.range(0, space.size() / size)
                .mapToObj(pack -> IntStream.range(pack * size, (pack + 1) * size).boxed().toList())
                .toList()));
  }

  private static final class Bound implements Bijection {
    private final Space dataSpace;
    private final Space baseSpace;
    private final int size;
    private final Buffer strides; // [D / n, n]
    private final Buffer cardinalities; // [D / n, n]

    Bound(Space dataSpace, Space baseSpace, int size, long[] strides) {
      long[] shape = {baseSpace.size(), size};
      this.dataSpace = dataSpace;
      this.baseSpace = baseSpace;
      this.size = size;
      this.strides = Buffer.longs(strides, shape);
      this.cardinalities =
          Buffer.longs(
              dataSpace.cardinalities().stream().mapToLong(Integer::longValue).toArray(), shape);
    }

    @Override
    public void register(ParameterRegistry registry) {
      registry.buffer(strides);
      registry.buffer(cardinalities);
    }

    @Override
    public Space dataSpace() {
      return dataSpace;
    }

    @Override
    public Space baseSpace() {
      return baseSpace;
    }

    @Override
    public Symbols forward(Symbols base, EvaluationContext context) {
      Tensor digits =
          base.ids()
              .unsqueeze(-1)
              .floor_divide(context.get(strides))
              .remainder(context.get(cardinalities)); // [B, D / n, n]
      return Symbols.of(digits.flatten(1, 2));
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      Tensor digits = data.ids().view(data.ids().size(0), -1, size); // [B, D / n, n]
      Tensor packed = digits.mul(context.get(strides)).sum(-1);
      if (data.carriesGradient()) {
        throw new IllegalStateException(
            "straight-through gradients do not pass through Pack: train the layers on its data"
                + " side by layer-wise cross-entropy");
      }
      return data.hasOneHot()
          ? Symbols.withOneHot(packed, baseSpace.maxCardinality())
          : Symbols.of(packed);
    }

    @Override
    public int passes() {
      return 0;
    }
  }
}
