package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.bench.ZooTiers.Tier;
import io.ringflow.core.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Compresses real, odd and damaged files in every way there is, and looks whether they come back.
 *
 * <pre>
 *   java io.ringflow.bench.FileZoo [COUNT [SEED]]
 * </pre>
 *
 * <p>Of every file some bytes are also read alone. Real files are those under the working
 * directory: run it in a repository. Ends with status 1 if a file was wrong.
 */
public final class FileZoo {
  private final List<Tier> tiers;
  private final ZooFiles files;
  private final int count;
  private final SplittableRandom random = new SplittableRandom(0);

  FileZoo(List<Tier> tiers, ZooFiles files, int count) {
    this.tiers = tiers;
    this.files = files;
    this.count = count;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int count = arguments.integer(0, 1000);
    long seed = arguments.number(1, 1);
    int wrong;
    var progress = new ProgressLines(System.err);
    try (var tiers = ZooTiers.ofRepository(progress)) {
      wrong =
          new FileZoo(tiers.tiers(), tiers.files(seed), count)
              .print(System.out, System.err, "Seed " + seed);
    }
    if (wrong > 0) {
      System.exit(1);
    }
  }

  /** What became of the files of one kind. */
  private final class Outcomes {
    private int files;
    private int wrong;
    private final long[] bytes = new long[tiers.size()];
    private final long[] compressed = new long[tiers.size()];

    void add(Outcomes other) {
      files += other.files;
      wrong += other.wrong;
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] += other.bytes[i];
        compressed[i] += other.compressed[i];
      }
    }

    String[] cells(String name) {
      List<String> cells = new ArrayList<>();
      cells.add(name);
      cells.add(value("%,d", files));
      cells.add(value("%,d", wrong));
      cells.add(value("%,.0f", (double) bytes[0] / files));
      for (int i = 0; i < bytes.length; i++) {
        cells.add(bytes[i] == 0 ? "" : value("%.1f %%", 100.0 * compressed[i] / bytes[i]));
      }
      return cells.toArray(String[]::new);
    }
  }

  /**
   * Prints a table.
   *
   * @return how many files did not come back, each counted for every tier
   */
  int print(PrintStream out, PrintStream err, String seeds) throws IOException {
    var progress = new ProgressLines(err);
    Timed<Map<ZooKind, Outcomes>> work = Timed.of(() -> outcomes(progress));
    List<String> headings = new ArrayList<>(List.of("kind", "files", "wrong", "mean bytes"));
    tiers.forEach(tier -> headings.add(tier.name()));
    var table = new ValueTable(headings.toArray(String[]::new));
    var all = new Outcomes();
    work.result()
        .forEach(
            (kind, outcomes) -> {
              table.row(outcomes.cells(kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
              all.add(outcomes);
            });
    out.println(table.row(all.cells("all files")));
    out.println(ValueTable.provenance(seeds, work.seconds()));
    return all.wrong;
  }

  private Map<ZooKind, Outcomes> outcomes(ProgressLines progress) throws IOException {
    Map<ZooKind, Outcomes> all = new EnumMap<>(ZooKind.class);
    for (int i = 0; i < count; i++) {
      ZooFiles.Made file = files.next();
      Outcomes outcomes = all.computeIfAbsent(file.kind(), kind -> new Outcomes());
      outcomes.files++;
      for (int t = 0; t < tiers.size(); t++) {
        Tier tier = tiers.get(t);
        byte[] bytes = file.bytes();
        try {
          byte[] compressed = tier.compressor().compress(bytes);
          outcomes.bytes[t] += bytes.length;
          outcomes.compressed[t] += compressed.length;
          if (!comesBack(tier, bytes, compressed)) {
            outcomes.wrong++;
            progress.now("file %d, %s, by %s: came back changed", i, file.kind(), tier.name());
          }
        } catch (IOException | RuntimeException | Error e) {
          outcomes.wrong++;
          progress.now("file %d, %s, by %s: %s", i, file.kind(), tier.name(), e);
        }
      }
      progress.done("files", i + 1L, count);
    }
    return all;
  }

  private boolean comesBack(Tier tier, byte[] bytes, byte[] compressed) throws IOException {
    if (!Arrays.equals(bytes, tier.compressor().decompress(compressed))) {
      return false;
    }
    int from = random.nextInt(bytes.length + 1);
    int to = from + random.nextInt(bytes.length - from + 1);
    var some = new ByteArrayOutputStream();
    tier.compressor()
        .bytes(new ByteArrayInputStream(compressed), from, to, some, ProgressListener.IGNORED);
    return Arrays.equals(Arrays.copyOfRange(bytes, from, to), some.toByteArray());
  }
}
