package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.PartSummary;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Checks;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Positions of many symbols as two neighbours of few each: the digits of a code that every symbol
 * has. The opposite of {@link Pack}, for one position at a time.
 *
 * <p>A base that predicts both digits, the second given the first, needs about {@code 2 sqrt(n)}
 * logits for n symbols instead of n, and loses nothing: every pair of digits is a symbol. Symbols
 * that behave alike should have neighbouring codes, so that the first digit tells most of what
 * other positions have to do with them.
 *
 * <p>No network call. Gradients do not pass through it: layers on its data side learn by {@link
 * io.ringflow.core.Objective#LAYERWISE_CROSS_ENTROPY}.
 *
 * @param codes of the positions that are split, in ascending order
 */
@JsonTypeName("split")
public record Split(List<Code> codes) implements Layer {
  /** Checks the order. */
  public Split {
    codes = List.copyOf(codes);
    for (int i = 1; i < codes.size(); i++) {
      Checks.atLeast("position " + i, codes.get(i).position, codes.get(i - 1).position + 1L);
    }
  }

  /**
   * The code of a position's symbols: digits {@code code / radix} and {@code code % radix}.
   *
   * @param position of the data
   * @param radix how many second digits there are; must divide the number of symbols
   * @param symbols all of them, in the order of their codes
   */
  public record Code(int position, int radix, List<Integer> symbols) {
    /** Checks that every symbol has one code. */
    public Code {
      symbols = List.copyOf(symbols);
      Checks.atLeast("position", position, 0);
      Checks.inRange("radix", radix, 1, Math.max(1, symbols.size()));
      if (symbols.size() % radix != 0) {
        throw new IllegalArgumentException(
            "radix must divide the number of symbols, " + symbols.size() + ", but is " + radix);
      }
      boolean[] there = new boolean[symbols.size()];
      for (int symbol : symbols) {
        Checks.inRange("symbol", symbol, 0, there.length - 1L);
        if (there[symbol]) {
          throw new IllegalArgumentException("symbol " + symbol + " has two codes");
        }
        there[symbol] = true;
      }
    }

    /** The code of each symbol. */
    int[] bySymbol() {
      int[] codes = new int[symbols.size()];
      for (int code = 0; code < codes.length; code++) {
        codes[symbols.get(code)] = code;
      }
      return codes;
    }
  }

  @Override
  public Bijection on(Space space, Space condition) {
    for (Code code : codes) {
      Checks.inRange("position", code.position, 0, space.size() - 1L);
      if (code.symbols.size() != space.cardinality(code.position)) {
        throw new IllegalArgumentException(
            String.format(
                "position %d has %d symbols, but there are codes for %d",
                code.position, space.cardinality(code.position), code.symbols.size()));
      }
    }
    return new Bound(codes, rearranged(space));
  }

  @Override
  public boolean stopsGradients() {
    return true;
  }

  @Override
  public PartSummary summary() {
    return new PartSummary(
        "split",
        codes.stream()
            .map(
                code ->
                    code.symbols.size()
                        + " symbols as "
                        + code.symbols.size() / code.radix
                        + " x "
                        + code.radix)
            .collect(Collectors.joining(", ")),
        "",
        "");
  }

  @Override
  public boolean rearranges() {
    return true;
  }

  @Override
  public Optional<Rearrangement> rearrangement(Space space) {
    return Optional.of(rearranged(space));
  }

  private Rearrangement rearranged(Space space) {
    Map<Integer, Code> byPosition = new HashMap<>();
    codes.forEach(code -> byPosition.put(code.position, code));
    List<List<Rearrangement.Digit>> digits = new ArrayList<>();
    for (int d = 0; d < space.size(); d++) {
      Code code = byPosition.get(d);
      if (code == null) {
        digits.add(List.of(Rearrangement.Digit.whole(d, space)));
      } else {
        int first = code.symbols.size() / code.radix;
        digits.add(List.of(new Rearrangement.Digit(d, code.radix, first, code)));
        digits.add(List.of(new Rearrangement.Digit(d, 1, code.radix, code)));
      }
    }
    return new Rearrangement(space, digits);
  }

  private static final class Bound implements Bijection {
    private final Space dataSpace;
    private final Space baseSpace;
    private final Buffer firsts; // [D]: the first base position of each data position
    private final Buffer sources; // [base D]: the data position of each base position
    private final List<BoundCode> codes = new ArrayList<>();

    /** The tables of one position, and where it is. */
    private record BoundCode(
        int data,
        int base,
        int radix,
        Buffer at,
        Buffer first,
        Buffer second,
        Buffer codes,
        Buffer symbols) {}

    Bound(List<Code> codes, Rearrangement positions) {
      dataSpace = positions.dataSpace();
      baseSpace = positions.baseSpace();
      List<Integer> ofBase = positions.sources().stream().map(own -> own.get(0)).toList();
      List<Integer> first = new ArrayList<>();
      for (int d = 0; d < dataSpace.size(); d++) {
        first.add(ofBase.indexOf(d));
      }
      firsts = Buffer.longs(first);
      sources = Buffer.longs(ofBase);
      for (Code code : codes) {
        int base = first.get(code.position);
        int[] bySymbol = code.bySymbol();
        long[] all = new long[bySymbol.length];
        for (int i = 0; i < all.length; i++) {
          all[i] = bySymbol[i];
        }
        this.codes.add(
            new BoundCode(
                code.position,
                base,
                code.radix,
                Buffer.longs(List.of(code.position)),
                Buffer.longs(List.of(base)),
                Buffer.longs(List.of(base + 1)),
                Buffer.longs(all, all.length),
                Buffer.longs(code.symbols)));
      }
    }

    @Override
    public void register(ParameterRegistry registry) {
      registry.buffer(firsts);
      registry.buffer(sources);
      for (BoundCode code : codes) {
        registry.buffer(code.at);
        registry.buffer(code.first);
        registry.buffer(code.second);
        registry.buffer(code.codes);
        registry.buffer(code.symbols);
      }
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
      Tensor ids = base.ids().index_select(1, context.get(firsts)); // [B, D]
      for (BoundCode code : codes) {
        Tensor number =
            base.ids()
                .select(1, code.base)
                .mul(new Scalar((long) code.radix))
                .add(base.ids().select(1, code.base + 1L)); // [B]
        Tensor symbols = context.get(code.symbols).index_select(0, number).unsqueeze(1); // [B, 1]
        ids = ids.index_copy(1, context.get(code.at), symbols);
      }
      return Symbols.of(ids);
    }

    @Override
    public Symbols inverse(Symbols data, EvaluationContext context) {
      if (data.carriesGradient()) {
        throw new IllegalStateException(
            "straight-through gradients do not pass through Split: train the layers on its data"
                + " side by layer-wise cross-entropy");
      }
      Tensor ids = data.ids().index_select(1, context.get(sources)); // [B, base D]
      for (BoundCode code : codes) {
        Tensor number =
            context
                .get(code.codes)
                .index_select(0, data.ids().select(1, code.data))
                .unsqueeze(1); // [B, 1]
        Scalar radix = new Scalar((long) code.radix);
        ids = ids.index_copy(1, context.get(code.first), number.floor_divide(radix));
        ids = ids.index_copy(1, context.get(code.second), number.remainder(radix));
      }
      return data.hasOneHot()
          ? Symbols.withOneHot(ids, baseSpace.maxCardinality())
          : Symbols.of(ids);
    }

    @Override
    public int passes() {
      return 0;
    }
  }
}
