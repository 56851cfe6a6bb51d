package io.ringflow.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.ringflow.table.TableCodec;
import io.ringflow.text.TextCodec;

/** What the symbols of a model stand for: the content of {@code codec.json}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = TableCodec.class, name = "table"),
  @JsonSubTypes.Type(value = TextCodec.class, name = "text")
})
public interface Codec {}
