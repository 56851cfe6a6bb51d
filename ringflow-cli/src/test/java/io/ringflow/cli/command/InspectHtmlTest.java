package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.OrdersTable;
import io.ringflow.core.Device;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a table's model. */
@Tag("slow")
final class InspectHtmlTest {
  private static final String HOSTILE = "</title><script>alert('1')</script>";

  @TempDir static Path shared;
  private static Path orders;
  private static Path model;

  @TempDir Path folder;

  /** The orders, with names and values that would like to be markup. */
  @BeforeAll
  static void train() throws IOException {
    orders = OrdersTable.write(shared);
    String text =
        Files.readString(orders)
            .replace("Oslo", "\"<b onclick=\"\"x\"\">&amp;\"")
            .replace("city,", "\"" + HOSTILE + "\",");
    Files.writeString(orders, text);
    model = shared.resolve("orders.model");
    OrdersTable.train(orders, model).output();
  }

  private CommandResult inspect(Path page, Object... more) {
    Object[] args = new Object[more.length + 4];
    args[0] = "inspect";
    args[1] = model;
    args[2] = "--html";
    args[3] = page;
    System.arraycopy(more, 0, args, 4, more.length);
    return CommandResult.of(args);
  }

  private String page(Object... more) throws IOException {
    Path page = folder.resolve("page.html");
    assertThat(inspect(page, more).output()).isEqualTo("Report: " + page + "\n");
    String html = Files.readString(page);
    Files.delete(page);
    return html;
  }

  @Test
  void thePageHasAllPartsAndTheSameSeedGivesTheSame() throws IOException {
    String html = page("--data", orders, "--rows", 300);
    assertThat(html)
        .contains("<h1>orders.model</h1>")
        .contains("real: 200 rows of orders.csv", "sampled: 300 rows of the model")
        .containsSubsequence(
            "How much it has learned",
            "Columns, real and sampled",
            "Pairs of columns",
            "Sampled minus real",
            "What depends on what",
            "Least likely rows",
            "Of all 200 rows of orders.csv.",
            "the nearest of 180 training rows",
            "equal to a training row: ",
            "The model");
    assertThat(page("--data", orders, "--rows", 300)).isEqualTo(html);
    assertThat(page("--data", orders, "--rows", 300, "--seed", 2)).isNotEqualTo(html);
  }

  @Test
  void whatComesFromTheDataIsNoMarkup() throws IOException {
    String html = page("--data", orders, "--rows", 50);
    assertThat(html).doesNotContain("<script", "<b ", "http:", "https:");
    assertThat(html).contains("&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
    assertThat(html).contains("&lt;b onclick=&quot;x&quot;&gt;");
    for (String tag : new String[] {"svg", "text", "figure", "table", "tr", "td", "p", "div"}) {
      assertThat(count("<" + tag + "[ >]", html)).as(tag).isEqualTo(count("</" + tag + ">", html));
    }
  }

  private static long count(String regex, String html) {
    return Pattern.compile(regex).matcher(html).results().count();
  }

  @Test
  void withoutDataThereIsWhatTheModelKnows() throws IOException {
    String html = page("--rows", 50);
    assertThat(html)
        .contains("real: all 200 rows of training", "strongest pairs", "--data FILE.csv adds")
        .doesNotContain("Least likely rows", "Nearest rows");
  }

  @Test
  void otherRowsHaveNoNearestTrainingRows() throws IOException {
    Path others = folder.resolve("others.csv");
    Files.write(others, Files.readAllLines(orders).subList(0, 100));
    assertThat(page("--data", others, "--rows", 50))
        .contains("Of 50 of the 99 rows, chosen at random, of others.csv.")
        .contains("others.csv is not the table that the model was trained on");
  }

  @Test
  void whatMakesNoSenseIsSaidInALine() throws IOException {
    Path page = folder.resolve("page.html");
    inspect(page, "--rows", 0).isMisused("inspect", "--rows must be at least 1, but is 0");
    CommandResult.of("inspect", model, "--data", orders)
        .isMisused("inspect", "--data needs --html");
    CommandResult.of("inspect", model, "--rows", 5).isMisused("inspect", "--rows needs --html");
    inspect(page, "--field").isMisused("inspect", "--field is listed without --html");
    Path symbols = folder.resolve("symbols");
    try (FlowModel flow =
        FlowModel.create(Architecture.of(Space.of(2, 2), new FactorizedBase()), Device.CPU, 1)) {
      flow.save(symbols);
    }
    CommandResult.of("inspect", symbols, "--html", page)
        .isMisused("inspect", "--html is for models of tables, and " + symbols + " is another one");
    Path other = Files.writeString(folder.resolve("other.csv"), "paid,size\nno,1\nyes,2\n");
    assertThat(inspect(page, "--data", other).err())
        .startsWith("ringflow: " + other + ": the table must have the columns of training");
    assertThat(page).doesNotExist();
    Files.writeString(page, "mine");
    inspect(page).fails(page + ": is there already; --overwrite replaces it");
    assertThat(page).hasContent("mine");
    assertThat(inspect(page, "--rows", 20, "--overwrite").code()).isZero();
  }
}
