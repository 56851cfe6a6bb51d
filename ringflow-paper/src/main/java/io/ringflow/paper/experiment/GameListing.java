package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Outcome.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the predictions of several models are worth, as lines of a report. */
final class GameListing {
  private final boolean nats;
  private final List<String> lines = new ArrayList<>();

  private GameListing(boolean nats, String counted) {
    this.nats = nats;
    lines.add(
        String.format(
            Locale.ROOT,
            "%-44s %8s %9s %9s %9s %9s",
            "network",
            counted,
            "log-loss",
            "ranks",
            "scaled",
            "shifts"));
  }

  /** Bits a predicted symbol: for texts, whose positions are alike. */
  static GameListing bitsASymbol() {
    return new GameListing(false, "share");
  }

  /**
   * Nats for all predicted symbols of a row: for tables, whose positions are not alike, and whose
   * symbols may be packed.
   */
  static GameListing natsARow() {
    return new GameListing(true, "symbols");
  }

  /** A model's games; nothing where it has no network. */
  void add(String name, FlowModel model, int[][] rows) {
    if (model.samplingPasses() == 0) {
      return;
    }
    List<GuessingGame> games =
        nats ? GuessingGame.playEach(model, rows) : GuessingGame.play(model, rows);
    for (GuessingGame game : games) {
      double unit = nats ? game.predicted() * Math.log(2) : 1;
      lines.add(
          String.format(
              Locale.ROOT,
              "%-44s %8s %9.3f %9.3f %9.3f %9.3f",
              name + ", " + game.name(),
              nats ? game.predicted() : String.format(Locale.ROOT, "%.3f", game.share()),
              game.logLoss() * unit,
              game.ranks() * unit,
              game.scaled() * unit,
              game.shifts() * unit));
    }
  }

  Listing of(String experiment) {
    return new Listing(
        experiment + "-game",
        "What each network's predictions are worth on validation rows, "
            + (nats ? "nats for those of a row" : "bits a predicted symbol")
            + ": their log-loss, and the entropy of ranks, of what location and scale leave, and of shifts",
        lines);
  }
}
