package io.ringflow.bench;

import io.ringflow.compress.CodedBy;
import io.ringflow.compress.Compressor;
import io.ringflow.core.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * What became of a file in memory.
 *
 * @param bytes that are left
 * @param ways by which its parts were coded
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Compressed(byte[] bytes, Set<CodedBy> ways) {
  static Compressed of(byte[] original, Compressor compressor, ProgressListener progress) {
    var out = new ByteArrayOutputStream();
    try {
      Set<CodedBy> ways =
          compressor
              .compress(
                  new ByteArrayInputStream(original),
                  out,
                  (done, unknown) -> progress.done(done, original.length))
              .keySet();
      return new Compressed(out.toByteArray(), ways);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }
}
