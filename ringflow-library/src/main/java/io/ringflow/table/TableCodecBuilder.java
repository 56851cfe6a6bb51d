package io.ringflow.table;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import java.util.List;

/** Reads a codec's JSON, which does not speak of missing values where none are summed out. */
@JsonPOJOBuilder
final class TableCodecBuilder {
  private final List<TableColumn> columns;
  private List<ValueCounts> summedOut = List.of();

  @JsonCreator
  TableCodecBuilder(@JsonProperty("columns") List<TableColumn> columns) {
    this.columns = columns;
  }

  @JsonProperty("summedOut")
  TableCodecBuilder withSummedOut(List<ValueCounts> cells) {
    summedOut = cells;
    return this;
  }

  TableCodec build() {
    return new TableCodec(columns, summedOut);
  }
}
