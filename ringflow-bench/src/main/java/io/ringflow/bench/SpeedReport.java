package io.ringflow.bench;

import java.util.List;
import java.util.Set;

/**
 * What became of a part of {@link SpeedTable}.
 *
 * @param tables and what is said of them
 * @param peerLines what the figures of the peer were read from
 * @param remarks a paragraph each, such as why a comparison is missing
 * @param failed if something should have worked, and did not
 */
record SpeedReport(String tables, List<String> peerLines, Set<String> remarks, boolean failed) {
  SpeedReport(String tables) {
    this(tables, List.of(), Set.of(), false);
  }

  /** Markdown. */
  String text() {
    StringBuilder text = new StringBuilder(tables.strip());
    if (!peerLines.isEmpty()) {
      text.append("\n\n```text\n").append(String.join("\n", peerLines)).append("\n```");
    }
    remarks.forEach(remark -> text.append("\n\n").append(remark));
    return text.append("\n").toString();
  }
}
