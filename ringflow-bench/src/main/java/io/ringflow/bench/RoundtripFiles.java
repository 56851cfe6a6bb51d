package io.ringflow.bench;

import io.ringflow.bench.FileKind.Family;
import io.ringflow.compress.Compressor;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Files to compress and get back: in turn a random one, an adversarial one and a real one, and of
 * each family its kinds in turn.
 *
 * <p>Texts are what the model samples: the files that it is best at, and so codes by itself.
 */
final class RoundtripFiles {
  private static final int MAX_LENGTH = 20_000;
  private static final int MAX_SYMBOLS = 5;
  private static final int DRAWN_PIECES = 8;
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /** A lone continuation, one too long, one cut short, bytes that never are, one too large. */
  private static final byte[][] INVALID = {
    {(byte) 0x80},
    {(byte) 0xC0, (byte) 0x80},
    {(byte) 0xE2, (byte) 0x82},
    {(byte) 0xFF, (byte) 0xFE},
    {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80}
  };

  private final TextModel model;
  private final RealPieces real;
  private final RandomGenerator random;
  private final String text; // sampled by the model
  private int made;

  RoundtripFiles(TextModel model, RealPieces real, long seed) {
    this.model = model;
    this.real = real;
    this.random = new SplittableRandom(seed);
    this.text = String.join("", model.sample(DRAWN_PIECES, seed));
  }

  /** A file, and what it is like. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Made(FileKind kind, byte[] bytes) {}

  /** The next one. */
  Made next() throws IOException {
    Family[] families = Family.values();
    List<FileKind> kinds = families[made % families.length].kinds();
    FileKind kind = kinds.get(made / families.length % kinds.size());
    made++;
    return new Made(kind, bytes(kind));
  }

  private byte[] bytes(FileKind kind) throws IOException {
    return switch (kind) {
      case UNIFORM_BYTES -> randomBytes(random.nextInt(MAX_LENGTH + 1));
      case FEW_BYTES -> few(randomBytes(1 + random.nextInt(MAX_SYMBOLS)));
      case FEW_CHARACTERS -> fewCharacters();
      case EMPTY -> new byte[0];
      case ONE_BYTE -> randomBytes(1);
      case ALL_BYTES -> allBytes();
      case LONG_RUNS -> longRuns();
      case INVALID_UTF8 -> textWith(INVALID[random.nextInt(INVALID.length)]);
      case SURROGATES ->
          textWith(concatenated(surrogate(), random.nextBoolean() ? surrogate() : new byte[0]));
      case BYTE_ORDER_MARK -> concatenated(MARK, textWith(MARK));
      case NULS -> textWith(new byte[1 + random.nextInt(100)]);
      case COMPRESSED -> new Compressor(model).compress(text());
      case AROUND_A_PIECE -> aroundAPiece();
      case UNKNOWN_CHARACTERS -> unknownCharacters();
      case REAL -> real.piece(MAX_LENGTH, random);
    };
  }

  private byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] few(byte[] symbols) {
    byte[] bytes = new byte[random.nextInt(MAX_LENGTH + 1)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = symbols[random.nextInt(symbols.length)];
    }
    return bytes;
  }

  private byte[] fewCharacters() {
    Vocabulary vocabulary = model.codec().vocabulary();
    int[] some = random.ints(1 + random.nextInt(MAX_SYMBOLS), 0, vocabulary.size()).toArray();
    int[] ids =
        random.ints(random.nextInt(MAX_LENGTH + 1), 0, some.length).map(i -> some[i]).toArray();
    return vocabulary
        .text(ids)
        .getBytes(ofBytes() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  private byte[] allBytes() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    for (int i = bytes.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      byte other = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = other;
    }
    return bytes;
  }

  private byte[] longRuns() {
    byte[] all = new byte[0];
    for (int run = 1 + random.nextInt(3); run > 0; run--) {
      byte[] same = new byte[MAX_LENGTH / 10 + random.nextInt(MAX_LENGTH / 5)];
      Arrays.fill(same, randomBytes(1)[0]);
      all = concatenated(all, same);
    }
    return all;
  }

  /** Either half of a pair, as three bytes. */
  private byte[] surrogate() {
    int half = Character.MIN_SURROGATE + random.nextInt(2048);
    return new byte[] {
      (byte) 0xED, (byte) (0x80 | ((half >> 6) & 0x3F)), (byte) (0x80 | (half & 0x3F))
    };
  }

  /** The beginning of the model's text, at least half of it. */
  private byte[] text() {
    int[] symbols = text.codePoints().toArray();
    int count = symbols.length / 2 + random.nextInt(symbols.length / 2 + 1);
    return new String(symbols, 0, count).getBytes(StandardCharsets.UTF_8);
  }

  /** Such a text, with something somewhere inside, once or often. */
  private byte[] textWith(byte[] something) {
    byte[] bytes = text();
    for (int times = 1 + random.nextInt(20); times > 0; times--) {
      int at = random.nextInt(bytes.length + 1);
      bytes =
          concatenated(
              Arrays.copyOf(bytes, at), something, Arrays.copyOfRange(bytes, at, bytes.length));
    }
    return bytes;
  }

  private byte[] aroundAPiece() {
    int symbols = model.length() * (1 + random.nextInt(3)) + random.nextInt(3) - 1;
    if (ofBytes()) {
      return Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), symbols);
    }
    int[] symbolsOfText = text.codePoints().toArray();
    return new String(symbolsOfText, 0, symbols).getBytes(StandardCharsets.UTF_8);
  }

  private byte[] unknownCharacters() {
    Vocabulary vocabulary = model.codec().vocabulary();
    int[] unknown =
        random
            .ints(0, Character.MAX_CODE_POINT + 1)
            .filter(c -> vocabulary.id(c) < 0)
            .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            .limit(random.nextInt(MAX_LENGTH / 4))
            .toArray();
    return new String(unknown, 0, unknown.length).getBytes(StandardCharsets.UTF_8);
  }

  private boolean ofBytes() {
    return model.codec().unit() == Unit.BYTES;
  }

  private static byte[] concatenated(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
