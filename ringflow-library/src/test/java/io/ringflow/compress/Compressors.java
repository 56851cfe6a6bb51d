package io.ringflow.compress;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
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
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Small models to compress with, and files to compress. */
public final class Compressors {
  static final int POSITIONS = 12;
  static final TextCodec CODEC = WildModels.characters(" aeinorst\n€");
  static final Vocabulary LETTERS = CODEC.vocabulary();

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

  /** An untrained model of one of the architectures. */
  static TextModel model(String name, long seed) {
    return model(architectures().get(name), CODEC, seed);
  }

  static TextModel model(Architecture architecture, TextCodec codec, long seed) {
    return new TextModel(FlowModel.create(architecture, codec, Device.CPU, seed), codec);
  }

  /** The part of a model's fingerprint that is kept with what it compressed. */
  static byte[] hash(TextModel model) {
    return Arrays.copyOf(model.flow().fingerprint(), 16);
  }

  /** Makes the checksum at the end right again. */
  static void reseal(byte[] bytes) {
    if (bytes.length >= 4) {
      var crc = new CRC32C();
      crc.update(bytes, 0, bytes.length - 4);
      ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) crc.getValue());
    }
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
    return LETTERS.text(random.ints(length, 0, LETTERS.size()).toArray());
  }
}
