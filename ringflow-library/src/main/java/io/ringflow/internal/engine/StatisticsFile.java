package io.ringflow.internal.engine;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.checks.HostAccess;
import io.ringflow.internal.store.DeflatedPieces;
import io.ringflow.internal.store.Sha256;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Statistic;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.Deflater;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.ShortPointer;
import org.bytedeco.pytorch.Tensor;

/**
 * Stores the statistics of a model in a deflated file, most of which are zeros: for each its name,
 * its shape, and its integers in big-endian order.
 */
public final class StatisticsFile {
  /** Elements that are moved at a time. */
  private static final int PART = 1 << 20;

  /** How many bytes a deflated one stands for at most. */
  private static final long MAX_RATIO = 1100;

  private StatisticsFile() {}

  @FunctionalInterface
  private interface Bytes {
    void write(byte[] bytes) throws IOException;
  }

  /** Writes a file. */
  public static void write(Path file, Weights weights) throws IOException {
    try (OutputStream deflated = DeflatedPieces.writer(file, Deflater.DEFAULT_COMPRESSION);
        DataOutputStream out = new DataOutputStream(deflated)) {
      for (Map.Entry<String, Statistic> one : weights.statistics().entrySet()) {
        out.writeUTF(header(one.getKey(), one.getValue()));
        forEachPart(weights.get(one.getValue()), one.getValue(), out::write);
      }
    }
  }

  /** The SHA-256 of all statistics as hexadecimal digits; empty where there are none. */
  public static String sha256(Weights weights) {
    if (weights.statistics().isEmpty()) {
      return "";
    }
    MessageDigest digest = Sha256.digest();
    digest(weights, digest);
    return Sha256.hex(digest);
  }

  /** Adds all statistics to a digest: the same on every device. */
  public static void digest(Weights weights, MessageDigest digest) {
    try {
      for (Statistic statistic : weights.statistics().values()) {
        forEachPart(weights.get(statistic), statistic, digest::update);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a digest throws none
    }
  }

  /**
   * Checks that a file may hold what an architecture asks for, before memory is asked for.
   *
   * @throws ModelFormatException if it is too short, or missing
   */
  public static void requireRoomIn(Path file, Layout layout) throws IOException {
    if (!Files.exists(file)) {
      throw new ModelFormatException(file, "is missing");
    }
    long bytes =
        layout.statistics().values().stream().mapToLong(Statistic::bytes).reduce(0, Math::addExact);
    if (bytes / MAX_RATIO > Files.size(file)) {
      throw new ModelFormatException(
          file,
          String.format(
              "has %d bytes, too few for the %d of the architecture's statistics",
              Files.size(file), bytes));
    }
  }

  /**
   * Reads a file. It must hold exactly the model's statistics in their shapes.
   *
   * @throws ModelFormatException if it does not
   */
  public static void read(Path file, Weights weights) throws IOException {
    try (DataInputStream in = new DataInputStream(DeflatedPieces.reader(file))) {
      for (Map.Entry<String, Statistic> one : weights.statistics().entrySet()) {
        String wanted = header(one.getKey(), one.getValue());
        String found = in.readUTF();
        if (!found.equals(wanted)) {
          throw new ModelFormatException(
              file, "holds '" + found + "', but should hold '" + wanted + "'");
        }
        read(in, weights.get(one.getValue()), one.getValue());
      }
      if (in.read() >= 0) {
        throw new ModelFormatException(file, "is longer than its statistics");
      }
    } catch (EOFException e) {
      throw new ModelFormatException(file, "is shorter than its statistics", e);
    }
  }

  private static String header(String name, Statistic statistic) {
    String type = statistic.isLong() ? "I64" : "I16";
    return name + " " + type + Arrays.toString(statistic.shape());
  }

  private static void forEachPart(Tensor tensor, Statistic statistic, Bytes work)
      throws IOException {
    HostAccess.check();
    for (long from = 0; from < statistic.elements(); from += PART) {
      int count = (int) Math.min(PART, statistic.elements() - from);
      work.write(bytes(tensor, from, count, statistic.isLong()));
    }
  }

  private static byte[] bytes(Tensor tensor, long from, int count, boolean isLong) {
    try (Scope scope = Scope.inference()) {
      Tensor part = tensor.flatten().narrow(0, from, count).cpu().contiguous();
      if (isLong) {
        long[] values = new long[count];
        try (LongPointer data = part.data_ptr_long()) {
          data.get(values);
        }
        ByteBuffer bytes = ByteBuffer.allocate(count * Long.BYTES);
        bytes.asLongBuffer().put(values);
        return bytes.array();
      }
      short[] values = new short[count];
      try (ShortPointer data = part.data_ptr_short()) {
        data.get(values);
      }
      ByteBuffer bytes = ByteBuffer.allocate(count * Short.BYTES);
      bytes.asShortBuffer().put(values);
      return bytes.array();
    }
  }

  private static void read(DataInputStream in, Tensor tensor, Statistic statistic)
      throws IOException {
    for (long from = 0; from < statistic.elements(); from += PART) {
      int count = (int) Math.min(PART, statistic.elements() - from);
      byte[] bytes = new byte[count * (statistic.isLong() ? Long.BYTES : Short.BYTES)];
      in.readFully(bytes);
      try (Scope scope = Scope.inference()) {
        Tensor part = tensor.flatten().narrow(0, from, count);
        if (statistic.isLong()) {
          long[] values = new long[count];
          ByteBuffer.wrap(bytes).asLongBuffer().get(values);
          part.copy_(Tensor.create(values, count));
        } else {
          short[] values = new short[count];
          ByteBuffer.wrap(bytes).asShortBuffer().get(values);
          part.copy_(Tensor.create(values, count));
        }
      }
    }
  }
}
