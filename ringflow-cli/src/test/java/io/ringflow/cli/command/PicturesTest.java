package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.report.Picture;
import io.ringflow.paper.harness.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Java without fonts draws nothing, and the run is not lost for it. */
class PicturesTest {
  private final StringWriter err = new StringWriter();
  private final List<Picture> pictures =
      Picture.of(
          new Outcome(
              List.of(),
              List.of(),
              List.of(new Outcome.Heatmap("name", "Title", "x", "y", new double[][] {{1}})),
              List.of(),
              List.of(),
              List.of()));

  @Test
  void missingLibrariesAreOneLineAndNoPictures() throws IOException {
    List<Picture> drawn =
        ExperimentRun.drawn(
            pictures,
            all -> {
              throw new UnsatisfiedLinkError("libharfbuzz.so.0: cannot open");
            },
            new PrintWriter(err, true));

    assertThat(drawn).isEmpty();
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "ringflow: no pictures, this Java can't draw text: libharfbuzz.so.0: cannot open\n");
  }

  @Test
  void whatCanBeDrawnIsReturned() throws IOException {
    assertThat(ExperimentRun.drawn(pictures, all -> {}, new PrintWriter(err, true)))
        .isEqualTo(pictures);
    assertThat(err.toString()).isEmpty();
  }
}
