package io.ringflow.cli.progress;

import io.ringflow.cli.report.Numbers;

/**
 * The unit that people read losses in.
 *
 * @param name such as {@code bits per character}
 * @param nats of a row that one unit is worth
 */
public record LossUnit(String name, double nats) {
  /** A trainer's loss, which is in nats per row, in this unit. */
  String show(double loss) {
    return Numbers.fixed(loss / nats) + " " + name;
  }
}
