package io.ringflow.paper.experiment;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.network.Made;
import io.ringflow.paper.corpus.Debd;
import io.ringflow.paper.experiment.RowTrials.Recipe;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Trial;
import io.ringflow.table.ChowLiu;
import io.ringflow.table.TreeOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The density estimation benchmark, which the paper has not: tables of bits, as every density
 * estimator of the last decade was measured on them, from one pass to one pass a column. All tables
 * by the same recipe.
 */
final class TablesExperiment extends PaperExperiment {
  private static final String FACTORISED = "factorised";
  private static final String AUTOREGRESSIVE = "autoregressive";
  private static final String ONE_PASS = "1 pass, sorting";
  private static final int PASSES = 8;

  /** Columns that are one symbol, at most: the fewer passes, the more are sampled together. */
  private static final int TOGETHER_AUTOREGRESSIVE = 3;

  private static final int TOGETHER_IN_GROUPS = 6;
  private static final int TOGETHER_IN_ONE_PASS = 8;

  /** Packed, they are still two symbols, one of which can be sorted by the other. */
  private static final int MIN_COLUMNS = 2 * TOGETHER_IN_ONE_PASS;

  /** Of so many packed symbols a sorting layer keeps one, and moves the others. */
  private static final int KEPT_OF = 4;

  private static final Made NETWORK = new Made(500, 1);
  private static final Made QUICK_NETWORK = new Made(32, 1);
  private static final Recipe RECIPE = new Recipe(1500, 100, 5e-3, 0.5, 0.3, 8);

  /** About fifty batches are what a base under a sorting layer knows. */
  private static final double FOLLOWED_SHARE = 0.02;

  /** Laplace's: a count for each pair of bits. */
  private static final double SMOOTHING = 4;

  /** What others report, as nats a row of test rows. */
  private static final Map<String, String> PEERS =
      Map.of(
          "nltcs", "LearnSPN 6.11, circuits 5.99",
          "plants", "LearnSPN 12.98, circuits 12",
          "jester", "LearnSPN 53.48, circuits 52.4",
          "dna", "LearnSPN 82.52, MADE 79.7",
          "mushrooms", "MADE 9.7");

  TablesExperiment() {
    super("tables", "Tables of the density estimation benchmark, by the number of passes", 1);
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(
        "a folder of tables, three files NAME.train.data, NAME.valid.data and NAME.test.data each,"
            + " as in the folder datasets of github.com/arranger1044/DEBD");
  }

  private static List<HeldOutRows> tables(Settings settings) {
    try {
      List<HeldOutRows> tables = new ArrayList<>();
      for (String name : Debd.names(settings.data())) {
        Debd table = Debd.read(settings.data(), name);
        if (table.space().size() < MIN_COLUMNS) {
          throw new DataFormatException(
              settings.data(),
              String.format(
                  Locale.ROOT,
                  "table %s has %d columns, but at least %d are needed",
                  name,
                  table.space().size(),
                  MIN_COLUMNS));
        }
        tables.add(
            new HeldOutRows(name, table.space(), table.train(), table.validation(), table.test()));
      }
      return tables;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    return tables(settings).stream()
        .flatMap(table -> trials(table, settings, seed).stream())
        .toList();
  }

  private static List<Trial> trials(HeldOutRows table, Settings settings, long seed) {
    RowTrials trials = new RowTrials(table, settings, model -> table.measure(model, null));
    Made network = settings.effort() == Effort.QUICK ? QUICK_NETWORK : NETWORK;
    Order order = TreeOrder.depthFirst(tree(table).parents());
    RowModels many = models(table, order, TOGETHER_AUTOREGRESSIVE);
    RowModels some =
        models(table, order, Math.min(TOGETHER_IN_GROUPS, table.space().size() / PASSES));
    RowModels one = models(table, order, TOGETHER_IN_ONE_PASS);
    return List.of(
        trials.counted(FACTORISED, RowModels.factorised(table.space()), seed),
        trials.trained(AUTOREGRESSIVE, many.autoregressive(network), RECIPE, seed),
        trials.trained(
            PASSES + " passes",
            some.grouped(Groups.blocks(some.packed(), PASSES), network),
            RECIPE,
            seed),
        trials.aligned(
            ONE_PASS,
            one.sorted(Mask.keep(one.packed(), i -> i % KEPT_OF == 0), network),
            RECIPE,
            FOLLOWED_SHARE,
            seed));
  }

  private static ChowLiu tree(HeldOutRows table) {
    return ChowLiu.fit(table.space(), table.train(), SMOOTHING);
  }

  /** As many columns together as divide their number, up to a limit. */
  private static RowModels models(HeldOutRows table, Order order, int most) {
    int columns = table.space().size();
    int pack =
        IntStream.rangeClosed(1, Math.max(1, most)).filter(n -> columns % n == 0).max().orElse(1);
    return new RowModels(table.space(), order, pack);
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    RowOutcome outcome = new RowOutcome(this, settings, finished);
    List<Reference> references = new ArrayList<>();
    for (HeldOutRows table : tables(settings)) {
      double tree = -Arrays.stream(tree(table).logProb(table.test())).average().orElseThrow();
      double factorised = factorised(finished, table);
      outcome.add(
          table,
          List.of(
              new Level("factorised, test", factorised), new Level("Chow-Liu tree, test", tree)));
      finished.stream()
          .map(Finished::trial)
          .filter(trial -> trial.setting().equals(table.setting()))
          .map(Trial::model)
          .distinct()
          .map(model -> new Reference(table.setting(), model, factorised, null, peers(table, tree)))
          .forEach(references::add);
    }
    return outcome.of(references, notes());
  }

  private static double factorised(List<Finished> finished, HeldOutRows table) {
    return Finished.results(finished).stream()
        .filter(result -> result.setting().equals(table.setting()))
        .filter(result -> result.model().equals(FACTORISED))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static String peers(HeldOutRows table, double tree) {
    String own = String.format(Locale.ROOT, "Chow-Liu tree %.2f", tree);
    String others = PEERS.get(table.setting());
    return others == null ? own : own + ", " + others;
  }

  private static List<String> notes() {
    return List.of(
        "Nats for a row of the test file, scored once. Training stops when the validation file no"
            + " longer gains, and ends with the weights that were best on it; the recipe, one for"
            + " all tables, was chosen on validation files too: how fast a base follows its sorting layer"
            + " after test results of another value had been seen, all else before any had.",
        "Columns are put in the order in which a depth-first walk meets them in the Chow-Liu tree of"
            + " the training rows, and neighbours are packed into one symbol, so that columns that"
            + " depend on each other most are sampled together: as many as divide the number of columns, at most "
            + TOGETHER_AUTOREGRESSIVE
            + " in the autoregressive model, "
            + TOGETHER_IN_GROUPS
            + " in groups and "
            + TOGETHER_IN_ONE_PASS
            + " in one pass. No network has other sizes or options than another.",
        "Passes are the network calls that sampling a row takes: one for each symbol in the autoregressive model,"
            + " one for each of "
            + PASSES
            + " groups of symbols, or one in all: a layer that sorts three symbols in four by what the"
            + " fourth says of them, over a factorised base. Where all columns make no more than "
            + PASSES
            + " symbols, the first two are the same model.",
        "Peers: the Chow-Liu tree is fitted here, to the training rows alone; others' results are"
            + " recalled from their papers (sum-product networks by LearnSPN, 2013; MADE, 2015; the"
            + " best probabilistic circuits), neither checked nor rerun.");
  }
}
