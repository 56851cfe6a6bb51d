package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.ShiftScale;
import io.ringflow.network.Made;
import io.ringflow.testing.Toys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is done to a model folder, loading it succeeds or says in one line what is wrong. */
@Tag("slow")
final class ModelFolderFuzzTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void save() throws IOException {
    folder = temporary.resolve("model");
    Architecture small =
        Architecture.of(Space.of(2, 3), new FactorizedBase())
            .with(Toys.tables().layers().get(0))
            .with(new Chain(List.of(new Reorder(Order.of(1, 0)))))
            .with(new Autoregressive(Order.natural(2), new Made(3, 1), new ShiftScale()));
    try (FlowModel model = FlowModel.create(small, 1)) {
      EngineAccess.setProvenance(model, Toys.provenance(1));
      model.save(folder);
    }
  }

  /** Whether the folder still loads. */
  private boolean loads(Object mutation) {
    try {
      FlowModel.load(folder).close();
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

  @Test
  void brokenBytes() throws IOException {
    var random = new SplittableRandom(1);
    for (String name : List.of("config.json", "model.safetensors", "training.json")) {
      Path file = folder.resolve(name);
      byte[] whole = Files.readAllBytes(file);
      for (int i = 0; i < 300; i++) {
        byte[] broken =
            Arrays.copyOf(
                whole, random.nextInt(3) == 0 ? random.nextInt(whole.length) : whole.length);
        for (int flips = random.nextInt(3); flips >= 0 && broken.length > 0; flips--) {
          broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
        }
        Files.write(file, broken);
        if (loads(name + " " + i) && name.equals("model.safetensors")) {
          assertThat(broken).isEqualTo(whole);
        }
      }
      Files.write(file, whole);
    }
  }

  /** Replaces, removes, adds and repeats values anywhere in the tree. */
  @Test
  void strangeConfigs() throws IOException {
    var random = new SplittableRandom(2);
    Path file = folder.resolve("config.json");
    String whole = Files.readString(file);
    int loaded = 0;
    for (int i = 0; i < 1200; i++) {
      JsonNode tree = JSON.readTree(whole);
      for (int changes = random.nextInt(2); changes >= 0; changes--) {
        mutate(tree, random);
      }
      Files.writeString(file, JSON.writeValueAsString(tree));
      loaded += loads(tree) ? 1 : 0;
    }
    assertThat(loaded).as("mutations that do no harm").isBetween(1, 500);
  }

  private static void mutate(JsonNode tree, SplittableRandom random) {
    List<JsonNode> containers = new ArrayList<>();
    collect(tree, containers);
    JsonNode where = containers.get(random.nextInt(containers.size()));
    List<JsonNode> all = new ArrayList<>(containers);
    all.addAll(
        List.of(
            NODES.nullNode(),
            NODES.numberNode(random.nextInt(-1, 6)),
            NODES.numberNode(Integer.MAX_VALUE),
            NODES.numberNode(5_000),
            NODES.numberNode(Long.MAX_VALUE),
            NODES.numberNode(1.5),
            NODES.textNode("table"),
            NODES.textNode("line\nbreak\u0007"),
            NODES.booleanNode(true),
            NODES.arrayNode()));
    JsonNode value = all.get(random.nextInt(all.size())).deepCopy();
    if (where instanceof ArrayNode array) {
      int at = array.isEmpty() ? 0 : random.nextInt(array.size());
      if (array.isEmpty() || random.nextBoolean()) {
        array.insert(at, value);
      } else {
        array.set(at, value);
      }
    } else if (where instanceof ObjectNode object && !object.isEmpty()) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      String name = names.get(random.nextInt(names.size()));
      switch (random.nextInt(4)) {
        case 0 -> object.remove(name);
        case 1 -> object.set(name + "s", value);
        default -> object.set(name, value);
      }
    }
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainerNode()) {
      containers.add(node);
    }
    node.forEach(child -> collect(child, containers));
  }

  @Test
  void deepAndHugeConfigs() throws IOException {
    Path file = folder.resolve("config.json");
    String whole = Files.readString(file);
    for (int depth : new int[] {50, 200, 450, 900}) {
      String deep = "{\"type\":\"chain\",\"layers\":[".repeat(depth) + "]}".repeat(depth);
      Files.writeString(file, whole.replaceFirst("\"layers\": \\[", "\"layers\": [" + deep + ","));
      assertThat(loads("depth " + depth)).isFalse();
    }
    for (String size : List.of("2147483647", "2000000000", "50000")) {
      for (String field : List.of("\"hidden\": 3", "[ 2, 3 ]")) {
        String with = field.replaceAll("3", size);
        assertThat(whole).contains(field);
        Files.writeString(file, whole.replace(field, with));
        assertThat(loads(with)).isFalse();
      }
    }
  }
}
