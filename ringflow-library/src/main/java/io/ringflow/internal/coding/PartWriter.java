package io.ringflow.internal.coding;

import io.ringflow.internal.coding.Container.Method;
import io.ringflow.internal.store.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32C;

/**
 * Compressed bytes of any length, written part by part.
 *
 * <pre>
 *   6 bytes  F1 'R' 'F' 'C', version 4, 15
 *   1 to 5   {@linkplain #PartWriter block}
 *   4        CRC-32C of these bytes
 *   for each part:
 *     1        method, as of a {@link Container}; 128 more if the part continues with what was
 *              learned from those before it
 *     1 to 5   length of the part of the original
 *     1 to 5   length of the body, not more
 *     8        the first bytes of the SHA-256 of the part of the original
 *     …        the body, in the format of the method; of one that continues, the code alone
 *     4        CRC-32C of the number of parts before, in 4 bytes, and of the part
 *   1        127: the end
 *   8        length of the original
 *   8        the first bytes of the original's SHA-256
 *   4        CRC-32C as of a part
 * </pre>
 *
 * <p>A part that does not continue can be read without those before it. For one thread.
 */
public final class PartWriter {
  /** How many bytes of the original a part may have. */
  public static final int MAX_LENGTH = 1 << 25;

  /** What {@code block} is where no part continues another. */
  public static final int NO_PART_CONTINUES = 1;

  static final int SERIES = 15;
  static final int CONTINUES = 0x80;
  static final int END = 0x7F;

  private final OutputStream out;
  private final MessageDigest digest = Sha256.digest();
  private int parts;
  private long length;

  /**
   * Begins a series.
   *
   * @param out borrowed
   * @param block after how many bytes of the original a part begins that does not continue: 0 where
   *     none does, {@link #NO_PART_CONTINUES} where none continues
   */
  public PartWriter(OutputStream out, int block) throws IOException {
    this.out = out;
    var head = new ByteWriter();
    head.bytes(Container.MAGIC);
    head.single(Container.VERSION);
    head.single(SERIES);
    head.number(block);
    byte[] bytes = head.toBytes();
    out.write(bytes);
    var crc = new CRC32C();
    crc.update(bytes);
    writeCrc(crc);
  }

  /**
   * Writes a part.
   *
   * @param continues whether it takes the parts before to read it
   * @param original from 1 to {@link #MAX_LENGTH} bytes
   * @param body at most as long
   */
  public void write(Method method, boolean continues, byte[] original, byte[] body)
      throws IOException {
    var head = new ByteWriter();
    head.single(method.code() | (continues ? CONTINUES : 0));
    head.number(original.length);
    head.number(body.length);
    head.bytes(Container.checksum(original));
    byte[] bytes = head.toBytes();
    CRC32C crc = crc(parts);
    crc.update(bytes);
    crc.update(body);
    out.write(bytes);
    out.write(body);
    writeCrc(crc);
    digest.update(original);
    length += original.length;
    parts++;
  }

  /** Writes the end. */
  public void finish() throws IOException {
    byte[] end =
        ByteBuffer.allocate(1 + Long.BYTES + Container.CHECKSUM_BYTES)
            .put((byte) END)
            .putLong(length)
            .put(digest.digest(), 0, Container.CHECKSUM_BYTES)
            .array();
    CRC32C crc = crc(parts);
    crc.update(end);
    out.write(end);
    writeCrc(crc);
  }

  /** Begun with a part's number, so that no part can be taken for another. */
  static CRC32C crc(int part) {
    var crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part));
    return crc;
  }

  private void writeCrc(CRC32C crc) throws IOException {
    out.write(ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array());
  }
}
