package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.bench.ZooTiers.Tier;
import io.ringflow.core.CompressedFormatException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Damages compressed files of every tier, and looks whether decompressing gives an error or the
 * right bytes, and soon.
 *
 * <pre>
 *   java -Xmx256m io.ringflow.bench.DamagedArchives [COUNT [SEED]]
 * </pre>
 *
 * <p>Two of three get a right checksum again, as somebody with an intent would do: what is behind
 * it is then found by the decoders. Ends with status 1 if something else came out.
 */
public final class DamagedArchives {
  private static final int SERIES = 15;
  private static final int METHOD_AT = 5;

  private final List<Tier> tiers;
  private final ZooFiles files;
  private final int count;
  private final SplittableRandom random;

  DamagedArchives(List<Tier> tiers, ZooFiles files, int count, long seed) {
    this.tiers = tiers;
    this.files = files;
    this.count = count;
    this.random = new SplittableRandom(seed);
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    int count = arguments.integer(0, 10_000);
    long seed = arguments.number(1, 1);
    int wrong;
    var progress = new ProgressLines(System.err);
    try (var tiers = ZooTiers.ofRepository(progress)) {
      wrong =
          new DamagedArchives(tiers.tiers(), tiers.files(seed), count, seed)
              .print(System.out, System.err, "Seed " + seed);
    }
    if (wrong > 0) {
      System.exit(1);
    }
  }

  private static final class Outcomes {
    private int archives;
    private int refused;
    private int right;
    private int wrong;
    private double slowest;

    String[] cells(String name) {
      return new String[] {
        name,
        value("%,d", archives),
        value("%,d", refused),
        value("%,d", right),
        value("%,d", wrong),
        value("%.2f s", slowest)
      };
    }

    void add(Outcomes other) {
      archives += other.archives;
      refused += other.refused;
      right += other.right;
      wrong += other.wrong;
      slowest = Math.max(slowest, other.slowest);
    }
  }

  /**
   * Prints a table.
   *
   * @return how often neither an error nor the right bytes came out
   */
  int print(PrintStream out, PrintStream err, String seeds) throws IOException {
    var progress = new ProgressLines(err);
    Timed<Map<String, Outcomes>> work = Timed.of(() -> outcomes(progress));
    var table =
        new ValueTable(
            "compressed by", "archives", "refused", "right bytes", "anything else", "slowest");
    var all = new Outcomes();
    work.result()
        .forEach(
            (tier, outcomes) -> {
              table.row(outcomes.cells(tier));
              all.add(outcomes);
            });
    out.println(table.row(all.cells("all")));
    String memory = value("%s, Java with %,d MB", seeds, Runtime.getRuntime().maxMemory() >> 20);
    out.println(ValueTable.provenance(memory, work.seconds()));
    return all.wrong;
  }

  private Map<String, Outcomes> outcomes(ProgressLines progress) throws IOException {
    Map<String, Outcomes> all = new LinkedHashMap<>();
    tiers.forEach(tier -> all.put(tier.name(), new Outcomes()));
    int done = 0;
    while (done < count) {
      ZooFiles.Made file = files.next();
      if (file.bytes().length < 100 || file.kind() == ZooKind.MANY_COLUMNS) {
        continue;
      }
      Tier tier = tiers.get(random.nextInt(tiers.size()));
      byte[] original = file.bytes();
      byte[] whole = tier.compressor().compress(original);
      for (int i = 0; i < 10 && done < count; i++) {
        byte[] damaged = ZooFiles.ByteDamage.of(whole, random);
        if (done % 3 > 0) {
          reseal(damaged);
        }
        open(tier, original, damaged, done, all.get(tier.name()), progress);
        done++;
      }
      progress.done("archives", done, count);
    }
    return all;
  }

  private static void open(
      Tier tier,
      byte[] original,
      byte[] damaged,
      int index,
      Outcomes outcomes,
      ProgressLines progress) {
    long started = System.nanoTime();
    outcomes.archives++;
    try {
      if (Arrays.equals(original, tier.compressor().decompress(damaged))) {
        outcomes.right++;
      } else {
        outcomes.wrong++;
        progress.now("archive %d, by %s: other bytes came out", index, tier.name());
      }
    } catch (CompressedFormatException e) {
      outcomes.refused++;
    } catch (RuntimeException | Error e) {
      outcomes.wrong++;
      progress.now("archive %d, by %s: %s", index, tier.name(), e);
    }
    outcomes.slowest = Math.max(outcomes.slowest, (System.nanoTime() - started) * 1e-9);
  }

  /** Makes the checksum of a container right again. */
  private static void reseal(byte[] bytes) {
    if (bytes.length > METHOD_AT + Integer.BYTES && bytes[METHOD_AT] != SERIES) {
      var crc = new CRC32C();
      crc.update(bytes, 0, bytes.length - Integer.BYTES);
      ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
    }
  }
}
