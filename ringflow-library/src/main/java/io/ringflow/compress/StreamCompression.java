package io.ringflow.compress;

import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.PartWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Compresses a stream: a container if it is short, else a series of parts, of which only one is in
 * memory.
 */
final class StreamCompression {
  private final BodyCoding coding;
  private final int partLength;
  private final int block;

  /**
   * Takes options.
   *
   * @param partLength bytes of a part, at most
   * @param block after how many bytes everything begins anew; 0 for never
   */
  StreamCompression(BodyCoding coding, int partLength, int block) {
    this.coding = coding;
    this.partLength = block == 0 ? partLength : Math.min(partLength, block);
    this.block = block;
  }

  /**
   * Compresses.
   *
   * @param progress in bytes of the original, with a total of 0
   * @return how many of them were coded by what
   */
  Map<CodedBy, Long> run(InputStream source, OutputStream out, ProgressListener progress)
      throws IOException {
    var bytesBy = new EnumMap<CodedBy, Long>(CodedBy.class);
    var in = new PushbackInputStream(source, partLength);
    byte[] bytes = in.readNBytes(partLength);
    if (isAtEnd(in)) {
      var coded = new PartEncoder(coding, bytes.length).first(bytes, at(0, progress));
      out.write(Container.seal(coded.method(), bytes, coded.body()));
      bytesBy.put(CodedBy.of(coded.method()), (long) bytes.length);
      return bytesBy;
    }
    boolean counts = coding instanceof CountedCoding;
    var encoder = new PartEncoder(coding, block == 0 ? Long.MAX_VALUE : block);
    var parts = new PartWriter(out, counts ? block : PartWriter.NO_PART_CONTINUES);
    long done = 0;
    int left = 0; // of the block
    while (bytes.length > 0) {
      boolean begins = left == 0;
      left = begins && block > 0 ? block : left;
      bytes = cut(bytes, left, in);
      ProgressListener here = at(done, progress);
      PartEncoder.Coded coded = begins ? encoder.first(bytes, here) : encoder.next(bytes, here);
      parts.write(coded.method(), coded.continues(), bytes, coded.body());
      bytesBy.merge(CodedBy.of(coded.method()), (long) bytes.length, Long::sum);
      done += bytes.length;
      left = block > 0 ? left - bytes.length : 1;
      bytes = in.readNBytes(partLength);
    }
    parts.finish();
    return bytesBy;
  }

  /** The part that bytes begin with; the rest is put back. */
  private byte[] cut(byte[] bytes, int left, PushbackInputStream in) throws IOException {
    int end = bytes.length < partLength ? bytes.length : coding.end(bytes);
    if (block > 0 && coding instanceof CountedCoding) {
      end = Math.min(end, left);
    }
    if (end == bytes.length) {
      return bytes;
    }
    in.unread(bytes, end, bytes.length - end);
    return Arrays.copyOf(bytes, end);
  }

  private static boolean isAtEnd(PushbackInputStream in) throws IOException {
    int next = in.read();
    if (next < 0) {
      return true;
    }
    in.unread(next);
    return false;
  }

  private static ProgressListener at(long before, ProgressListener progress) {
    ProgressListener inner = (done, total) -> progress.done(before + done, 0);
    return inner.untilInterrupted();
  }
}
