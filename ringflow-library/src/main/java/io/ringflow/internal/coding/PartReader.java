package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.coding.Container.Method;
import io.ringflow.internal.store.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads what a {@link PartWriter} wrote, part by part. Takes memory for one part, and for bytes
 * that are really there, whatever their number is claimed to be. For one thread.
 */
public final class PartReader {
  /** How many bytes tell whether they begin a series. */
  public static final int HEAD = 6;

  private final InputStream in;
  private final MessageDigest digest = Sha256.digest();
  private final int block;
  private CRC32C crc = new CRC32C();
  private int parts = -1; // before the current one
  private long bytesRead = HEAD;
  private long offset;
  private boolean isComplete = true; // no part was skipped

  private Method method = Method.STORED;
  private boolean continues;
  private int length;
  private int bodyLength;
  private byte[] checksum = new byte[0];

  /**
   * Begins to read a series.
   *
   * @param in borrowed; behind the {@link #HEAD}
   */
  public PartReader(InputStream in) throws IOException {
    this.in = in;
    for (byte b : Container.MAGIC) {
      crc.update(b);
    }
    crc.update(Container.VERSION);
    crc.update(PartWriter.SERIES);
    block = number("the block", Integer.MAX_VALUE);
    checkCrc();
  }

  /** Whether the first bytes of something say that it is a series. */
  public static boolean isSeries(byte[] head) {
    int magic = Container.MAGIC.length;
    return head.length >= HEAD
        && Arrays.equals(head, 0, magic, Container.MAGIC, 0, magic)
        && head[magic] == Container.VERSION
        && head[magic + 1] == PartWriter.SERIES;
  }

  /**
   * Reads the head of the next part; the one before must have been read or skipped.
   *
   * @return false behind the last part
   * @throws CompressedFormatException if the end is not that of what was read
   */
  public boolean next() throws IOException {
    offset += length;
    length = 0;
    parts++;
    crc = PartWriter.crc(parts);
    int code = single();
    if (code == PartWriter.END) {
      finish();
      return false;
    }
    continues = (code & PartWriter.CONTINUES) != 0;
    method = Method.of(code & ~PartWriter.CONTINUES);
    length = number("a part's length", PartWriter.MAX_LENGTH);
    bodyLength = number("a part's code", length);
    checksum = bytes(Container.CHECKSUM_BYTES);
    if (length == 0) {
      throw CompressedFormatException.damaged("part " + (parts + 1) + " is empty");
    }
    return true;
  }

  private void finish() throws IOException {
    long expected = ByteBuffer.wrap(bytes(Long.BYTES)).getLong();
    byte[] expectedSum = bytes(Container.CHECKSUM_BYTES);
    checkCrc();
    byte[] sum = Arrays.copyOf(digest.digest(), Container.CHECKSUM_BYTES);
    if (expected != offset || (isComplete && !Arrays.equals(sum, expectedSum))) {
      throw CompressedFormatException.damaged("what came out is not what went in");
    }
    if (in.read() >= 0) {
      throw CompressedFormatException.damaged("bytes follow its end");
    }
  }

  /** After how many bytes a part begins that does not continue; see {@link PartWriter}. */
  public int block() {
    return block;
  }

  /** How the part was coded. */
  public Method method() {
    return method;
  }

  /** Whether it takes the parts before to read this one. */
  public boolean continues() {
    return continues;
  }

  /** How many bytes of the original the part has. */
  public int length() {
    return length;
  }

  /** How many bytes of the original come before the part. */
  public long offset() {
    return offset;
  }

  /** How many bytes were read or skipped so far. */
  public long bytesRead() {
    return bytesRead;
  }

  /** How many bytes the part's body has. */
  public int bodyLength() {
    return bodyLength;
  }

  /** Reads the part's body. */
  public ByteReader body() throws IOException {
    byte[] body = bytes(bodyLength);
    checkCrc();
    return new ByteReader(body);
  }

  /** Leaves out the part's body. */
  public void skip() throws IOException {
    isComplete = false;
    long all = bodyLength + (long) Integer.BYTES;
    try {
      in.skipNBytes(all);
    } catch (java.io.EOFException e) {
      throw cutShort();
    }
    bytesRead += all;
  }

  /**
   * Returns the decompressed bytes of the part if length and checksum are the original's.
   *
   * @throws CompressedFormatException if they are not
   */
  public byte[] checked(byte[] restored) throws CompressedFormatException {
    if (restored.length != length || !Arrays.equals(checksum, Container.checksum(restored))) {
      throw CompressedFormatException.damaged(
          "what came out of part " + (parts + 1) + " is not what went in");
    }
    digest.update(restored);
    return restored;
  }

  private int single() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw cutShort();
    }
    bytesRead++;
    crc.update(next);
    return next;
  }

  private int number(String what, int max) throws IOException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = single();
      value |= (long) (next & 0x7F) << shift;
      if (value > max || shift > 28) {
        throw CompressedFormatException.damaged(what + " exceeds " + max);
      }
      if ((next & 0x80) == 0) {
        return (int) value;
      }
    }
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw cutShort();
    }
    bytesRead += count;
    crc.update(bytes);
    return bytes;
  }

  private void checkCrc() throws IOException {
    int expected = (int) crc.getValue();
    if (ByteBuffer.wrap(bytes(Integer.BYTES)).getInt() != expected) {
      throw CompressedFormatException.damaged(
          parts < 0 ? "its head is not what was written" : "part " + (parts + 1) + " was changed");
    }
  }

  private CompressedFormatException cutShort() {
    return CompressedFormatException.damaged("it ends in part " + (Math.max(0, parts) + 1));
  }
}
