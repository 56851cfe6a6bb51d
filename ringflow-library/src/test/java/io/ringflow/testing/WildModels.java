package io.ringflow.testing;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.Presets;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import io.ringflow.train.FitOptions.Family;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Models of tables and texts that learned nothing: any weights are as good for what must hold. */
public final class WildModels {
  /** Small, with everything that a table may have: rare values, missing ones, numbers in bins. */
  public static final DataTable TABLE =
      DataTable.of(
          List.of("city", "size", "of", "kind"),
          List.of(
              List.of("Rome", "1.5", "x", "a"),
              List.of("Rome", "2", "x", "b"),
              List.of("Oslo", "2.25", "x", "a"),
              List.of("Oslo", "3", "x", ""),
              List.of("Lima", "7", "x", "NA"),
              List.of("Bonn", "8.5", "x", "a"),
              List.of("Kiel", "", "x", "b")));

  static final CodecOptions OPTIONS = new CodecOptions(5, 3, 2, List.of("", "NA"));

  private static final Made NETWORK = new Made(16, 1, Zoo.EVERYBODY);

  private WildModels() {}

  public static TableModel table(Family family) {
    return table(family, TABLE, OPTIONS);
  }

  /** A model of a table of four columns. */
  public static TableModel table(Family family, DataTable table, CodecOptions options) {
    TableCodec codec = TableCodec.fit(table, options);
    Order order = Order.of(2, 0, 3, 1);
    Architecture architecture =
        switch (family) {
          case AUTOREGRESSIVE ->
              new Architecture(
                  codec.space(),
                  Space.NONE,
                  new AutoregressiveBase(Order.natural(4), NETWORK),
                  List.of(new Reorder(order)));
          case GROUP ->
              new Architecture(
                  codec.space(),
                  Space.NONE,
                  new GroupBase(Groups.blocks(2, 2), NETWORK),
                  List.of(new Pack(2), new Reorder(order)));
          case BIPARTITE ->
              new Architecture(
                  codec.space(),
                  Space.NONE,
                  new FactorizedBase(),
                  List.of(new Bipartite(Mask.even(4), NETWORK, new Permute()), new Reorder(order)));
        };
    return new TableModel(Zoo.wild(architecture, codec), codec);
  }

  /** How characters become symbols, each of which occurs more often than the one before. */
  public static TextCodec characters(String characters) {
    Vocabulary vocabulary = Vocabulary.of(characters);
    return new TextCodec(Unit.CHARACTERS, vocabulary, counts(vocabulary));
  }

  /** How bytes become symbols. */
  public static TextCodec bytes() {
    return new TextCodec(Unit.BYTES, Vocabulary.BYTES, counts(Vocabulary.BYTES));
  }

  private static List<Long> counts(Vocabulary vocabulary) {
    return LongStream.range(0, vocabulary.size()).boxed().toList();
  }

  /** A model of a text. */
  public static TextModel text(Architecture architecture, TextCodec codec) {
    return new TextModel(Zoo.wild(architecture, codec), codec);
  }

  /**
   * Every kind of model of a text of two letters, in pieces of so many: those whose names begin
   * with "left to right" sample letter after letter.
   *
   * @param length even, at least 4
   */
  public static Map<String, Architecture> ofTwoLetters(int length) {
    Space space = Space.uniform(length, 2);
    Order natural = Order.natural(length);
    Made made = new Made(9, 1);
    Transformer transformer = new Transformer(8, 1, 2, 8);
    Base independent = new FactorizedBase();
    Map<String, Architecture> all = new LinkedHashMap<>();
    for (Network network : List.of(new Lstm(4, 5, 1), transformer, made)) {
      String name = network.getClass().getSimpleName();
      all.put("left to right, " + name, of(space, new AutoregressiveBase(natural, network)));
    }
    all.put("right to left", of(space, new AutoregressiveBase(Order.reversed(length), made)));
    all.put("independent", of(space, independent));
    for (int passes = 2; passes < length; passes++) {
      Groups groups = Groups.growing(length, passes);
      all.put(passes + " groups", of(space, new GroupBase(groups, transformer)));
    }
    all.put("midpoints", of(space, new GroupBase(Groups.midpoints(length), made)));
    for (int passes = 1; passes <= length / 2; passes++) {
      GroupBase base = new GroupBase(Groups.growing(length / 2, passes), transformer);
      all.put(passes + " groups of pairs", of(space, base, new Pack(2)));
      all.put(
          passes + " groups of pairs that are no neighbours",
          of(space, base, new Pack(2), new Reorder(alternating(length))));
    }
    for (int passes = 1; passes <= length; passes++) {
      String name = (passes == length ? "left to right, within " : "within ") + passes;
      all.put(name, Presets.within(passes, space, made));
    }
    for (SymbolMap map : List.of(new Permute(), new Shift())) {
      String name = map.getClass().getSimpleName();
      all.put(name, of(space, independent, new Bipartite(Mask.even(length), made, map)));
      all.put(
          name + " over left to right",
          of(
              space,
              new AutoregressiveBase(natural, made),
              new Bipartite(Mask.odd(length), made, map)));
      all.put(
          name + " of pairs",
          of(space, independent, new Bipartite(Mask.even(length / 2), made, map), new Pack(2)));
      all.put(
          name + " before pairs",
          of(space, independent, new Pack(2), new Bipartite(Mask.odd(length), made, map)));
    }
    return all;
  }

  private static Architecture of(Space space, Base base, Layer... layers) {
    return new Architecture(space, Space.NONE, base, List.of(layers));
  }

  /** The first half of the positions and the second half, in turn. */
  private static Order alternating(int size) {
    return new Order(IntStream.range(0, size).mapToObj(i -> i / 2 + (i % 2) * (size / 2)).toList());
  }

  /** A model of pieces of nine symbols. */
  public static TextModel text(TextCodec codec) {
    Space space = Space.uniform(9, codec.vocabulary().size());
    return text(
        Architecture.of(space, new AutoregressiveBase(Order.natural(9), new Lstm(4, 6, 1))), codec);
  }
}
