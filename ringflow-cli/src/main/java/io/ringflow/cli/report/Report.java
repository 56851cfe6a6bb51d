package io.ringflow.cli.report;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Writes a run as one HTML page that needs no other file and no network. */
public final class Report {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1d1d1f; --soft: #6b6b70; --line: #dddde2; --paper: #fff; --card: #f7f7f9;
              --warn: #8a5a00; --warn-paper: #fff6e0; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #e8e8ea; --soft: #a0a0a8; --line: #3a3a40; --paper: #171717; --card: #1f1f22;
                --warn: #ffd27a; --warn-paper: #3a2f14; }
        .charts img { filter: invert(0.91) hue-rotate(180deg); }
      }
      * { box-sizing: border-box; }
      body { margin: 0 auto; padding: 3rem 1.5rem 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
             font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
      h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
      h2 { font-size: 1.15rem; margin: 2.6rem 0 .8rem; }
      .facts { color: var(--soft); margin: 0 0 1.6rem; }
      .quick { color: var(--warn); background: var(--warn-paper); border-radius: 8px; padding: .7rem 1rem; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; font-size: .93rem; margin-bottom: .6rem; }
      th, td { padding: .5rem .8rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
      th { color: var(--soft); font-weight: 600; white-space: nowrap; border-bottom-width: 2px; }
      td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      .pictures { display: grid; gap: 1.2rem; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); }
      .pictures.charts { grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
      figure { margin: 0; padding: .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
      .charts figure { background: var(--paper); }
      .pictures:not(.charts) img { border-radius: 4px; }
      figure img { display: block; width: 100%; height: auto; }
      pre { overflow-x: auto; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line);
            border-radius: 10px; font-size: .87rem; line-height: 1.4; }
      .small { color: var(--soft); font-size: .87rem; }
      """;

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
    var page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>")
        .append(Markup.escape(experiment.title()))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n");
    element(page, "h1", "", experiment.title());
    element(page, "p", "facts", facts(experiment, settings));
    if (settings.effort() == Effort.QUICK) {
      element(
          page,
          "p",
          "quick",
          "A quick run, made to see that everything works: these are not the experiment's results.");
    }
    if (!tables.isEmpty()) {
      element(page, "h2", "", "Results");
      tables.forEach(table -> append(page, table));
      element(page, "p", "small", legend(settings));
    }
    if (!outcome.notes().isEmpty()) {
      element(page, "h2", "", "Notes");
      page.append("<ul>\n");
      outcome.notes().forEach(note -> element(page, "li", "", note));
      page.append("</ul>\n");
    }
    for (Outcome.Listing listing : outcome.listings()) {
      element(page, "h2", "", listing.title());
      element(page, "pre", "", String.join("\n", listing.lines()));
    }
    append(page, "Heatmaps", "pictures", pictures, HeatmapPicture.class);
    append(page, "Curves", "pictures charts", pictures, LineChartPicture.class);
    return page.append("</body>\n</html>\n").toString();
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

  private static void append(StringBuilder page, TextTable table) {
    page.append("<div class=\"wide\"><table>\n<thead><tr>");
    for (TextTable.Column column : table.columns()) {
      page.append(column.numeric() ? "<th class=\"number\">" : "<th>")
          .append(Markup.escape(column.heading()))
          .append("</th>");
    }
    page.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : table.rows()) {
      page.append("<tr>");
      for (int column = 0; column < row.size(); column++) {
        page.append(table.columns().get(column).numeric() ? "<td class=\"number\">" : "<td>")
            .append(Markup.escape(row.get(column)))
            .append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</tbody>\n</table></div>\n");
  }

  private static void append(
      StringBuilder page,
      String heading,
      String gridClass,
      List<Picture> pictures,
      Class<? extends Picture> kind) {
    List<Picture> shown = pictures.stream().filter(kind::isInstance).toList();
    if (shown.isEmpty()) {
      return;
    }
    element(page, "h2", "", heading);
    page.append("<div class=\"").append(gridClass).append("\">\n");
    for (Picture picture : shown) {
      // As images, since the ids inside would clash with those of other pictures.
      page.append("<figure><img alt=\"")
          .append(Markup.escape(picture.title()))
          .append("\" src=\"data:image/svg+xml;base64,")
          .append(
              Base64.getEncoder().encodeToString(picture.svg().getBytes(StandardCharsets.UTF_8)))
          .append("\"></figure>\n");
    }
    page.append("</div>\n");
  }

  private static void element(StringBuilder page, String tag, String cssClass, String text) {
    page.append('<').append(tag);
    if (!cssClass.isEmpty()) {
      page.append(" class=\"").append(cssClass).append('"');
    }
    page.append('>').append(Markup.escape(text)).append("</").append(tag).append(">\n");
  }
}
