package io.ringflow.compress;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.text.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small models to compress with, and files to compress. */
public final class Compressors {
  static final int POSITIONS = 12;
  static final Vocabulary LETTERS = Vocabulary.of(" aeinorst\n€", "end");
  static final ByteText TEXT = ByteText.of(LETTERS);

  private Compressors() {}

  /** One for every kind of base and layer, by name. */
  public static Map<String, Architecture> architectures() {
    Made made = new Made(24, 1);
    Order order = Order.reversed(POSITIONS);
    Transformer transformer = new Transformer(8, 1, 2, 12);
    Map<String, Architecture> all = new LinkedHashMap<>();
    all.put("factorised", of(new FactorizedBase()));
    all.put("lstm", of(new AutoregressiveBase(Order.natural(POSITIONS), new Lstm(4, 6, 1))));
    all.put("made", of(new AutoregressiveBase(order, made)));
    all.put("transformer", of(new AutoregressiveBase(Order.natural(POSITIONS), transformer)));
    all.put("growing", of(new GroupBase(Groups.growing(POSITIONS, 4), transformer)));
    all.put("pairs", of(new FactorizedBase(), new Pack(2)));
    all.put(
        "packed",
        of(
            new GroupBase(Groups.growing(POSITIONS / 2, 3), transformer),
            new Reorder(Order.reversed(POSITIONS / 2)),
            new Pack(2)));
    all.put(
        "moving",
        of(
            new AutoregressiveBase(order, made),
            new Bipartite(Mask.even(POSITIONS), made, new Shift()),
            new Bipartite(Mask.odd(POSITIONS), made, new Permute())));
    return all;
  }

  private static Architecture of(io.ringflow.base.Base base, Layer... layers) {
    Space space = Space.uniform(POSITIONS, LETTERS.size());
    return new Architecture(space, Space.NONE, base, List.of(layers));
  }

  /** A hash that stands for a model. */
  static byte[] hash(int number) {
    byte[] hash = new byte[32];
    hash[3] = (byte) number;
    return hash;
  }

  static Compressor compressor(FlowModel model) {
    return new Compressor(model, TEXT, hash(1));
  }

  /** Every kind of file, by name. */
  static Map<String, byte[]> files() {
    var random = new SplittableRandom(5);
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("empty", new byte[0]);
    all.put("one byte", new byte[] {'a'});
    all.put("one byte beyond", new byte[] {'x'});
    all.put("all bytes", bytes256());
    byte[] noise = new byte[500];
    random.nextBytes(noise);
    all.put("random", noise);
    all.put("zeros", new byte[3000]);
    all.put("not UTF-8", new byte[] {'a', (byte) 0xE2, (byte) 0x82, 'a', (byte) 0xC0, -1, 'a'});
    all.put("surrogates", new byte[] {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80, ' ', 'a'});
    all.put("beyond", text(40, random).concat("QUIZ 漢字 😀 €").getBytes(StandardCharsets.UTF_8));
    for (int rows : new int[] {1, 9}) {
      for (int more = -1; more <= 1; more++) {
        int length = POSITIONS * rows + more;
        all.put("letters " + length, text(length, random).getBytes(StandardCharsets.UTF_8));
      }
    }
    return all;
  }

  static byte[] bytes256() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    return all;
  }

  /** Letters of the vocabulary, without any pattern. */
  static String text(int length, SplittableRandom random) {
    int letters = LETTERS.size() - LETTERS.specials().size();
    return LETTERS.text(random.ints(length, 0, letters).toArray());
  }

  /** The bytes of rows; the special, which they can't have, is a space there. */
  static byte[] bytes(int[][] rows) {
    var text = new StringBuilder();
    for (int[] row : rows) {
      for (int id : row) {
        text.appendCodePoint(Math.max(' ', LETTERS.codePoint(id)));
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
