package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.store.Sha256;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The frame around compressed bytes: format version, method, length and checksums.
 *
 * <pre>
 *   4 bytes  F1 'R' 'F' 'C'
 *   1        version: the first that knows the method
 *   1        method
 *   1 to 5   length of the original
 *   8        the first bytes of the original's SHA-256
 *   …        the body, in the format of the method
 *   4        CRC-32C of all bytes before
 * </pre>
 *
 * <p>What is too long for one container is a {@linkplain PartWriter series of parts}.
 *
 * <p>The CRC finds nearly all damage before anything is decompressed. The SHA-256 finds the rest,
 * and a model that computes other probabilities than when it compressed.
 */
public final class Container {
  /** The newest version that can be read. */
  static final int VERSION = 7;

  static final byte[] MAGIC = {(byte) 0xF1, 'R', 'F', 'C'};
  static final int CHECKSUM_BYTES = 8;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 64; // the longest array

  private final Method method;
  private final int length;
  private final byte[] checksum;
  private final ByteReader body;

  private Container(Method method, int length, byte[] checksum, ByteReader body) {
    this.method = method;
    this.length = length;
    this.checksum = checksum;
    this.body = body;
  }

  /** How the body was made of the original. */
  public enum Method {
    /** The original itself. */
    STORED(0, 1),
    /** The original, deflated. */
    DEFLATED(1, 1),
    /** Coded by a model. */
    FLOW(2, 1),
    /** Coded by what was counted in it so far. */
    ADAPTIVE(9, 7),
    /** Coded by what was counted in a training text, and in it so far. */
    COUNTS(10, 7),
    /** Rows of a table, coded by a model and by what was counted in them so far. */
    TABLE(11, 7),
    /** Coded by a model and by what was counted in its training text, and in it so far. */
    MIXED(6, 4);

    /** By probabilities that were computed in other ways; no longer read. */
    private static final Set<Integer> OLD = Set.of(3, 4, 5, 7, 8);

    private final int code;
    private final int version;

    Method(int code, int version) {
      this.code = code;
      this.version = version;
    }

    int code() {
      return code;
    }

    static Method of(int code) throws CompressedFormatException {
      for (Method method : values()) {
        if (method.code == code) {
          return method;
        }
      }
      throw OLD.contains(code)
          ? new CompressedFormatException(
              "was compressed by an earlier snapshot of Ringflow, in a way that is no longer read:"
                  + " decompress it with that one")
          : CompressedFormatException.damaged("method " + code + " is unknown");
    }
  }

  /** Puts a body and the checksums of its original into a container. */
  public static byte[] seal(Method method, byte[] original, byte[] body) {
    var out = new ByteWriter();
    out.bytes(MAGIC);
    out.single(method.version);
    out.single(method.code);
    out.number(original.length);
    out.bytes(checksum(original));
    out.bytes(body);
    byte[] unsealed = out.toBytes();
    return ByteBuffer.allocate(unsealed.length + Integer.BYTES)
        .put(unsealed)
        .putInt(crc(unsealed, unsealed.length))
        .array();
  }

  /** Checks a container's format, version and CRC, and reads it up to the body. */
  public static Container open(byte[] bytes) throws CompressedFormatException {
    int length = bytes.length - Integer.BYTES;
    if (length < MAGIC.length + 1
        || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new CompressedFormatException("was not compressed by Ringflow");
    }
    int version = bytes[MAGIC.length] & 0xFF;
    if (version > VERSION) {
      throw new CompressedFormatException(
          "has format version " + version + ", but this Ringflow knows " + VERSION + " at most");
    }
    if (version == 0 || ByteBuffer.wrap(bytes).getInt(length) != crc(bytes, length)) {
      throw new CompressedFormatException("is damaged or cut short");
    }
    var in = new ByteReader(bytes, length);
    in.slice("the start", MAGIC.length + 1);
    Method method = Method.of(in.single("the method"));
    if (method.version > version) {
      throw CompressedFormatException.damaged("version " + version + " has no such method");
    }
    int original = in.number("the original's length", MAX_BYTES);
    byte[] checksum = in.bytes("the checksum", CHECKSUM_BYTES);
    return new Container(method, original, checksum, in);
  }

  /** How the body was made of the original. */
  public Method method() {
    return method;
  }

  /** The length of the original, as the container claims. */
  public int length() {
    return length;
  }

  /** Reads the body, from its start. */
  public ByteReader body() {
    return body;
  }

  /**
   * Returns decompressed bytes if their length and checksum are the original's.
   *
   * @throws CompressedFormatException if they are not
   */
  public byte[] checked(byte[] restored) throws CompressedFormatException {
    if (restored.length != length || !Arrays.equals(checksum, checksum(restored))) {
      throw CompressedFormatException.damaged("what came out is not what went in");
    }
    return restored;
  }

  private static int crc(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  static byte[] checksum(byte[] original) {
    return Arrays.copyOf(Sha256.of(original), CHECKSUM_BYTES);
  }
}
