package io.ringflow.testing;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Layout;
import io.ringflow.internal.engine.Weights;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Inverse;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.Codec;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One small architecture of every kind, for tests that must hold for all of them: every layer, map,
 * network and base, on uniform and mixed, prime and composite spaces, K = 1 and K = 2 included,
 * conditional and not, alone and stacked. Every space is small enough to enumerate.
 */
public final class Zoo {
  /** An architecture with a name for reports. */
  public record Specimen(String name, Architecture architecture) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A space and what is given with it. */
  public record Setting(Space space, Space condition) {
    public int size() {
      return space.size();
    }

    @Override
    public String toString() {
      return condition.size() == 0 ? space.toString() : space + " given " + condition;
    }
  }

  private static final List<SymbolMap> MAPS = List.of(new Shift(), new ShiftScale());

  /** Of four sites in a square, each sees the two beside it. */
  private static final Network SQUARE =
      LookupTable.of(List.of(List.of(1, 2), List.of(0, 3), List.of(0, 3), List.of(1, 2)));

  /** All see one site, and learn from it together. */
  private static final Network ANCHORED =
      LookupTable.of(Collections.nCopies(4, List.of(2))).sharingRows();

  /** All positions of any space here speak to each other, alone and by twos, for {@link Made}. */
  public static final List<List<List<Integer>>> EVERYBODY =
      Collections.nCopies(
          40,
          IntStream.range(0, 80)
              .mapToObj(i -> i < 40 ? List.of(i) : List.of(i - 40, (i - 39) % 40))
              .toList());

  private Zoo() {}

  /** Every network, small. */
  public static List<Network> networks() {
    return List.of(
        new LookupTable(),
        new LookupTable(1),
        new Made(9, 1),
        new Made(14, 2),
        new Made(9, 1, EVERYBODY),
        new Lstm(4, 5, 1),
        new Lstm(3, 4, 2),
        new Transformer(8, 2, 2, 12));
  }

  /** Every kind of space. */
  public static List<Setting> settings() {
    return List.of(
        new Setting(Space.uniform(3, 5), Space.NONE),
        new Setting(Space.uniform(3, 4), Space.of(3, 2)),
        new Setting(Space.uniform(6, 2), Space.NONE),
        new Setting(Space.of(2, 6, 3, 5), Space.NONE),
        new Setting(Space.of(4, 3, 1), Space.uniform(2, 3)));
  }

  /** All specimens. */
  public static Stream<Specimen> all() {
    return Stream.of(sighted(), blind(), SortingZoo.all(), hiding(), inverses(), latest())
        .flatMap(s -> s);
  }

  /** Those that straight-through gradients run through. */
  static Stream<Specimen> straightThrough() {
    return Stream.of(sighted(), blind(), hiding(), latest()).flatMap(s -> s);
  }

  private static Stream<Specimen> latest() {
    return Stream.of(PatchZoo.all(), OrderedZoo.all(), TorusZoo.all(), NgramZoo.all())
        .flatMap(s -> s);
  }

  /** Those in which every weight matters. */
  static Stream<Specimen> sighted() {
    return Stream.of(singles(), bases(), stacks()).flatMap(s -> s);
  }

  /** Those with a network that sees none, yet has weights to read them with. */
  public static Stream<Specimen> blind() {
    return Stream.of(
        specimen(
            new Setting(Space.uniform(2, 13), Space.NONE),
            new FactorizedBase(),
            new Bipartite(new Mask("00"), new Made(5, 1), new ShiftScale()),
            new Bipartite(Mask.odd(2), new LookupTable(), new ShiftScale())),
        specimen(
            new Setting(Space.of(9), Space.of(4)),
            new FactorizedBase(),
            new Autoregressive(Order.natural(1), new Transformer(8, 1, 2, 8), new Shift())),
        specimen(
            new Setting(Space.of(2, 3, 4, 2), Space.NONE),
            new GroupBase(Groups.blocks(2, 1), new Transformer(8, 1, 2, 8)),
            new Pack(2)));
  }

  /** A second layer moves another symbol, and does not see what became of the first one. */
  private static Stream<Specimen> hiding() {
    return Stream.of(new Made(5, 1), new Lstm(4, 5, 1), new Transformer(8, 2, 2, 12))
        .map(
            network ->
                specimen(
                    new Setting(Space.of(2, 6, 3, 5), Space.of(2)),
                    new FactorizedBase(),
                    new Bipartite(new Mask("1-01"), network, new ShiftScale()),
                    new Bipartite(new Mask("1011"), network, new Shift())));
  }

  /** Layers whose directions are swapped: one, a chain that changes the space, and one twice. */
  private static Stream<Specimen> inverses() {
    return Stream.of(
        specimen(
            new Setting(Space.of(3, 2, 4), Space.of(2)),
            new AutoregressiveBase(Order.natural(3), new Made(9, 1)),
            new Inverse(new Autoregressive(rotated(3), new Lstm(4, 5, 1), new ShiftScale())),
            new Inverse(
                Chain.of(
                    new Reorder(rotated(3)),
                    new Bipartite(Mask.even(3), new Made(9, 1), new Shift()))),
            new Inverse(new Inverse(new Bipartite(Mask.odd(3), new LookupTable(), new Shift())))));
  }

  private static Stream<Specimen> singles() {
    List<Specimen> found = new ArrayList<>();
    for (Setting setting : settings()) {
      for (Network network : networks()) {
        for (SymbolMap map : MAPS) {
          found.addAll(singles(setting, network, map));
        }
      }
      // Of the many logits for a permutation every network makes the same use.
      found.addAll(singles(setting, new LookupTable(), new Sinkhorn()));
      found.addAll(singles(setting, new Made(9, 1), new Sinkhorn()));
    }
    return found.stream();
  }

  static List<Specimen> singles(Setting setting, Network network, SymbolMap map) {
    int size = setting.size();
    return Stream.of(
            new Bipartite(Mask.even(size), network, map),
            new Bipartite(Mask.odd(size), network, map),
            new Autoregressive(Order.natural(size), network, map),
            new Autoregressive(rotated(size), network, map))
        .map(layer -> specimen(setting, new FactorizedBase(), layer))
        .toList();
  }

  private static Stream<Specimen> bases() {
    List<Specimen> found = new ArrayList<>();
    for (Setting setting : settings()) {
      found.add(specimen(setting, new FactorizedBase()));
      for (Network network : networks()) {
        if (setting.condition().size() > 0) {
          found.add(specimen(setting, new FactorizedBase(network)));
        }
        found.add(
            specimen(setting, new AutoregressiveBase(Order.reversed(setting.size()), network)));
        if (!(network instanceof Lstm)) {
          groups(setting.size())
              .forEach(groups -> found.add(specimen(setting, new GroupBase(groups, network))));
        }
      }
    }
    return found.stream();
  }

  /** Two even groups, a large one after a small one, and a small one after a large one. */
  private static Stream<Groups> groups(int size) {
    return Stream.of(
        Groups.blocks(size, 2),
        Groups.cut(Order.reversed(size), 1, size - 1),
        Groups.cut(rotated(size), size - 1, 1));
  }

  private static Stream<Specimen> stacks() {
    return Stream.concat(
        settings().stream().flatMap(Zoo::stacksOn),
        Stream.of(
            specimen(
                new Setting(Space.uniform(2, 13), Space.NONE),
                new FactorizedBase(),
                new Bipartite(Mask.even(2), new Made(5, 1), new ShiftScale()),
                new Bipartite(Mask.odd(2), new LookupTable(), new ShiftScale())),
            specimen(
                new Setting(Space.uniform(3, 12), Space.NONE),
                new AutoregressiveBase(Order.of(1, 2, 0), new Lstm(4, 5, 1)),
                new Autoregressive(Order.of(2, 0, 1), new Made(12, 1), new ShiftScale())),
            specimen(
                new Setting(Space.of(3, 2, 4), Space.of(2, 2)),
                new AutoregressiveBase(Order.of(1, 2, 0), new Lstm(4, 5, 1), 1.5),
                new Autoregressive(Order.of(2, 0, 1), new Made(9, 1), new ShiftScale(1.5)),
                new Bipartite(Mask.even(3), new Made(9, 1), new Shift(1.5))),
            specimen(
                new Setting(Space.of(3, 2), Space.of(4)), new FactorizedBase(new LookupTable(), 2)),
            specimen(
                new Setting(Space.uniform(4, 3), Space.NONE),
                new FactorizedBase(null, 0.5),
                new Autoregressive(Order.of(2, 0, 3, 1), SQUARE, new ShiftScale()),
                new Bipartite(Mask.odd(4), SQUARE, new Shift())),
            specimen(
                new Setting(Space.uniform(4, 3), Space.of(2)),
                new FactorizedBase(),
                new Autoregressive(Order.of(2, 0, 3, 1), ANCHORED, new ShiftScale()),
                new Bipartite(Mask.odd(4), ANCHORED, new Shift())),
            specimen(
                new Setting(Space.of(4, 7), Space.NONE),
                new FactorizedBase(),
                new Bipartite(new Mask("00"), new Lstm(3, 4, 1), new Shift())),
            specimen(
                new Setting(Space.uniform(6, 2), Space.NONE),
                new GroupBase(Groups.midpoints(3), new Transformer(8, 1, 2, 8)),
                new Bipartite(Mask.even(3), new Made(9, 1), new Shift()),
                new Pack(2)),
            // As tables are modelled: columns in another order, neighbours as one symbol.
            specimen(
                new Setting(Space.of(2, 3, 7, 1, 2, 4), Space.NONE),
                new GroupBase(Groups.blocks(3, 2), new Made(12, 1, EVERYBODY)),
                new Pack(2),
                new Reorder(rotated(6))),
            specimen(
                new Setting(Space.of(1, 1, 3, 1), Space.of(2, 1)),
                new AutoregressiveBase(rotated(4), new Made(8, 1, EVERYBODY)),
                new Bipartite(Mask.odd(4), new Made(6, 1, EVERYBODY), new Shift())),
            specimen(
                new Setting(Space.of(3, 2, 4), Space.of(2, 2)),
                new AutoregressiveBase(Order.of(1, 2, 0), new Made(9, 1)),
                new Autoregressive(Order.of(2, 0, 1), new LookupTable(), new Sinkhorn(3)),
                new Bipartite(Mask.even(3), new Made(9, 1), new Sinkhorn(5)),
                new Bipartite(Mask.odd(3), new Lstm(3, 4, 1), new ShiftScale())),
            readers(new Setting(Space.uniform(3, 4), Space.uniform(6, 3))),
            readers(new Setting(Space.of(2, 3, 5), Space.of(3, 2, 4, 3, 2, 4)))));
  }

  /** Networks that read two sequences, before the data and alongside it. */
  private static Specimen readers(Setting setting) {
    Network before = new Lstm(4, 6, 2, new Lstm.ConditionReading(2, false));
    Network alongside = new Lstm(4, 6, 1, new Lstm.ConditionReading(2, true));
    int size = setting.size();
    return specimen(
        setting,
        new AutoregressiveBase(Order.natural(size), before),
        new Autoregressive(rotated(size), alongside, new ShiftScale()),
        new Bipartite(Mask.odd(size), alongside, new Shift()));
  }

  private static Stream<Specimen> stacksOn(Setting setting) {
    int size = setting.size();
    Order rotated = rotated(size);
    Layer even = new Bipartite(Mask.even(size), new Made(9, 1), new ShiftScale());
    Layer odd = new Bipartite(Mask.odd(size), new Lstm(3, 4, 1), new ShiftScale());
    return Stream.of(
        specimen(
            setting,
            new AutoregressiveBase(Order.natural(size), new Lstm(4, 5, 1)),
            new Autoregressive(Order.natural(size), new Transformer(8, 1, 2, 8), new ShiftScale()),
            new Autoregressive(Order.reversed(size), new Lstm(4, 5, 1), new Shift())),
        specimen(
            setting,
            new FactorizedBase(),
            even,
            odd,
            new Bipartite(Mask.even(size), new Transformer(8, 1, 2, 8), new Shift()),
            new Bipartite(Mask.odd(size), new LookupTable(1), new ShiftScale())),
        specimen(
            setting,
            new AutoregressiveBase(rotated, new Made(9, 1)),
            Chain.of(odd, new Reorder(rotated)),
            new Autoregressive(rotated, new LookupTable(), new ShiftScale()),
            new Reorder(rotated),
            even));
  }

  /** 1, 2, …, 0: neither itself nor its own inverse once there are three. */
  static Order rotated(int size) {
    return new Order(IntStream.range(0, size).mapToObj(i -> (i + 1) % size).toList());
  }

  static Specimen specimen(Setting setting, Base base, Layer... layers) {
    Architecture architecture =
        new Architecture(setting.space(), setting.condition(), base, List.of(layers));
    return new Specimen(setting + " " + base + " " + List.of(layers), architecture);
  }

  /**
   * A model of which no weight is small, so that its networks choose differently from row to row.
   */
  public static FlowModel wild(Architecture architecture) {
    return wild(architecture, null);
  }

  /** The same model of symbols that stand for something. */
  public static FlowModel wild(Architecture architecture, Codec codec) {
    FlowModel model = FlowModel.create(architecture, codec, Device.CPU, 1);
    NgramZoo.count(model);
    scramble(Models.weights(model));
    return model;
  }

  /** The weights of a single part, scrambled. */
  public static Weights wild(Module part) {
    Weights weights = Weights.initial(Layout.of(List.of(part), nothing -> {}), Device.CPU, 1);
    scramble(weights);
    return weights;
  }

  /** Overwrites every parameter with random numbers of order one, always the same. */
  private static void scramble(Weights weights) {
    var random = new SplittableRandom(7);
    try (Scope scope = Scope.inference()) {
      for (Parameter parameter : weights.parameters().values()) {
        double[] values = new double[Math.toIntExact(parameter.elements())];
        // Biases must not drown what the input says.
        double deviation = parameter.shape().length == 1 ? 0.7 : 2;
        Arrays.setAll(values, i -> deviation * random.nextGaussian());
        weights
            .get(parameter)
            .copy_(Tensors.reals(values, weights.precision(), weights.device(), parameter.shape()));
      }
    }
  }

  /**
   * What may be given with {@code rows} rows: the same row for all of them, once for each row there
   * is; for an unconditional model, nothing, once.
   */
  public static List<int[][]> contexts(Space condition, int rows) {
    if (condition.size() == 0) {
      return Collections.singletonList(new int[0][]);
    }
    return Arrays.stream(condition.enumerate())
        .map(row -> Collections.nCopies(rows, row).toArray(int[][]::new))
        .toList();
  }

  /** Given rows as a network reads them; in the caller's scope. */
  public static Condition condition(Space condition, int[][] rows) {
    return condition.size() == 0
        ? Condition.NONE
        : new Condition(Tensors.ids(rows, condition.size(), Device.CPU));
  }
}
