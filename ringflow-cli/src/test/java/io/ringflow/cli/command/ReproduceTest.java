package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.cli.Main;
import io.ringflow.cli.testing.PicturesExperiment;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One run of the fake experiment, looked at from all sides. */
@Tag("slow")
final class ReproduceTest {
  @TempDir static Path folder;

  private static final StringWriter OUT = new StringWriter();
  private static final StringWriter ERR = new StringWriter();

  @BeforeAll
  static void run() {
    Path run = folder.resolve("new/run");
    for (int time = 0; time < 2; time++) { // the second replaces the first
      OUT.getBuffer().setLength(0);
      ERR.getBuffer().setLength(0);
      int exitCode =
          Main.execute(
              List.of(new PicturesExperiment()),
              new PrintWriter(OUT),
              new PrintWriter(ERR),
              "reproduce",
              "--quick",
              "--device",
              "cpu",
              "fake",
              "--seed",
              "5",
              "--out",
              run.toString());
      assertThat(exitCode).as(ERR.toString()).isZero();
    }
  }

  private static Path file(String name) {
    return folder.resolve("new/run").resolve(name);
  }

  @Test
  void resultsHoldEveryRun() throws IOException {
    List<Result> results = ResultsFile.read(file("results.json"));
    assertThat(results).hasSize(4);
    double seconds = results.get(0).seconds();
    assertThat(seconds).isPositive();
    assertThat(results.get(0))
        .isEqualTo(
            new Result(
                "fake",
                "K=90",
                "1 layer, location only",
                "nll",
                "nats",
                6.69,
                null,
                6.31,
                6.9,
                5,
                seconds,
                "cpu"));
    assertThat(results.get(1).value()).isNaN();
    JsonNode json = new ObjectMapper().readTree(Files.readString(file("results.json")));
    assertThat(json.get(1).get("paper").isNull()).isTrue();
  }

  @Test
  void metricsAreOneObjectPerEventWithItsLabel() throws IOException {
    var events = new ArrayList<JsonNode>();
    for (String line : Files.readAllLines(file("metrics.jsonl"))) {
      events.add(new ObjectMapper().readTree(line));
    }
    assertThat(events).hasSize(2 * (1 + 4 + 1));
    for (int seed = 5; seed <= 6; seed++) { // side by side, so their lines may be mixed
      String label = "K=90, 1 layer, location only, seed " + seed;
      List<JsonNode> own =
          events.stream().filter(event -> event.get("label").asText().equals(label)).toList();
      assertThat(own.stream().map(event -> event.get("event").asText()))
          .containsExactly("started", "progress", "progress", "progress", "progress", "finished");
      assertThat(own.get(1).get("step").asLong()).isEqualTo(50);
      assertThat(own.get(5).get("steps").asLong()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring-data", "xor", "empty", "loss", "single", "blank"})
  void everyFigureIsAPictureInTwoFormats(String name) throws Exception {
    byte[] png = Files.readAllBytes(file("figures/" + name + ".png"));
    var image = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(image.getWidth()).isGreaterThan(300);
    byte[] svg = Files.readAllBytes(file("figures/" + name + ".svg"));
    assertThat(svg.length).isLessThan(200_000);
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    var document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
  }

  @Test
  void theHeatmapIsBrightWhereTheMassIs() throws IOException {
    var image = ImageIO.read(file("figures/xor.png").toFile());
    // Two by two cells, of viridis' two ends; x = 0, y = 1 is at the top left.
    assertThat(image.getRGB(200, 200) & 0xffffff).isEqualTo(0xfde725);
    assertThat(image.getRGB(200, 600) & 0xffffff).isEqualTo(0x440154);
    assertThat(image.getRGB(600, 600) & 0xffffff).isEqualTo(0xfde725);
  }

  @Test
  void theReportNeedsNothingElse() throws IOException {
    String html = Files.readString(file("report.html"));
    assertThat(html)
        .contains("A fake experiment, with &lt;markup&gt; &amp; more")
        .contains("6.695 ± 0.005", "7.341", "6.900", "6.310", "NaN", "6.7 to 6.9")
        .contains("Scores are exact")
        .contains("seeds 5 to 6")
        .contains("A quick run")
        .contains("<pre>  12 &lt; 30\n+ 18\n= 30</pre>", "Sums &amp; signs")
        .doesNotContain("<script", "<link", "@import");
    var references = Pattern.compile("(?:src|href)=\"([^\"]*)\"").matcher(html).results();
    assertThat(references.map(match -> match.group(1)))
        .isNotEmpty()
        .allSatisfy(target -> assertThat(target).startsWith("data:"));
    assertThat(html.replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
        .doesNotContain("http://", "https://");
  }

  @Test
  void theTableIsPrinted() {
    // How long training took is not to be known.
    assertThat(
            OUT.toString()
                .lines()
                .map(line -> line.strip().replaceAll("\\d+\\.\\d( +5-6)$", "0.1$1")))
        .contains(
            "setting  model                        NLL (nats)  worst  floor  above floor  factorised"
                + "  family optimum  paper  peers       seconds  seeds",
            "K=90     1 layer, location only  6.695 +/- 0.005  6.700  6.310        0.385       7.341"
                + "           6.690  6.900  6.7 to 6.9      0.1    5-6",
            "K=90     diverged                            NaN    NaN  6.310          NaN           -"
                + "               -      -  -               0.1    5-6",
            "Sums & signs",
            "12 < 30",
            "Note: a quick run; these are not the experiment's results.",
            "Report: " + file("report.html"));
  }

  @Test
  void progressGoesToTheErrorStream() {
    assertThat(ERR.toString().lines().map(line -> line.replaceAll("[0-9.]+ s, [0-9.]+", "…")))
        .containsExactlyInAnyOrder(
            "K=90, 1 layer, location only, seed 5: done after 200 steps in … nats",
            "K=90, 1 layer, location only, seed 6: done after 200 steps in … nats");
  }

  @Test
  void nothingUnfinishedStays() throws IOException {
    try (var files = Files.walk(file(""))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".part") || name.startsWith("."))
          .doesNotContain("checkpoints");
    }
  }
}
