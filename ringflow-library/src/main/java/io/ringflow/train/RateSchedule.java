package io.ringflow.train;

import io.ringflow.train.TrainingOptions.Span;

/** The curve of learning rates: it begins and ends with a span, outside of which they are zero. */
final class RateSchedule {
  /** Share of a span over which rates rise, where it can't be counted in steps. */
  private static final double LATE_WARMUP = 0.05;

  private RateSchedule() {}

  /** What a rate is multiplied with, after a number of steps and at a share of the training. */
  static double factor(TrainingOptions options, Span span, long step, double share) {
    if (share < span.from() || (share >= span.to() && span.to() < 1)) {
      return 0;
    }
    double within = (share - span.from()) / (span.to() - span.from());
    if (span.from() > 0 && options.timeBudgetSeconds() < Double.POSITIVE_INFINITY) {
      // Nobody knows at which step the span began: the rates rise over a share of it.
      return factor(options, Math.min(1, within / LATE_WARMUP), within);
    }
    long sinceItBegan = Math.max(0, step - Math.round(span.from() * options.steps()));
    long warmupSteps = options.warmupSteps();
    double warmth = warmupSteps == 0 ? 1 : Math.min(1, (sinceItBegan + 1.0) / warmupSteps);
    return factor(options, warmth, within);
  }

  private static double factor(TrainingOptions options, double warmth, double share) {
    double minimum = options.minimumRate();
    return warmth * (minimum + (1 - minimum) * options.rateDecay().at(share));
  }

  /** One of several equal parts of a span. */
  static Span part(Span span, int part, int parts) {
    return new Span(begin(span, part, parts), begin(span, part + 1, parts));
  }

  /** Where a part begins; where the span ends if there is none. */
  private static double begin(Span span, int part, int parts) {
    // One number for the end of a part and the begin of the next: no step falls between.
    return part == parts ? span.to() : span.from() + (span.to() - span.from()) * part / parts;
  }
}
