package io.ringflow.data;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What the symbols of a model stand for: the content of {@code codec.json}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = TableCodec.class, name = "table"),
  @JsonSubTypes.Type(value = TextCodec.class, name = "text")
})
public sealed interface Codec permits TableCodec, TextCodec {}
