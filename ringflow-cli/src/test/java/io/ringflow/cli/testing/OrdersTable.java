package io.ringflow.cli.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A tiny table: where an order goes decides how it is paid. */
public final class OrdersTable {
  public static final int ROWS = 200;

  private OrdersTable() {}

  /** Writes it to a folder, and says where. */
  public static Path write(Path folder) throws IOException {
    return Files.writeString(folder.resolve("orders.csv"), text());
  }

  private static String text() {
    var random = new Random(1);
    var text = new StringBuilder("city,paid,amount\n");
    for (int i = 0; i < ROWS; i++) {
      int city = random.nextInt(3);
      text.append(List.of("Rome", "Oslo", "Paris").get(city)).append(',');
      text.append(i % 50 == 7 ? "NA" : city == 0 || random.nextInt(8) == 0 ? "no" : "yes");
      text.append(',').append(1 + i % 40).append('\n');
    }
    return text.toString();
  }

  /** Trains for about a second. */
  public static CommandResult train(Path data, Path out, Object... more) {
    List<Object> args = new ArrayList<>(List.of("train", data, "--out", out, "--device", "cpu"));
    args.addAll(
        List.of("--minutes", "0.02", "--missing", "NA", "--max-categories", 16, "--bins", 4));
    args.addAll(List.of(more));
    return CommandResult.of(args.toArray());
  }
}
