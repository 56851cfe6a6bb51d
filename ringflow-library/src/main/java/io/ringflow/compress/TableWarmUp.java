package io.ringflow.compress;

import io.ringflow.compress.LineParser.End;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.mixing.BitCoder;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Sends a small table of numbers and categories through what codes cells, without a model, so that
 * Java has compiled it when a file comes.
 */
final class TableWarmUp {
  private static final int ROWS = 1500;
  private static final int CATEGORIES = 40;
  private static final List<String> NAMES = List.of("kind", "size", "price", "weight", "total");

  private final List<CellColumn> columns;
  private final int[][] related;
  private final TablePart part;

  TableWarmUp() {
    var random = new SplittableRandom(1);
    List<List<String>> rows = new ArrayList<>();
    var text = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      int kind = random.nextInt(1 + random.nextInt(CATEGORIES));
      int size = kind * 25 + random.nextInt(900);
      int price = 300 + 7 * size + random.nextInt(5000);
      List<String> row =
          List.of(
              "k" + kind,
              decimal(size),
              "" + price,
              decimal(3 * size + random.nextInt(300)),
              decimal(price + size));
      rows.add(row);
      text.append(String.join(",", row)).append('\n');
    }
    TableCodec codec = TableCodec.fit(DataTable.of(NAMES, rows), CodecOptions.DEFAULTS);
    columns = codec.columns().stream().map(CellColumn::new).toList();
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    part = TablePart.read(new LineParser(bytes, (byte) ',', NAMES.size()), bytes, columns, ROWS);
    int[] order = IntStream.range(0, NAMES.size()).toArray();
    related = TableLayout.related(columns, order, part.rows());
  }

  private static String decimal(int hundredths) {
    return hundredths / 100 + "." + hundredths / 10 % 10 + hundredths % 10;
  }

  /** Writes the table. */
  byte[] write() {
    BitCoder.Writing coder = BitCoder.writing();
    code(part.block(0, part.rows().size()), coder);
    return coder.finish();
  }

  /** Reads the table, and returns its rows. */
  String read(byte[] code) throws CompressedFormatException {
    BitCoder.Reading coder = BitCoder.reading(code);
    var block = new TableBlock(part.rows().size(), NAMES.size());
    code(block, coder);
    coder.finish();
    var text = new RowText();
    for (int row = 0; row < block.rows(); row++) {
      for (int c = 0; c < NAMES.size(); c++) {
        long value = block.values()[c][row];
        columns.get(c).write(block.ranks()[c][row], value, block.decimals()[c][row], false, text);
        text.add(c < NAMES.size() - 1 ? "," : End.LF.text(), false);
      }
    }
    return new String(text.bytes(), 0, text.size(), StandardCharsets.ISO_8859_1);
  }

  private void code(TableBlock block, BitCoder coder) {
    var cells = new CellCoding(columns, related, coder, block.rows());
    for (int row = 0; row < block.rows(); row++) {
      for (int c = 0; c < NAMES.size(); c++) {
        cells.code(block, c, row, node -> 0);
      }
    }
  }
}
