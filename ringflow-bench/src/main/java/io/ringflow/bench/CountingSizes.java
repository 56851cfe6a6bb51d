package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.cli.external.OtherCompressor;
import io.ringflow.compress.Compressor;
import io.ringflow.compress.CountModel;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.FittedModel;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongToIntFunction;
import java.util.stream.Stream;

/**
 * How small files get by counting, without a model and with one, beside what others make of them.
 *
 * <pre>
 *   java io.ringflow.bench.CountingSizes FILE[,TRAIN[,MODEL]]...
 * </pre>
 *
 * <p>With TRAIN there is a model of it, by counting or the trained one in the folder MODEL, which
 * is not counted; others are given both files, and TRAIN alone is taken off. Speeds are by the size
 * of the original and the clock on the wall.
 */
public final class CountingSizes {
  private final List<OtherCompressor> others;
  private final LongToIntFunction megabytes;

  /**
   * Compares with other programs.
   *
   * @param megabytes of the table, by how many bytes there are to train on; 0 without a model
   */
  CountingSizes(List<OtherCompressor> others, LongToIntFunction megabytes) {
    this.others = List.copyOf(others);
    this.megabytes = megabytes;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    if (args.length == 0) {
      throw new IllegalArgumentException("arguments must be FILE[,TRAIN[,MODEL]]..., but are none");
    }
    new CountingSizes(known(), CountModel::megabytes).print(List.of(args), System.out);
  }

  /** The programs that the tables of the documentation compare with. */
  static List<OtherCompressor> known() {
    return List.of(
        OtherCompressor.Program.of("xz -9"),
        OtherCompressor.Archiver.ppmd(),
        OtherCompressor.Archiver.zpaq());
  }

  void print(List<String> files, PrintStream out) throws IOException {
    List<String> headings = new ArrayList<>(List.of("file", "bytes"));
    others.forEach(other -> headings.add(other.name()));
    headings.addAll(List.of("Ringflow", "compressing", "decompressing"));
    var table = new ValueTable(headings.toArray(String[]::new));
    Timed<Void> all =
        Timed.of(
            () -> {
              for (String file : files) {
                List<Path> paths = Arrays.stream(file.split(",", 3)).map(Path::of).toList();
                table.row(paths.size() == 1 ? alone(paths.get(0)) : trained(paths));
              }
              return null;
            });
    out.println(table);
    out.println(
        ValueTable.provenance(
            "One thread, with a model of a table as many as there are cores", all.seconds()));
  }

  private String[] alone(Path file) throws IOException {
    List<String> cells = new ArrayList<>();
    for (OtherCompressor other : others) {
      cells.add(shown(other.bytes(file)));
    }
    Compressor compressor = Compressor.withoutModel(megabytes.applyAsInt(0));
    return row(file.getFileName().toString(), file, cells, () -> compressor);
  }

  private String[] trained(List<Path> paths) throws IOException {
    Path file = paths.get(0);
    Path train = paths.get(1);
    List<String> cells = new ArrayList<>();
    Path both = Files.createTempFile("both", "");
    try {
      try (OutputStream out = Files.newOutputStream(both)) {
        Files.copy(train, out);
        Files.copy(file, out);
      }
      for (OtherCompressor other : others) {
        OptionalLong whole = other.bytes(both);
        cells.add(
            shown(
                whole.isEmpty()
                    ? whole
                    : OptionalLong.of(whole.getAsLong() - other.bytes(train).getAsLong())));
      }
    } finally {
      Files.delete(both);
    }
    String name = file.getFileName() + " after " + train.getFileName();
    if (paths.size() == 2) {
      byte[] text = Files.readAllBytes(train);
      Path folder = Files.createTempDirectory("counts");
      try {
        Path saved = folder.resolve("model");
        CountModel.train(text, megabytes.applyAsInt(text.length), ProgressListener.IGNORED)
            .save(saved);
        return row(name, file, cells, () -> Compressor.forOneFile(saved));
      } finally {
        delete(folder);
      }
    }
    try (FittedModel model = RingFlow.load(paths.get(2), Device.CPU)) {
      Compressor compressor =
          model instanceof TableModel table
              ? new Compressor(table)
              : new Compressor((TextModel) model);
      return row(name, file, cells, () -> compressor);
    }
  }

  /** As the tool does, which reads a model first, and then measures. */
  private static String[] row(
      String name, Path file, List<String> others, Timed.Work<Compressor, IOException> compressors)
      throws IOException {
    byte[] original = Files.readAllBytes(file);
    Compressor encoder = compressors.run();
    Timed<byte[]> encoding = Timed.of(() -> encoder.compress(original));
    Compressor decoder = compressors.run();
    Timed<byte[]> decoding = Timed.of(() -> decompressed(decoder, encoding.result()));
    boolean same = Arrays.equals(original, decoding.result());
    List<String> cells = new ArrayList<>(List.of(name, value("%,d", original.length)));
    cells.addAll(others);
    cells.add(value("%,d", encoding.result().length));
    cells.add(value("%,.0f kB/s", original.length / encoding.seconds() / 1e3));
    cells.add(same ? value("%,.0f kB/s", original.length / decoding.seconds() / 1e3) : "WRONG");
    return cells.toArray(String[]::new);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** An error is a result here: the table says what did not come back. */
  private static byte[] decompressed(Compressor compressor, byte[] compressed) {
    try {
      return compressor.decompress(compressed);
    } catch (CompressedFormatException e) {
      return new byte[0];
    }
  }

  private static String shown(OptionalLong bytes) {
    return bytes.isPresent() ? value("%,d", bytes.getAsLong()) : "not installed";
  }
}
