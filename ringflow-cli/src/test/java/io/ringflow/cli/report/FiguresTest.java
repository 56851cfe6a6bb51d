package io.ringflow.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.command.ReproduceCommand;
import io.ringflow.paper.harness.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Java without fonts draws nothing, and the run is not lost for it. */
class FiguresTest {
  private final StringWriter err = new StringWriter();
  private final List<Figure> metrics =
      List.of(
          new HeatmapFigure(new Outcome.Heatmap("name", "Title", "x", "y", new double[][] {{1}})));

  @Test
  void missingLibrariesAreOneLineAndNoFigures() throws IOException {
    List<Figure> drawn =
        ReproduceCommand.drawn(
            metrics,
            all -> {
              throw new UnsatisfiedLinkError("libharfbuzz.so.0: cannot open");
            },
            new PrintWriter(err, true));

    assertThat(drawn).isEmpty();
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "ringflow: no figures, this Java can't draw text: libharfbuzz.so.0: cannot open\n");
  }

  @Test
  void whatCanBeDrawnIsReturned() throws IOException {
    assertThat(ReproduceCommand.drawn(metrics, all -> {}, new PrintWriter(err, true)))
        .isEqualTo(metrics);
    assertThat(err.toString()).isEmpty();
  }
}
