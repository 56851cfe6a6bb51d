package io.ringflow.model;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What the symbols of a model stand for: the content of {@code codec.json}. A plain value. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public interface Codec {}
