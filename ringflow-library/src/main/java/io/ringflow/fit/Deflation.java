package io.ringflow.fit;

import java.util.zip.Deflater;

/** What everybody's compression makes of some bytes: something to compare with. */
final class Deflation {
  private Deflation() {}

  /** The number of bytes that are left. */
  static int bytes(byte[] data) {
    var deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try {
      deflater.setInput(data);
      deflater.finish();
      byte[] buffer = new byte[1 << 16];
      int bytes = 0;
      while (!deflater.finished()) {
        bytes += deflater.deflate(buffer);
      }
      return bytes;
    } finally {
      deflater.end();
    }
  }
}
