package io.ringflow.internal.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON header of a safetensors file: the place of each tensor in the data that follows.
 *
 * <p>Parsed token by token rather than as a tree: parsing ends at the first wrong token, and a
 * header of a hundred megabytes takes little more memory than its text.
 *
 * @param slots the tensors, in the header's order
 * @param metadata free text, in the header's order
 */
record SafetensorsHeader(Map<String, Slot> slots, Map<String, String> metadata) {
  static final String METADATA = "__metadata__";

  /** One tensor's place: bytes {@code begin} to {@code end} (exclusive) after the header. */
  record Slot(String dtype, List<Long> shape, long begin, long end) {}

  SafetensorsHeader {
    slots = Collections.unmodifiableMap(slots);
    metadata = Collections.unmodifiableMap(metadata);
  }

  /**
   * Parses and checks a header: the slots fill the data exactly, without holes or overlaps.
   *
   * @param file for messages
   * @param text the header
   * @param dataLength bytes in the file after the header
   */
  static SafetensorsHeader parse(Path file, String text, long dataLength) throws IOException {
    SafetensorsHeader header;
    try (JsonParser json = Json.FACTORY.createParser(text)) {
      header = new Reader(file, json).header();
    } catch (JsonProcessingException e) {
      throw new ModelFormatException(file, "header: " + Json.reason(e), e);
    }
    header.checkLayout(file, dataLength);
    return header;
  }

  private void checkLayout(Path file, long dataLength) throws ModelFormatException {
    List<Map.Entry<String, Slot>> inOrder = new ArrayList<>(slots.entrySet());
    // By end as well, so that an empty tensor comes before the one that starts at the same byte.
    inOrder.sort(
        Comparator.comparingLong((Map.Entry<String, Slot> e) -> e.getValue().begin())
            .thenComparingLong(e -> e.getValue().end()));
    long covered = 0;
    for (Map.Entry<String, Slot> e : inOrder) {
      Slot slot = e.getValue();
      if (slot.begin() != covered) {
        throw new ModelFormatException(
            file,
            String.format(
                "tensor '%s' begins at byte %d of the data, but the one before it ends at %d (%s)",
                e.getKey(), slot.begin(), covered, slot.begin() > covered ? "hole" : "overlap"));
      }
      covered = slot.end();
    }
    if (covered != dataLength) {
      throw new ModelFormatException(
          file,
          String.format(
              "the tensors take %d bytes of data, but the file holds %d (%s)",
              covered, dataLength, covered > dataLength ? "truncated" : "trailing bytes"));
    }
  }

  private record Reader(Path file, JsonParser json) {
    SafetensorsHeader header() throws IOException {
      expect(json.nextToken(), JsonToken.START_OBJECT, "header");
      Map<String, Slot> slots = new LinkedHashMap<>();
      Map<String, String> metadata = new LinkedHashMap<>();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = text("tensor name");
        if (name.equals(METADATA)) {
          metadata(metadata);
        } else {
          slots.put(name, slot(name));
        }
      }
      if (json.nextToken() != null) {
        throw wrong("header continues after its closing brace");
      }
      return new SafetensorsHeader(slots, metadata);
    }

    private void metadata(Map<String, String> into) throws IOException {
      expect(json.nextToken(), JsonToken.START_OBJECT, METADATA);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String key = text("key in " + METADATA);
        expect(json.nextToken(), JsonToken.VALUE_STRING, METADATA + " '" + key + "'");
        into.put(key, text("value in " + METADATA));
      }
    }

    private Slot slot(String name) throws IOException {
      String tensor = "tensor '" + name + "'";
      expect(json.nextToken(), JsonToken.START_OBJECT, tensor);
      String dtype = null;
      List<Long> shape = null;
      List<Long> offsets = null;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        switch (field) {
          case "dtype" -> {
            expect(json.nextToken(), JsonToken.VALUE_STRING, tensor + " dtype");
            dtype = text("dtype");
          }
          case "shape" -> shape = naturals(tensor + " shape");
          case "data_offsets" -> offsets = naturals(tensor + " data_offsets");
          // Skipping what a newer format says about a tensor could mean reading it wrongly.
          default -> throw wrong(tensor + " has an unknown field '" + field + "'");
        }
      }
      if (dtype == null || shape == null || offsets == null) {
        throw wrong(
            String.format(
                "%s has no %s",
                tensor, dtype == null ? "dtype" : shape == null ? "shape" : "data_offsets"));
      }
      if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
        throw wrong(tensor + " data_offsets are not [begin, end]: " + offsets);
      }
      long expected;
      try {
        expected = Safetensors.byteSize(dtype, shape);
      } catch (IllegalArgumentException e) {
        throw new ModelFormatException(file, tensor + ": " + e.getMessage(), e);
      }
      Slot slot = new Slot(dtype, List.copyOf(shape), offsets.get(0), offsets.get(1));
      if (slot.end() - slot.begin() != expected) {
        throw wrong(
            String.format(
                "%s: %s %s takes %d bytes, but its data_offsets %s span %d",
                tensor, dtype, shape, expected, offsets, slot.end() - slot.begin()));
      }
      return slot;
    }

    private List<Long> naturals(String what) throws IOException {
      expect(json.nextToken(), JsonToken.START_ARRAY, what);
      List<Long> values = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        expect(json.currentToken(), JsonToken.VALUE_NUMBER_INT, what);
        if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          throw wrong(what + " holds a number beyond 64 bits");
        }
        if (json.getLongValue() < 0) {
          throw wrong(what + " holds a negative number: " + json.getLongValue());
        }
        values.add(json.getLongValue());
      }
      return values;
    }

    private String text(String what) throws IOException {
      String text = json.getText();
      // An escape can spell half of a surrogate pair, which no other reader would accept.
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
        throw wrong(what + " is not valid Unicode");
      }
      return text;
    }

    private void expect(JsonToken got, JsonToken wanted, String what) throws ModelFormatException {
      if (got != wanted) {
        throw wrong(String.format("%s: expected %s, got %s", what, wanted, got));
      }
    }

    private ModelFormatException wrong(String reason) {
      return new ModelFormatException(file, reason);
    }
  }
}
