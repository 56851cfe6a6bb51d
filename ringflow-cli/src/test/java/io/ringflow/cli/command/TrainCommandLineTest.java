package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.OrdersTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Command lines of {@code train} that make no sense. */
final class TrainCommandLineTest {
  @TempDir Path folder;

  @Test
  void nothingIsTrainedByOptionsThatMakeNoSense() throws IOException {
    Path orders = OrdersTable.write(folder);
    Path out = folder.resolve("m");
    OrdersTable.train(orders, out, "--model", "best")
        .isMisused("train", "--model must be autoregressive, group or bipartite, but is 'best'");
    OrdersTable.train(orders, out, "--model", "group", "--passes", 2)
        .isMisused("train", "--model and --passes exclude each other");
    OrdersTable.train(orders, out, "--passes", 0)
        .isMisused("train", "--passes must be at least 1, but is 0");
    OrdersTable.train(orders, out, "--text", "--bytes")
        .isMisused("train", "--table, --text and --bytes exclude each other");
    OrdersTable.train(orders, out, "--text")
        .isMisused(
            "train",
            "--separator, --header, --missing, --missing-cells, --max-categories, --bins and --min-count are"
                + " for tables, but "
                + orders
                + " is taken for a text; --table says otherwise");
    OrdersTable.train(orders, out, "--missing-cells", "drop")
        .isMisused("train", "--missing-cells must be symbol or sum-out, but is 'drop'");
    OrdersTable.train(orders, out, "--min-count", 0)
        .isMisused("train", "--min-count must be in 1..2147483647, but is 0");
    OrdersTable.train(orders, out, "--header", "maybe")
        .isMisused("train", "--header must be yes or no, but is 'maybe'");
    OrdersTable.train(orders, out, "--separator", "::")
        .isMisused("train", "--separator must be one character, or tab, but is '::'");
    OrdersTable.train(orders, out, "--separator", "x")
        .isMisused(
            "train", "--separator must be a blank or a sign such as , ; or |, but is 'x' U+0078");
    CommandResult.of("train", orders).isMisused("train", "Missing required option: '--out=MODEL'");
    CommandResult.of("train", orders, "--out", out, "--minutes", "0")
        .isMisused(
            "train",
            "Invalid value for option '--minutes': '0' is not a positive number of minutes");
    assertThat(out).doesNotExist();
  }
}
