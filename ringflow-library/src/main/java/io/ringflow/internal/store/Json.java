package io.ringflow.internal.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads and writes records as JSON files, strictly.
 *
 * <p>Unknown, missing or repeated fields, text after the value, null or a string for a number and a
 * fraction for an integer are all errors. Types are bound by their own annotations; nothing in a
 * file can name a class. Fields keep their declared order, so the same record gives the same bytes.
 * Safe for use by several threads.
 */
public final class Json {
  /** In bytes; the JSON of a model is far smaller, so that a larger file is none. */
  private static final int MAX_FILE = 100_000_000;

  /** Layers within layers cost two levels each; deeper ones would overflow the stack elsewhere. */
  private static final int MAX_DEPTH = 100;

  /** The parser of every JSON text in a model folder, the weights' header included. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // A shared table of names fails with its own exception once too many of them collide.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          // The file's size is the bound; a tighter one could refuse what we wrote ourselves.
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNameLength(MAX_FILE)
                  .maxStringLength(MAX_FILE)
                  .maxNestingDepth(MAX_DEPTH)
                  .build())
          .build();

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .defaultPrettyPrinter(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance()
                          .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                  .withObjectIndenter(new DefaultIndenter("  ", "\n")))
          .build();

  private static final Pattern MISSING_FIELD =
      Pattern.compile("Missing (required )?creator property .*");

  /** Jackson's remarks on where an object began, in its own notation. */
  private static final Pattern NOISE =
      Pattern.compile(" \\(start marker at \\[.*?\\]\\)| ?\\(?\\[Source: .*?\\]\\)?");

  private Json() {}

  /**
   * Writes a value as indented JSON, replacing the file all at once.
   *
   * @param file the file; its folder must exist
   * @param value a record, map, list or tree
   * @throws IllegalArgumentException if the value cannot be written as JSON
   * @throws IOException if the disk refuses; the old file, if any, then still stands
   */
  public static void write(Path file, Object value) throws IOException {
    String text = text(MAPPER.writerWithDefaultPrettyPrinter(), value) + "\n";
    // Strict, as reading is: half of a surrogate pair would come back as a question mark.
    ByteBuffer bytes;
    try {
      bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("value: holds text that is not valid Unicode", e);
    }
    AtomicFiles.replace(
        file,
        out -> {
          while (bytes.hasRemaining()) {
            out.write(bytes);
          }
        });
  }

  /**
   * Reads a value. To look at a version before binding the rest, read a {@code JsonNode} and {@link
   * #bind} it.
   *
   * @param file the file
   * @param type what it holds
   * @param <T> what it holds
   * @return the value, never null
   * @throws ModelFormatException if the file is missing, damaged or holds something else
   * @throws IOException if the disk refuses
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    String text;
    try (FileChannel in = AtomicFiles.open(file)) {
      long size = in.size();
      if (size > MAX_FILE) {
        throw new ModelFormatException(
            file, size + " bytes are too many for JSON; the limit is " + MAX_FILE);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      AtomicFiles.readFully(file, in, bytes, 0);
      text = AtomicFiles.decode(file, bytes.flip());
    }
    try {
      return present(file, MAPPER.readValue(text, type));
    } catch (JsonProcessingException e) {
      throw new ModelFormatException(file, reason(e), e);
    }
  }

  /**
   * Binds a tree that was read from a file.
   *
   * @param file where the tree came from, for messages
   * @param tree the tree
   * @param type what it holds
   * @param <T> what it holds
   * @return the value, never null
   * @throws ModelFormatException if the tree holds something else
   */
  public static <T> T bind(Path file, JsonNode tree, Class<T> type) throws ModelFormatException {
    return bind(file, tree, type, Set.of());
  }

  /**
   * Binds a tree whose types are named.
   *
   * @param subtypes that the names may stand for
   */
  public static <T> T bind(Path file, JsonNode tree, Class<T> type, Collection<Class<?>> subtypes)
      throws ModelFormatException {
    ObjectMapper mapper = MAPPER.copy();
    mapper.registerSubtypes(subtypes);
    try {
      return present(file, mapper.treeToValue(tree, type));
    } catch (JsonProcessingException e) {
      throw new ModelFormatException(file, reason(e), e);
    }
  }

  /** A value as a tree of JSON. */
  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * An object as it would come back from a file: maps, lists, strings, numbers and booleans.
   *
   * @param value a record or map
   * @throws IllegalArgumentException if the value cannot be written as JSON
   */
  @SuppressWarnings("unchecked") // JSON objects are maps by string
  public static Map<String, Object> plain(Object value) {
    try {
      return MAPPER.readValue(text(value), Map.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "value: is not a JSON object: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * An object as JSON in one line: the same text for equal values.
   *
   * @throws IllegalArgumentException if the value cannot be written as JSON
   */
  public static String text(Object value) {
    return text(MAPPER.writer(), value);
  }

  private static String text(ObjectWriter writer, Object value) {
    try {
      return writer.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "value: cannot be written as JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static <T> T present(Path file, T value) throws ModelFormatException {
    if (value == null || (value instanceof JsonNode tree && tree.isMissingNode())) {
      throw new ModelFormatException(file, "holds no value");
    }
    return value;
  }

  /** The error in one line, with its place: in the value if that is known, else in the text. */
  static String reason(JsonProcessingException e) {
    if (e instanceof JsonMappingException mapping) {
      String where = where(mapping);
      return where.isEmpty() ? message(mapping) : where + ": " + message(mapping);
    }
    String message = NOISE.matcher(e.getOriginalMessage()).replaceAll("");
    JsonLocation at = e.getLocation();
    return at == null
        ? "not valid JSON: " + message
        : String.format(
            "not valid JSON at line %d, column %d: %s", at.getLineNr(), at.getColumnNr(), message);
  }

  private static String message(JsonMappingException e) {
    if (e instanceof UnrecognizedPropertyException) {
      return "unknown field";
    }
    if (e instanceof InvalidTypeIdException unknown && unknown.getTypeId() != null) {
      return "unknown type '"
          + unknown.getTypeId()
          + "'; a class of one's own must be passed to load, by Parts.with";
    }
    if (e instanceof ValueInstantiationException && e.getCause() instanceof NullPointerException) {
      return "a field that needs a value is null";
    }
    // The record's constructor says best why it refuses a value.
    if (e instanceof ValueInstantiationException
        && e.getCause() != null
        && e.getCause().getMessage() != null) {
      return e.getCause().getMessage();
    }
    String message = NOISE.matcher(e.getOriginalMessage()).replaceAll("");
    return MISSING_FIELD.matcher(message).matches() ? "missing field" : message;
  }

  private static String where(JsonMappingException e) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : e.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return path.toString();
  }
}
