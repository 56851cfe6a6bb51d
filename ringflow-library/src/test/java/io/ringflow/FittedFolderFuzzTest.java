package io.ringflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.testing.Zoo;
import io.ringflow.text.TextCodec;
import io.ringflow.train.FitOptions.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is done to the folder of a fitted model, loading gives the same model, or says in one
 * line what is wrong. More folders by {@code -Dringflow.fuzz.folders=10000}.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class FittedFolderFuzzTest {
  private static final int FOLDERS = Integer.getInteger("ringflow.fuzz.folders", 300);

  private static final TextCodec LETTERS = WildModels.characters(" abc");

  /** Of as many symbols as the other. */
  private static final TextCodec OTHERS = WildModels.characters(" abd");

  @TempDir Path temporary;

  /** A folder's files, and the model in it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Saved(Map<String, byte[]> files, Architecture architecture, byte[] fingerprint) {}

  private Saved save(FittedModel fitted) throws IOException {
    Path folder = temporary.resolve("whole");
    try (fitted) {
      fitted.save(folder);
      Map<String, byte[]> files = new LinkedHashMap<>();
      try (var paths = Files.list(folder)) {
        for (Path path : paths.sorted().toList()) {
          files.put(path.getFileName().toString(), Files.readAllBytes(path));
        }
      }
      return new Saved(files, fitted.flow().architecture(), fitted.flow().fingerprint());
    }
  }

  private static void write(Path folder, Map<String, byte[]> files) throws IOException {
    Files.createDirectories(folder);
    try (var paths = Files.list(folder)) {
      for (Path path : paths.toList()) {
        Files.delete(path);
      }
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
  }

  /** Whether the folder loads, and then as the model it was. */
  private static boolean loads(Path folder, Saved saved, String mutation) {
    try (FittedModel model = RingFlow.load(folder)) {
      assertThat(model.flow().fingerprint())
          .as("the model after %s", mutation)
          .isEqualTo(saved.fingerprint);
      return true;
    } catch (IOException e) {
      assertThat(e.getMessage())
          .as("after %s", mutation)
          .contains(folder.toString())
          .hasLineCount(1);
      return false;
    } catch (RuntimeException | Error e) {
      return fail("after " + mutation, e);
    }
  }

  /** One thing done to a folder; says what. */
  private static String mutate(
      Map<String, byte[]> files, Map<String, byte[]> others, SplittableRandom random) {
    List<String> names = List.copyOf(files.keySet());
    String name = names.get(random.nextInt(names.size()));
    byte[] whole = files.get(name);
    switch (random.nextInt(8)) {
      case 0 -> {
        files.remove(name);
        return name + " removed";
      }
      case 1 -> {
        files.put(name, Arrays.copyOf(whole, random.nextInt(whole.length)));
        return name + " cut to " + files.get(name).length;
      }
      case 2 -> {
        byte[] longer = Arrays.copyOf(whole, whole.length + 1 + random.nextInt(9));
        files.put(name, longer);
        return name + " made longer";
      }
      case 3 -> {
        files.put(random.nextBoolean() ? "extra.json" : "model.bin", whole);
        return "a copy of " + name;
      }
      case 4 -> {
        files.put(name, others.get(name));
        return name + " of another model";
      }
      case 5 -> {
        String target = names.get(random.nextInt(names.size()));
        files.put(target, whole);
        return target + " replaced by " + name;
      }
      default -> {
        byte[] flipped = whole.clone();
        int at = random.nextInt(flipped.length);
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        files.put(name, flipped);
        return name + " flipped at " + at;
      }
    }
  }

  private void fuzz(Saved saved, Saved other, int count, long seed) throws IOException {
    var random = new SplittableRandom(seed);
    Path folder = temporary.resolve("model");
    int loaded = 0;
    for (int i = 0; i < count; i++) {
      Map<String, byte[]> files = new LinkedHashMap<>(saved.files);
      String mutation = i + ": " + mutate(files, other.files, random);
      write(folder, files);
      loaded += loads(folder, saved, mutation) ? 1 : 0;
    }
    assertThat(loaded).as("mutations that do no harm").isBetween(1, count / 2);
  }

  @Test
  void tables() throws IOException {
    Saved table = save(WildModels.table(Family.GROUP));
    Saved other = save(WildModels.table(Family.AUTOREGRESSIVE));
    fuzz(table, other, FOLDERS / 2, 1);
  }

  @Test
  void texts() throws IOException {
    fuzz(save(WildModels.text(LETTERS)), save(WildModels.text(OTHERS)), FOLDERS / 2, 2);
  }

  /** The codec of a model whose symbols are as many, and mean something else. */
  @Test
  void anotherModelsCodecIsRefused() throws IOException {
    Saved letters = save(WildModels.text(LETTERS));
    Saved others = save(WildModels.text(OTHERS));
    Path folder = temporary.resolve("model");
    Map<String, byte[]> files = new LinkedHashMap<>(letters.files);
    files.put("codec.json", others.files.get("codec.json"));
    write(folder, files);
    assertThatThrownBy(() -> RingFlow.load(folder))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("codec.json");
    write(folder, letters.files);
    assertThat(loads(folder, letters, "nothing")).isTrue();
  }

  @Test
  void mereSymbolsAreRefused() throws IOException {
    Path folder = temporary.resolve("model");
    try (FlowModel flow = Zoo.wild(Architecture.of(Space.of(2, 3), new FactorizedBase()))) {
      flow.save(folder);
    }
    assertThatThrownBy(() -> RingFlow.load(folder))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(
            folder + ": is a model of mere symbols: no codec.json says what they stand for");
  }
}
