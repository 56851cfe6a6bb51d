package io.ringflow.cli.report;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Writes a run as one HTML page that needs no other file and no network. */
public final class Report {
  private Report() {}

  /**
   * Returns the page.
   *
   * @param experiment what ran
   * @param settings as the user chose
   * @param outcome what it found
   * @param tables the outcome's, as printed
   * @param pictures the outcome's, as drawn
   */
  public static String html(
      Experiment experiment,
      Experiment.Settings settings,
      Outcome outcome,
      List<TextTable> tables,
      List<Picture> pictures) {
    var page = new HtmlPage(experiment.title());
    page.paragraph("facts", facts(experiment, settings));
    if (settings.effort() == Effort.QUICK) {
      page.paragraph(
          "quick",
          "A quick run, made to see that everything works: these are not the experiment's results.");
    }
    if (!tables.isEmpty()) {
      page.heading("Results");
      tables.forEach(page::table);
      page.paragraph("small", legend(settings));
    }
    if (!outcome.notes().isEmpty()) {
      page.heading("Notes");
      page.list(outcome.notes());
    }
    for (Outcome.Listing listing : outcome.listings()) {
      page.heading(listing.title());
      page.preformatted(String.join("\n", listing.lines()));
    }
    append(page, "Heatmaps", "pictures", pictures, HeatmapPicture.class);
    append(page, "Curves", "pictures charts", pictures, LineChartPicture.class);
    return page.html();
  }

  private static String facts(Experiment experiment, Experiment.Settings settings) {
    String seeds =
        settings.seeds() == 1
            ? "seed " + settings.seed()
            : "seeds " + settings.seed() + " to " + (settings.seed() + settings.seeds() - 1);
    return "ringflow reproduce "
        + experiment.name()
        + RunInfo.option(settings.effort())
        + RunInfo.dataAndTime(settings)
        + " · "
        + seeds
        + " · "
        + settings.device();
  }

  private static String legend(Experiment.Settings settings) {
    String spread =
        settings.seeds() > 1 ? "± is half the range over seeds, the worst the highest. " : "";
    return spread
        + "No model can be below the floor. Seconds are of training, the mean over runs; results.json has every run.";
  }

  private static void append(
      HtmlPage page,
      String heading,
      String gridClass,
      List<Picture> pictures,
      Class<? extends Picture> kind) {
    List<String> images = pictures.stream().filter(kind::isInstance).map(Report::image).toList();
    if (!images.isEmpty()) {
      page.heading(heading);
      page.figures(gridClass, images);
    }
  }

  /** As an image, since the ids inside would clash with those of other pictures. */
  private static String image(Picture picture) {
    return "<img alt=\"%s\" src=\"data:image/svg+xml;base64,%s\">"
        .formatted(
            Markup.escape(picture.title()),
            Base64.getEncoder().encodeToString(picture.svg().getBytes(StandardCharsets.UTF_8)));
  }
}
