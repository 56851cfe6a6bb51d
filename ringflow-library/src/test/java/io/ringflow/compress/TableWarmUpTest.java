package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.CompressedFormatException;
import org.junit.jupiter.api.Test;

/** What warms up is coded as files are: it gets smaller, and comes back. */
final class TableWarmUpTest {
  @Test
  void theTableComesBack() throws CompressedFormatException {
    var table = new TableWarmUp();
    byte[] code = table.write();
    String rows = table.read(code);
    assertThat(rows.lines()).hasSize(1500).allMatch(row -> row.matches("k\\d+(,[\\d.]+){4}"));
    assertThat(code).hasSizeBetween(1000, rows.length() / 2);
    assertThat(table.write()).isEqualTo(code);
  }
}
