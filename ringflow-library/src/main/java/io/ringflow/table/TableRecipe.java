package io.ringflow.table;

import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.fit.FitRun;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Rearrangement;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Split;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.train.FitOptions;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How a model of a table is chosen and trained.
 *
 * <p>Small columns are put in the order of their dependencies (Chow and Liu's tree, from its
 * middle), and neighbours become one symbol. Others are put in the order that is {@linkplain
 * CheapestOrder cheapest on held-out rows}, those of many values {@linkplain ColumnParts in two
 * parts}. What one or two columns know of another is counted; a {@link Made} starts there and
 * learns the rest.
 */
final class TableRecipe {
  private static final int MIN_ROWS = 20;
  private static final int ROWS_FOR_ORDER = 100_000;

  /** Combinations of neighbours that one symbol may stand for. */
  private static final int MAX_COMBINATIONS = 256;

  private static final int MAX_TOGETHER = 8;

  /** Of so many positions a sorting layer keeps one, and moves the others. */
  private static final int KEPT_OF = 4;

  private static final int HIDDEN = 512;

  /** Numbers depend on several others smoothly, which one hidden layer learns slowly. */
  private static final int LAYERS_OF_NUMBERS = 2;

  private static final double DROPOUT = 0.5;

  /** Where neighbours share weights there is less to learn by heart. */
  private static final double DROPOUT_OF_NUMBERS = 0.1;

  /** Tables of fewer rows need to be held back from learning them by heart. */
  private static final int SMALL = 20_000;

  private static final int LOOKS = 40;
  private static final int PATIENCE = 8;

  /** A step's share of what a base under a sorting layer knows. */
  private static final double FOLLOWED_SHARE = 0.02;

  private final TableCodec codec;
  private final FitOptions options;
  private final LearnedRows rows;
  private final int[][] train;

  private TableRecipe(TableCodec codec, TableCodec.Encoded encoded, FitOptions options) {
    this.codec = codec;
    this.options = options;
    rows = LearnedRows.of(codec, encoded, options);
    train = rows.train();
  }

  static TableModel train(DataTable table, TableCodec codec, FitOptions options)
      throws IOException {
    if (table.size() < MIN_ROWS) {
      throw new IllegalArgumentException(
          "a table needs at least " + MIN_ROWS + " rows to learn from, but has " + table.size());
    }
    TableCodec.Encoded encoded = codec.encode(table);
    if (encoded.unseenRows() > 0) {
      throw new IllegalArgumentException(
          encoded.unseenRows() + " rows have values that the codec does not know");
    }
    if (codec.missingValues() == MissingValues.SUMMED_OUT
        && options.family() == FitOptions.Family.BIPARTITE) {
      throw new IllegalArgumentException(
          "missing values can be summed out of autoregressive and group models, but this is bipartite");
    }
    return new TableRecipe(codec, encoded, options).run(table);
  }

  private TableModel run(DataTable table) throws IOException {
    Architecture architecture = architecture(rows.observed());
    if (rows.isDrafted()) {
      try (FlowModel draft =
          FlowModel.create(architecture, codec, options.device(), options.seed())) {
        rows.start(draft);
      }
      architecture = architecture(rows.train());
    }
    FlowModel flow =
        new FitRun(
                architecture,
                codec,
                training(architecture),
                rows.batches(),
                rows.validation(),
                rows::validationLoss,
                rows::start,
                model -> rows.metrics(model, deflatedNats(table)))
            .run(options);
    return new TableModel(flow, codec);
  }

  private TrainingOptions training(Architecture architecture) {
    // Enough for small tables to overfit, which validation notices; time ends it for large ones.
    long steps = Math.max(1500, 30L * train.length / LearnedRows.batchSize(train.length));
    boolean small = train.length < SMALL;
    boolean sorting = options.family() == FitOptions.Family.BIPARTITE;
    TrainingOptions.Builder builder =
        TrainingOptions.builder(steps)
            .timeBudget(options.time())
            .learningRate(small ? 5e-3 : 2e-3)
            .dropout(!small && learnsNumbers(architecture) ? DROPOUT_OF_NUMBERS : DROPOUT)
            .weightDecay(small ? 0.3 : 0.02)
            .minimumRate(0.01)
            .warmupSteps(100)
            .logEvery(20)
            .evaluateEvery(Math.max(1, Math.min(100, steps / LOOKS)))
            .patience(PATIENCE)
            .objective(architecture.defaultObjective());
    return sorting ? builder.baseAveraging(FOLLOWED_SHARE).build() : builder.build();
  }

  private static boolean learnsNumbers(Architecture architecture) {
    return architecture.base() instanceof GroupBase base
        && base.network() instanceof Made made
        && !made.scales().isEmpty();
  }

  /**
   * Chooses an architecture.
   *
   * @param counted the rows of training, -1 where a symbol is not to be counted
   */
  private Architecture architecture(int[][] counted) {
    int[][] some = Arrays.copyOf(train, Math.min(train.length, ROWS_FOR_ORDER));
    var parts = new FirstParts(codec.space(), ColumnParts.of(codec, train));
    Optional<Split> split = parts.split();
    int[][] firsts = parts.of(some);
    int[][] observed = split.isPresent() ? firsts : Arrays.copyOf(counted, some.length);
    Space space = parts.space();
    Dependencies known = Dependencies.of(space, observed);
    Order tree = TreeOrder.depthFirst(known.tree());
    int pack = split.isPresent() ? 1 : pack(space.select(tree.positions()));
    // A tree knows no direction, and tables of effects given causes are easier to learn.
    ParentCosts costs = pack > 1 ? null : new ParentCosts(space, observed);
    Order order = parts.wholeFirst(costs == null ? tree : CheapestOrder.of(costs, tree));
    List<Layer> fixed = new ArrayList<>();
    if (pack > 1) {
      fixed.add(new Pack(pack));
    }
    // A column of the data comes from the place that it has in the order.
    fixed.add(new Reorder(parts.all(order).inverse()));
    split.ifPresent(fixed::add);
    int positions = parts.size() / pack;
    Groups groups = groups(positions, pack > 1 ? List.of() : parts.places(order));
    Network network =
        costs == null
            ? network(groups, strongest(space, fixed, firsts), List.of())
            : network(
                groups,
                (i, among) -> cheapest(costs, order, parts, i, among),
                scales(parts, order));
    List<Layer> layers = new ArrayList<>();
    if (options.family() == FitOptions.Family.BIPARTITE && positions > 1) {
      layers.add(new Bipartite(keptOf(positions), network, new Permute()));
    }
    layers.addAll(fixed);
    Base base =
        options.family() == FitOptions.Family.BIPARTITE
            ? new FactorizedBase()
            : new GroupBase(groups, network);
    return new Architecture(codec.space(), Space.NONE, base, layers);
  }

  /**
   * Which positions of the base may be seen by which: those of earlier groups.
   *
   * @param firsts the positions of whole columns and first parts, where not all are; second parts
   *     come after them where groups are larger, as they must see the first ones
   */
  private Groups groups(int positions, List<Integer> firsts) {
    return switch (options.family()) {
      case AUTOREGRESSIVE -> Groups.singles(Order.natural(positions));
      case GROUP -> {
        if (firsts.isEmpty() || firsts.size() == positions) {
          yield Groups.blocks(positions, Math.min(positions, options.passes()));
        }
        int blocks = Math.max(1, Math.min(firsts.size(), options.passes() - 1));
        yield Groups.of(positions, i -> firsts.contains(i) ? firsts.indexOf(i) % blocks : blocks);
      }
      case BIPARTITE ->
          positions == 1
              ? Groups.blocks(1, 1)
              : Groups.of(positions, i -> keptOf(positions).keeps(i) ? 0 : 1);
    };
  }

  private static Mask keptOf(int positions) {
    return Mask.keep(positions, i -> i % KEPT_OF == 0);
  }

  /** Says which positions of the base are a position's parents. */
  @FunctionalInterface
  private interface Parents {
    List<Integer> of(int position, IntPredicate among);
  }

  private static Parents strongest(Space space, List<Layer> fixed, int[][] rows) {
    Rearrangement positions = new Chain(fixed).rearrangement(space).orElseThrow();
    return Dependencies.of(positions.baseSpace(), positions.inverse(rows))::strongest;
  }

  /** The parents that the order was chosen for, where each position is one column or part. */
  private static List<Integer> cheapest(
      ParentCosts costs, Order order, FirstParts parts, int position, IntPredicate among) {
    List<Integer> places = parts.places(order);
    if (!places.contains(position)) {
      return parts.secondParents(order, position, among);
    }
    List<Integer> columns = order.positions();
    return costs.choices(columns.get(places.indexOf(position))).stream()
        .map(
            choice ->
                choice.parents().map(columns::indexOf).mapToObj(places::get).sorted().toList())
        .filter(own -> own.stream().allMatch(among::test))
        .findFirst()
        .orElseThrow();
  }

  /** The scales of whole columns of numbers, by the places they have in an order; empty if none. */
  private List<List<Double>> scales(FirstParts parts, Order order) {
    List<Integer> places = parts.places(order);
    List<List<Double>> scales = new ArrayList<>(Collections.nCopies(parts.size(), List.of()));
    for (int i = 0; i < places.size(); i++) {
      int column = order.positions().get(i);
      if (!parts.isSplit(column)) {
        scales.set(places.get(i), NumberScale.of(codec.columns().get(column)));
      }
    }
    return scales.stream().allMatch(List::isEmpty) ? List.of() : scales;
  }

  private static Network network(Groups groups, Parents parentsOf, List<List<Double>> scales) {
    int[] group = new int[groups.positions()];
    for (int i = 0; i < groups.count(); i++) {
      for (int position : groups.groups().get(i)) {
        group[position] = i;
      }
    }
    List<List<List<Integer>>> direct =
        IntStream.range(0, group.length)
            .mapToObj(i -> parentsOf.of(i, other -> group[other] < group[i]))
            .map(parents -> parents.isEmpty() ? List.<List<Integer>>of() : List.of(parents))
            .toList();
    return new Made(HIDDEN, scales.isEmpty() ? 1 : LAYERS_OF_NUMBERS, direct, scales);
  }

  /** How many neighbours become one symbol: the more, the fewer passes there are. */
  private int pack(Space inOrder) {
    int most =
        switch (options.family()) {
          case AUTOREGRESSIVE -> 3;
          case GROUP -> 6;
          case BIPARTITE -> MAX_TOGETHER;
        };
    return IntStream.iterate(most, n -> n > 1, n -> n - 1)
        .filter(n -> inOrder.size() % n == 0 && inOrder.size() / n > 1 && fits(inOrder, n))
        .findFirst()
        .orElse(1);
  }

  private static boolean fits(Space inOrder, int together) {
    for (int from = 0; from < inOrder.size(); from += together) {
      long combinations = 1;
      for (int d = from; d < from + together; d++) {
        combinations *= inOrder.cardinality(d);
      }
      if (combinations > MAX_COMBINATIONS) {
        return false;
      }
    }
    return true;
  }

  /** Of the rows as text, by the usual compression. */
  private static double deflatedNats(DataTable table) throws IOException {
    var text = new StringWriter();
    table.write(text, ',');
    int bytes = Deflated.of(text.toString().getBytes(StandardCharsets.UTF_8)).length;
    return bytes * Byte.SIZE * Math.log(2) / table.size();
  }
}
