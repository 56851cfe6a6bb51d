package io.ringflow.internal.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.ringflow.core.ModelFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes named arrays in the safetensors format, which any other reader of the format
 * understands.
 *
 * <pre>
 *   8 bytes   length n of the header, little-endian
 *   n bytes   JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...,
 *             "__metadata__": {"key": "text"}}, padded with spaces so that the data is aligned
 *   the rest  the arrays, row-major and little-endian, without holes
 * </pre>
 *
 * <p>Reading checks everything before it asks for memory, so no more is allocated than the file is
 * long. The format has no checksum: a flipped bit among the weights goes unnoticed here.
 *
 * <p>A file may be of any size, one array up to 2 GiB - 1 (what a {@link ByteBuffer} can span).
 * Thread-safe.
 */
public final class Safetensors {
  /** The bound other readers of the format set. */
  private static final int MAX_HEADER = 100_000_000;

  private static final int LENGTH_BYTES = Long.BYTES;

  /** The JDK copies a heap buffer through a direct one as large as the write, and keeps that. */
  private static final int WRITE_SLICE = 1 << 24;

  private static final Map<String, Integer> BYTES_OF_DTYPE =
      Map.of("F32", 4, "F64", 8, "I64", 8, "U8", 1);

  /**
   * One array.
   *
   * @param dtype {@code F32}, {@code F64}, {@code I64} or {@code U8}
   * @param shape its dimensions; empty for a single number
   * @param data its values, little-endian and row-major; not copied, so leave the memory alone
   */
  public record Entry(String dtype, List<Long> shape, ByteBuffer data) {
    /**
     * Checks that the bytes between the buffer's position and limit are what the shape needs.
     *
     * @throws IllegalArgumentException if they are not, or the dtype is none of the four
     */
    public Entry {
      shape = List.copyOf(shape);
      long bytes = byteSize(dtype, shape);
      if (bytes != data.remaining()) {
        throw new IllegalArgumentException(
            String.format(
                "data: %s %s takes %d bytes, got %d", dtype, shape, bytes, data.remaining()));
      }
      data = data.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A little-endian view of the same memory, from position 0; its position is the caller's. */
    @Override
    public ByteBuffer data() {
      // A duplicate forgets its byte order.
      return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /**
   * A whole file.
   *
   * @param tensors the arrays, in the order they were given to {@link #write}
   * @param metadata free text; empty if there was none
   */
  public record Contents(Map<String, Entry> tensors, Map<String, String> metadata) {
    /** Keeps the order of both maps. */
    public Contents {
      tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
      metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
  }

  /** Is handed the arrays of a file one after the other. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes one array.
     *
     * @param name its name
     * @param entry the array; its memory is the visitor's own
     * @throws IOException to stop reading
     */
    void visit(String name, Entry entry) throws IOException;
  }

  private Safetensors() {}

  /**
   * Writes a file, replacing an old one all at once.
   *
   * <p>The header keeps the map's order; the data is laid out by falling element size, so that
   * every array is aligned although the format allows no gaps.
   *
   * @param file the file; its folder must exist
   * @param tensors the arrays
   * @param metadata free text to put in the header
   * @throws IllegalArgumentException if a name is reserved or not valid Unicode, or the header
   *     would pass the format's limit of 100 MB
   * @throws IOException if the disk refuses; the old file, if any, then still stands
   */
  public static void write(Path file, Map<String, Entry> tensors, Map<String, String> metadata)
      throws IOException {
    List<Map.Entry<String, Entry>> laidOut = new ArrayList<>(tensors.entrySet());
    laidOut.sort(
        Comparator.comparingInt(
                (Map.Entry<String, Entry> e) -> BYTES_OF_DTYPE.get(e.getValue().dtype()))
            .reversed());
    Map<String, Long> begins = new HashMap<>();
    long end = 0;
    for (Map.Entry<String, Entry> e : laidOut) {
      begins.put(e.getKey(), end);
      end += e.getValue().data().remaining();
    }
    ByteBuffer header = header(tensors, begins, metadata);
    AtomicFiles.replace(
        file,
        out -> {
          writeFully(out, header);
          for (Map.Entry<String, Entry> e : laidOut) {
            writeFully(out, e.getValue().data());
          }
        });
  }

  /**
   * Reads a whole file into memory outside the heap, of its own: the file may be overwritten later.
   * The JVM grants such memory up to its heap limit; for a larger file use {@link #read(Path,
   * Visitor)}.
   *
   * @param file the file
   * @return what it holds
   * @throws ModelFormatException if it is missing, damaged, of an unknown dtype, or anything else
   *     than a safetensors file
   * @throws IOException if the disk refuses
   */
  public static Contents read(Path file) throws IOException {
    Map<String, Entry> tensors = new LinkedHashMap<>();
    Map<String, String> metadata = read(file, tensors::put);
    return new Contents(tensors, metadata);
  }

  /**
   * Reads a file array by array, in the header's order, so that it need not fit into memory whole.
   * The whole header is checked before the first array is read.
   *
   * @param file the file
   * @param visitor takes the arrays
   * @return the metadata; empty if there was none
   * @throws ModelFormatException as {@link #read(Path)}
   * @throws IOException if the disk refuses, or the visitor does
   */
  public static Map<String, String> read(Path file, Visitor visitor) throws IOException {
    try (FileChannel in = AtomicFiles.open(file)) {
      int headerLength = headerLength(file, in);
      ByteBuffer bytes = ByteBuffer.allocate(headerLength);
      AtomicFiles.readFully(file, in, bytes, LENGTH_BYTES);
      if (bytes.get(0) != '{') {
        throw new ModelFormatException(file, "header does not start with '{'");
      }
      long dataStart = (long) LENGTH_BYTES + headerLength;
      SafetensorsHeader header =
          SafetensorsHeader.parse(
              file, AtomicFiles.decode(file, bytes.flip()), in.size() - dataStart);
      for (Map.Entry<String, SafetensorsHeader.Slot> e : header.slots().entrySet()) {
        visitor.visit(e.getKey(), entry(file, in, dataStart, e.getKey(), e.getValue()));
      }
      return header.metadata();
    }
  }

  /** Bytes that an array takes; the shape may come straight from a file. */
  static long byteSize(String dtype, List<Long> shape) {
    Integer elementBytes = BYTES_OF_DTYPE.get(dtype);
    if (elementBytes == null) {
      throw new IllegalArgumentException("dtype: '" + dtype + "' is not one of F32, F64, I64, U8");
    }
    long bytes = elementBytes;
    for (long dimension : shape) {
      if (dimension < 0) {
        throw new IllegalArgumentException("shape: " + shape + " has a negative dimension");
      }
      try {
        bytes = Math.multiplyExact(bytes, dimension);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException("shape: " + shape + " is beyond 64 bits", e);
      }
    }
    return bytes;
  }

  private static int headerLength(Path file, FileChannel in) throws IOException {
    long size = in.size();
    if (size < LENGTH_BYTES) {
      throw new ModelFormatException(file, "truncated: only " + size + " bytes");
    }
    ByteBuffer length = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    AtomicFiles.readFully(file, in, length, 0);
    long headerLength = length.getLong(0);
    if (headerLength < 2 || headerLength > MAX_HEADER) {
      throw new ModelFormatException(
          file,
          String.format(
              "not a safetensors file: header length %s is not within 2 and %d",
              Long.toUnsignedString(headerLength), MAX_HEADER));
    }
    if (headerLength > size - LENGTH_BYTES) {
      throw new ModelFormatException(
          file,
          String.format("truncated: %d bytes, but the header alone takes %d", size, headerLength));
    }
    return (int) headerLength;
  }

  private static Entry entry(
      Path file, FileChannel in, long dataStart, String name, SafetensorsHeader.Slot slot)
      throws IOException {
    long length = slot.end() - slot.begin();
    if (length > Integer.MAX_VALUE) {
      throw new ModelFormatException(
          file,
          String.format(
              "tensor '%s' takes %d bytes; one tensor may take at most %d",
              name, length, Integer.MAX_VALUE));
    }
    // Direct: native code can copy from it, and the JDK reads into it without a second buffer.
    ByteBuffer data = ByteBuffer.allocateDirect((int) length);
    AtomicFiles.readFully(file, in, data, dataStart + slot.begin());
    return new Entry(slot.dtype(), slot.shape(), data.flip());
  }

  private static ByteBuffer header(
      Map<String, Entry> tensors, Map<String, Long> begins, Map<String, String> metadata)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = Json.FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      if (!metadata.isEmpty()) {
        json.writeObjectFieldStart(SafetensorsHeader.METADATA);
        for (Map.Entry<String, String> e : metadata.entrySet()) {
          json.writeStringField(unicode(e.getKey()), unicode(e.getValue()));
        }
        json.writeEndObject();
      }
      for (Map.Entry<String, Entry> e : tensors.entrySet()) {
        writeSlot(json, e.getKey(), e.getValue(), begins.get(e.getKey()));
      }
      json.writeEndObject();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("header: " + e.getOriginalMessage(), e);
    }
    int length = bytes.size();
    int padded = Math.addExact(length, Math.floorMod(-length, LENGTH_BYTES));
    if (padded > MAX_HEADER) {
      throw new IllegalArgumentException(
          String.format("header: takes %d bytes, at most %d", padded, MAX_HEADER));
    }
    byte[] file = new byte[LENGTH_BYTES + padded];
    Arrays.fill(file, (byte) ' ');
    ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    return header.putLong(padded).put(bytes.toByteArray()).rewind();
  }

  private static void writeSlot(JsonGenerator json, String name, Entry entry, long begin)
      throws IOException {
    if (name.equals(SafetensorsHeader.METADATA)) {
      throw new IllegalArgumentException("tensors: the name '" + name + "' is reserved");
    }
    json.writeObjectFieldStart(unicode(name));
    json.writeStringField("dtype", entry.dtype());
    json.writeArrayFieldStart("shape");
    for (long dimension : entry.shape()) {
      json.writeNumber(dimension);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("data_offsets");
    json.writeNumber(begin);
    json.writeNumber(begin + entry.data().remaining());
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String unicode(String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException("'" + text + "' is not valid Unicode");
    }
    return text;
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      ByteBuffer slice = bytes.slice(bytes.position(), Math.min(WRITE_SLICE, bytes.remaining()));
      int written = out.write(slice);
      bytes.position(bytes.position() + written);
    }
  }
}
