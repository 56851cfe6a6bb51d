package io.ringflow.bench;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.network.Lstm;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.text.Vocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The text models whose speed is measured: those of the paper and of {@code ringflow reproduce
 * passes}, in any size.
 *
 * @param width of the Transformers' vectors
 * @param layers of the autoregressive Transformer; the others' follow from it
 * @param length of a row
 */
record TextArchitectures(int width, int layers, int length) {
  static final int HEADS = 8;

  /** Bipartite layers of the paper's flow. */
  static final int FLOWS = 8;

  private static final int LETTERS = Vocabulary.TEXT8.size();
  private static final int PAIR = 2;
  private static final List<Integer> PASSES = List.of(4, 10, 16, 32);

  TextArchitectures {
    if (width % HEADS != 0) {
      throw new IllegalArgumentException(
          "--width must be a multiple of " + HEADS + ", but is " + width);
    }
    if (length % PAIR != 0) {
      throw new IllegalArgumentException("--length must be even, but is " + length);
    }
  }

  /**
   * A model with what it is called.
   *
   * @param passes network calls of sampling a row
   */
  record Named(String name, int passes, Architecture architecture) {}

  Space space() {
    return Space.uniform(length, LETTERS);
  }

  /** Layers of the Transformer in each bipartite layer. */
  int shallow() {
    return Math.max(1, layers / 4);
  }

  /** Layers of the Transformer that codes. */
  int coding() {
    return Math.max(1, layers * 2 / 3);
  }

  Architecture autoregressive(int depth) {
    return base(transformer(depth));
  }

  /** The paper's flow, with location and scale. */
  Architecture bipartite() {
    Architecture architecture = Architecture.of(space(), new FactorizedBase(null, 3));
    for (int i = 0; i < FLOWS; i++) {
      Mask mask = i % 2 == 0 ? Mask.even(length) : Mask.odd(length);
      architecture =
          architecture.with(new Bipartite(mask, transformer(shallow()), new ShiftScale(1)));
    }
    return architecture;
  }

  /** One autoregressive layer on a factorised base. */
  Architecture autoregressiveLayer() {
    return Architecture.of(space(), new FactorizedBase(null, 3))
        .with(new Autoregressive(Order.natural(length), transformer(coding()), new Shift()));
  }

  String bipartiteName() {
    return "bipartite with scale, " + FLOWS + " x " + depth(shallow());
  }

  String autoregressiveName(int depth) {
    return "autoregressive, " + depth(depth);
  }

  private String depth(int depth) {
    return depth + (depth == 1 ? " layer" : " layers");
  }

  /** What is sampled, by the number of passes. */
  List<Named> sampled() {
    int pairs = length / PAIR;
    List<Named> models = new ArrayList<>();
    Stream.concat(PASSES.stream().filter(passes -> passes < pairs), Stream.of(pairs))
        .forEach(passes -> models.add(new Named("pairs, " + depth(layers), passes, pairs(passes))));
    models.add(new Named(autoregressiveName(layers), length, autoregressive(layers)));
    int hidden = 2 * width;
    models.add(
        new Named("autoregressive LSTM, 2 x " + hidden, length, base(new Lstm(width, hidden, 2))));
    models.add(new Named(bipartiteName(), FLOWS, bipartite()));
    return models;
  }

  /** Growing runs of pairs of letters, as the experiment with passes has them. */
  private Architecture pairs(int passes) {
    Groups groups = Groups.growing(length / PAIR, passes);
    return new Architecture(
        space(), Space.NONE, new GroupBase(groups, transformer(layers)), List.of(new Pack(PAIR)));
  }

  private Architecture base(Network network) {
    return Architecture.of(space(), new AutoregressiveBase(Order.natural(length), network));
  }

  private Network transformer(int depth) {
    return new Transformer(width, depth, HEADS, 4 * width);
  }
}
