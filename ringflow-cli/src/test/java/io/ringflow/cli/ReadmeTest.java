package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.FlowModel;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's Java is compiled and run as it stands there. */
class ReadmeTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern CLASS = Pattern.compile("class (\\w+)");

  @TempDir Path folder;

  @Test
  void everySnippetCompilesAndRuns() throws Exception {
    List<String> snippets =
        JAVA.matcher(Files.readString(README)).results().map(found -> found.group(1)).toList();

    assertThat(snippets).isNotEmpty();
    for (String snippet : snippets) {
      Matcher name = CLASS.matcher(snippet);
      assertThat(name.find()).isTrue();
      compile(name.group(1), snippet);
      Path model = folder.resolve("model-of-" + name.group(1));
      run(name.group(1), model.toString());
      try (FlowModel loaded = FlowModel.load(model)) {
        double likely = loaded.logProb(new int[][] {{3, 4}})[0];
        // The pair has probability 1/6 * (0.9 + 0.1/6); 5,000 rows give it to a few percent.
        assertThat(likely).isCloseTo(Math.log((0.9 + 0.1 / 6) / 6), within(0.1));
      }
    }
  }

  private void compile(String name, String snippet) throws Exception {
    Path source = Files.writeString(folder.resolve(name + ".java"), snippet);
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

  private void run(String name, String... args) throws Exception {
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
      var main = loader.loadClass(name).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) args);
    }
  }
}
