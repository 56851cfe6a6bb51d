package io.ringflow.cli.report;

import java.util.List;

/**
 * Builds an HTML page that needs no other file and no network. What it is given is text, and
 * escaped; only figures are markup.
 */
final class HtmlPage {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1d1d1f; --soft: #6b6b70; --line: #dddde2; --paper: #fff; --card: #f7f7f9;
              --warn: #8a5a00; --warn-paper: #fff6e0; --real: #4a7fb0; --sampled: #d55e00; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #e8e8ea; --soft: #a0a0a8; --line: #3a3a40; --paper: #171717; --card: #1f1f22;
                --warn: #ffd27a; --warn-paper: #3a2f14; --real: #5f8fbd; --sampled: #ff8a3d; }
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
      .small { color: var(--soft); font-size: .87rem; max-width: 60rem; }
      .pictures { margin-bottom: 1.2rem; }
      .pictures.shares { grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); }
      .pictures.wide-pictures { grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); }
      .shares figure, .wide-pictures figure, .beside figure { background: var(--paper); }
      .beside { display: grid; gap: 1.2rem; align-items: start;
                grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); }
      .beside table { font-size: .85rem; }
      .beside th, .beside td { padding: .2rem .6rem; }
      .beside .number { width: 3.5rem; }
      figcaption { font-weight: 600; margin-bottom: .5rem; overflow-wrap: anywhere; }
      figcaption span { display: block; color: var(--soft); font-weight: 400; font-size: .8rem; }
      .legend span { margin-right: 1.4rem; white-space: nowrap; }
      .legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .45em; }
      i.real { background: var(--real); }
      i.sampled { background: var(--sampled); }
      figure svg { display: block; width: 100%; height: auto; }
      svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
      svg .tiny { font-size: 9.5px; fill: var(--soft); }
      svg .soft { fill: var(--soft); font-size: 11px; }
      svg .end { text-anchor: end; }
      svg .middle { text-anchor: middle; }
      svg rect.real { fill: var(--real); }
      svg polyline.real { fill: var(--real); fill-opacity: .45; }
      svg rect.sampled { fill: var(--sampled); }
      svg rect.field { fill: var(--card); }
      svg rect.grid { fill: var(--line); }
      svg rect.tip { fill: transparent; }
      svg polyline.sampled { fill: none; stroke: var(--sampled); stroke-width: 1.6; stroke-linejoin: round; }
      svg line.grid { stroke: var(--line); }
      svg line.branch { stroke: var(--soft); }
      @media (max-width: 40rem) {
        body { padding: 1.5rem 1rem 3rem; }
        th, td { padding: .4rem .45rem; }
      }
      """;

  private final StringBuilder page = new StringBuilder();

  HtmlPage(String title) {
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>")
        .append(Markup.escape(title))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n");
    element("h1", "", title);
  }

  /** Returns the whole page. */
  String html() {
    return page + "</body>\n</html>\n";
  }

  void heading(String text) {
    element("h2", "", text);
  }

  /**
   * Adds a paragraph.
   *
   * @param cssClass empty for a plain one
   */
  void paragraph(String cssClass, String text) {
    element("p", cssClass, text);
  }

  void list(List<String> items) {
    page.append("<ul>\n");
    items.forEach(item -> element("li", "", item));
    page.append("</ul>\n");
  }

  void preformatted(String text) {
    element("pre", "", text);
  }

  void table(TextTable table) {
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

  /**
   * Adds pictures.
   *
   * @param gridClass how they are laid out
   * @param markup of each picture, which is trusted
   */
  void figures(String gridClass, List<String> markup) {
    page.append("<div class=\"").append(gridClass).append("\">\n");
    markup.forEach(figure -> page.append("<figure>").append(figure).append("</figure>\n"));
    page.append("</div>\n");
  }

  /** Says what the two colours of pictures stand for. */
  void legend(String real, String sampled) {
    page.append("<p class=\"legend\"><span><i class=\"real\"></i>")
        .append(Markup.escape(real))
        .append("</span> <span><i class=\"sampled\"></i>")
        .append(Markup.escape(sampled))
        .append("</span></p>\n");
  }

  /** Adds a picture and a table, side by side where there is room. */
  void beside(String markup, TextTable table) {
    page.append("<div class=\"beside\">\n<figure>").append(markup).append("</figure>\n");
    table(table);
    page.append("</div>\n");
  }

  /** Returns the markup of what stands above a picture. */
  static String caption(String name, String more) {
    return "<figcaption>"
        + Markup.escape(name)
        + "<span>"
        + Markup.escape(more)
        + "</span></figcaption>";
  }

  private void element(String tag, String cssClass, String text) {
    page.append('<').append(tag);
    if (!cssClass.isEmpty()) {
      page.append(" class=\"").append(cssClass).append('"');
    }
    page.append('>').append(Markup.escape(text)).append("</").append(tag).append(">\n");
  }
}
