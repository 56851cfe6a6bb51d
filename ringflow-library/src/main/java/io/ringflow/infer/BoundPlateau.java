package io.ringflow.infer;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Notices when a training's bound no longer grows: when over a share of the training the mean of
 * the later half is not above that of the earlier half by more than two standard errors.
 *
 * <p>What was seen while the target was annealed does not count, and what was seen by the reverse
 * divergence counts only where nearly every sample is worth one of the target's: otherwise the
 * forward one still has something to spread.
 */
final class BoundPlateau {
  private static final double MIN_ESS = 0.9;
  private static final double ERRORS = 2;

  /** Fewer reports would make halves of one or two. */
  private static final int MIN_REPORTS = 6;

  /** A report of some steps. */
  private record Report(double share, Estimate bound) {}

  private final double annealed;
  private final double reverse;
  private final double patience;
  private final Deque<Report> reports = new ArrayDeque<>();
  private boolean spread; // whether reports are of the forward divergence
  private boolean reached;

  /**
   * Has seen nothing yet.
   *
   * @param pathwise whether there is no forward divergence to come
   * @param patience share of the training that is looked at; 0 to notice nothing
   */
  BoundPlateau(InferenceOptions options, boolean pathwise, double patience) {
    this.annealed = options.annealedShare();
    this.reverse = pathwise ? 0 : options.reverseShare();
    this.patience = patience;
  }

  /** Hears of some more steps that ended at a share of the training. */
  void add(double share, Estimate bound, double ess) {
    if (patience == 0 || share < annealed) {
      return;
    }
    if (!Double.isFinite(bound.value()) || (!spread && share >= reverse)) {
      spread = share >= reverse;
      reports.clear();
      return; // the steps of this report may be of both kinds
    }
    reports.add(new Report(share, bound));
    boolean whole = false; // whether the reports span all that is looked at
    while (share - reports.getFirst().share() > patience) {
      reports.removeFirst();
      whole = true;
    }
    reached = whole && reports.size() >= MIN_REPORTS && (spread || ess > MIN_ESS) && isFlat();
  }

  private boolean isFlat() {
    double middle = reports.getLast().share() - patience / 2;
    double[] sums = new double[2];
    double[] variances = new double[2];
    int[] counts = new int[2];
    for (Report report : reports) {
      int half = report.share() > middle ? 1 : 0;
      sums[half] += report.bound().value();
      variances[half] += report.bound().standardError() * report.bound().standardError();
      counts[half]++;
    }
    if (counts[0] == 0 || counts[1] == 0) {
      return false;
    }
    double growth = sums[1] / counts[1] - sums[0] / counts[0];
    double error =
        Math.sqrt(variances[0] / counts[0] / counts[0] + variances[1] / counts[1] / counts[1]);
    return growth <= ERRORS * error;
  }

  /** Whether the bound has stopped growing. */
  boolean isReached() {
    return reached;
  }
}
