package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.table.TableModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java of README and docs is compiled and run as it stands there. Where a block of text follows
 * a program at once, that is what it prints.
 *
 * <p>Programs are given a folder to write a model to, a table and a text.
 */
@Tag("slow")
class SnippetTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern JAVA =
      Pattern.compile("```java\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", Pattern.DOTALL);
  private static final Pattern CLASS = Pattern.compile("class (\\w+)");

  @TempDir Path folder;

  /** A program of a page; prints null where the page does not say what. */
  record Snippet(String page, String name, String source, String prints) {
    static Snippet of(Path page, Matcher found) {
      Matcher name = CLASS.matcher(found.group(1));
      assertThat(name.find()).as("a class in %s", page).isTrue();
      return new Snippet(
          page.getFileName().toString(), name.group(1), found.group(1), found.group(2));
    }

    @Override
    public String toString() {
      return page + ": " + name;
    }
  }

  static List<Snippet> snippets() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      List<Path> pages =
          Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
              .filter(page -> page.toString().endsWith(".md"))
              .toList();
      List<Snippet> all = new ArrayList<>();
      for (Path page : pages) {
        Matcher found = JAVA.matcher(Files.readString(page));
        while (found.find()) {
          all.add(Snippet.of(page, found));
        }
      }
      return all;
    }
  }

  @Test
  void everyBlockOfJavaIsFound() throws IOException {
    assertThat(snippets())
        .extracting(Snippet::name)
        .containsExactly(
            "Orders",
            "OwnLayer",
            "OwnNetwork",
            "Chain",
            "Chosen",
            "GroupTraining",
            "Questions",
            "Predicted",
            "Gaps",
            "Observed",
            "Fidelity",
            "Counted",
            "Tempered",
            "OwnData",
            "Dice");
  }

  @ParameterizedTest
  @MethodSource("snippets")
  void compilesAndRuns(Snippet snippet) throws Exception {
    compile(snippet);
    Path model = folder.resolve("model");
    String printed = run(snippet, model.toString(), table().toString(), text().toString());
    if (snippet.prints != null) {
      assertThat(printed).isEqualTo(snippet.prints);
    }
    switch (snippet.name) {
      case "Dice" -> checkDice(model);
      case "Orders" -> checkOrders(model);
      case "OwnData" -> {
        assertThat(printed).contains("the same text: true");
        checkOrders(model);
      }
      default -> assertThat(printed).as("these say what they found").isNotEmpty();
    }
  }

  private static void checkDice(Path model) throws IOException {
    try (FlowModel loaded = FlowModel.load(model)) {
      double likely = loaded.logProb(new int[][] {{3, 4}})[0];
      // The pair has probability 1/6 * (0.9 + 0.1/6); 5,000 rows give it to a few percent.
      assertThat(likely).isCloseTo(Math.log((0.9 + 0.1 / 6) / 6), within(0.1));
    }
  }

  private static void checkOrders(Path model) throws IOException {
    try (FittedModel loaded = RingFlow.load(model)) {
      assertThat(loaded).isInstanceOf(TableModel.class);
      assertThat(((TableModel) loaded).codec().columns()).hasSize(2);
    }
  }

  /** OrdersTable from two cities; in one of them nobody pays late. */
  private Path table() throws IOException {
    var rows = new StringBuilder("city,paid\n");
    for (int row = 0; row < 400; row++) {
      rows.append(row % 2 == 0 ? "Rome,yes\n" : row % 4 == 1 ? "Oslo,yes\n" : "Oslo,late\n");
    }
    return Files.writeString(folder.resolve("orders.csv"), rows);
  }

  private Path text() throws IOException {
    return Files.writeString(
        folder.resolve("novel.txt"), "It was a dark and stormy night; the rain fell. ".repeat(20));
  }

  private void compile(Snippet snippet) throws IOException {
    Path source = Files.writeString(folder.resolve(snippet.name + ".java"), snippet.source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-d", folder.toString(), "-Xlint:all", "-Werror", "-proc:none");
      boolean compiled =
          compiler
              .getTask(complaints, files, null, options, null, files.getJavaFileObjects(source))
              .call();
      assertThat(compiled).as(complaints.toString()).isTrue();
    }
  }

  /** Returns what the program prints. */
  private String run(Snippet snippet, String... args) throws Exception {
    URL[] classes = {folder.toUri().toURL()};
    PrintStream before = System.out;
    var printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader());
        PrintStream screen = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(screen);
      var main = loader.loadClass(snippet.name).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) args);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
