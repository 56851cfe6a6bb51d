package io.ringflow.paper.experiment;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.model.Architecture;
import io.ringflow.model.Presets;
import io.ringflow.network.Network;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.TrainingOptions;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What exact models of text in a few network calls are made of: that of {@link Presets}, and others
 * that differ from it in one thing each. All train for the same time, and are compared on
 * validation rows: nothing here is scored on the test text.
 */
final class PassesAblation extends PaperExperiment {
  /** Passes between the two ends that meet, where runs grow at both. */
  private static final int LEAD = 2;

  private final TextCorpus corpus = new TextCorpus(PassesExperiment::load);
  private final TextCorpus whole = new TextCorpus((path, length) -> TextData.pennTreebank(path));

  PassesAblation() {
    super(
        "passes-ablation",
        "Text in ten network calls: one change at a time, on validation rows",
        1);
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(TextCorpus.LETTERS_HELP);
  }

  @Override
  public boolean timed() {
    return true;
  }

  /**
   * What a model of patches is made of.
   *
   * @param letters of a symbol: 2 for pairs
   * @param network with the patches, their n-grams and their decoder
   * @param counted characters of the text whose n-grams are counted; 0 for none
   */
  private record Parts(int letters, PatchTransformer network, long counted) {
    /** Those of a preset. */
    static Parts of(Architecture preset, TextData data) {
      GroupBase base = (GroupBase) preset.base();
      int letters = preset.space().size() / base.groups().positions();
      return base.network() instanceof NgramMixture mixture
          ? new Parts(letters, (PatchTransformer) mixture.network(), data.characters())
          : new Parts(letters, (PatchTransformer) base.network(), 0);
    }

    Parts withCounted(long characters) {
      return new Parts(letters, network, characters);
    }

    Parts withPatch(int lettersOfSymbol, int patch) {
      int gram = Math.min(patch, Math.max(1, network.gram() * letters / lettersOfSymbol));
      return new Parts(
          lettersOfSymbol,
          new PatchTransformer(network.trunk(), patch, network.ngrams(), gram, network.decoder()),
          counted);
    }

    Parts withNgrams(int ngrams, int gram) {
      return with(network.trunk(), ngrams, gram, network.decoder());
    }

    Parts withLayers(int patches, int symbols) {
      return with(
          network.trunk().withLayers(patches),
          network.ngrams(),
          network.gram(),
          network.decoder().withLayers(symbols));
    }

    Parts withWidth(int width) {
      return with(
          width(network.trunk(), width),
          network.ngrams(),
          network.gram(),
          width(network.decoder(), width));
    }

    private static Transformer width(Transformer sizes, int width) {
      return new Transformer(width, sizes.layers(), sizes.heads(), 4 * width, sizes.ngrams());
    }

    Parts withNeighbours(int ngrams) {
      return with(
          network.trunk(), network.ngrams(), network.gram(), network.decoder().withNgrams(ngrams));
    }

    private Parts with(Transformer trunk, int ngrams, int gram, Transformer decoder) {
      return new Parts(
          letters, new PatchTransformer(trunk, network.patch(), ngrams, gram, decoder), counted);
    }

    Architecture within(int passes, Space space, Layer... below) {
      int tokens = tokens(space);
      return of(Groups.blocks(tokens, Math.min(passes, tokens)), space, below);
    }

    private int tokens(Space space) {
      return space.size() / letters / network.patch();
    }

    private Architecture of(Groups patches, Space space, Layer... below) {
      List<Layer> layers = new ArrayList<>(List.of(below));
      if (letters > 1) {
        layers.add(new Pack(letters));
      }
      Groups groups = patches.inPatches(network.patch());
      return new Architecture(space, Space.NONE, new GroupBase(groups, mixed(space)), layers);
    }

    private Network mixed(Space space) {
      int symbols = (int) Math.pow(space.maxCardinality(), letters);
      return counted == 0 ? network : NgramMixture.of(network, symbols, counted);
    }
  }

  /** How many network calls sampling a row takes. */
  private static int passes(int length) {
    return length >= 256 ? 10 : length >= 64 ? 4 : 2;
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    TextSizes sizes = TextSizes.of(settings.effort());
    TextData data = corpus.get(settings, sizes.length());
    String file = settings.data().getFileName().toString().replaceFirst("[.][^.]*$", "");
    int passes = passes(data.space().size());
    String setting = file + ", length " + data.space().size() + ", " + passes + " passes";
    TextTrials trials = new TextTrials(setting, data, sizes, settings);
    Space space = data.space();
    Architecture model = Presets.within(passes, space, PassesExperiment.network(data, sizes));
    Parts chosen = Parts.of(model, data);
    List<Trial> all = new ArrayList<>();
    double dropout = PassesExperiment.isShort(data) ? PassesExperiment.dropout(data, sizes) : 0;
    double hidden = PassesExperiment.hiddenSymbols(data, sizes);
    var rows = new Rows(trials, sizes.largeBatch(), dropout, hidden, seed, all);
    rows.add("as chosen", model, o -> o);
    Row before = new Row("AdamW for all, rates along a cosine", model);
    all.add(
        trials.onValidation(
            trials.autoregressive(before, sizes.largeBatch(), 1e-3, 0, true, seed)));
    rows.add("Muon at twice the rate", model, o -> o.muon(2 * o.build().matrixLearningRate()));
    double more = dropout + 0.1;
    rows.add("dropout " + more, model, o -> o.dropout(more));
    rows.add("weight decay 0.2", model, o -> o.weightDecay(0.2));
    rows.add("averaged weights, decay 0.999", model, o -> o.averageWeights(0.999));
    for (double share : new double[] {0, 0.1, 0.2}) {
      if (share != hidden) {
        rows.add(share + " of the symbols hidden", model, o -> o.hiddenSymbols(share));
      }
    }
    if (Files.isDirectory(settings.data())) {
      TextData sentences = whole.get(settings, sizes.length());
      var ofWhole = new TextTrials(setting, sentences, sizes, settings);
      new Rows(ofWhole, sizes.largeBatch(), dropout, hidden, seed, all)
          .add("sentences never cut", model);
    }
    counting(chosen, passes, data, sizes).forEach(rows::add);
    others(chosen, space).forEach((name, parts) -> rows.add(name, parts.within(passes, space)));
    int tokens = chosen.tokens(space);
    rows.add(tokens + " passes from left to right", chosen.within(tokens, space));
    Parts shorter = chosen.withPatch(2, chosen.network.patch() / 2);
    rows.add(tokens + " passes in shorter patches", shorter.within(tokens, space));
    orders(chosen, passes, space).forEach(rows::add);
    rows.add(tokens / 2 + " passes", chosen.within(tokens / 2, space));
    // One call less below, and a layer that sorts every other pair by what it sees of the rest.
    Layer sorting =
        new Bipartite(
            Mask.even(space.size() / chosen.letters),
            sizes.transformer(sizes.shallow()),
            new Permute());
    rows.add(
        "a sorting layer for one pass", chosen.within(Math.max(1, passes - 1), space, sorting));
    return all;
  }

  /** With counted n-grams or without, the other way round than was chosen. */
  private static Map<String, Architecture> counting(
      Parts chosen, int passes, TextData data, TextSizes sizes) {
    Space space = data.space();
    Transformer transformer = PassesExperiment.transformer(data, sizes);
    boolean without = chosen.counted > 0;
    String name = without ? "no counted n-grams" : "counted n-grams";
    Map<String, Architecture> models = new LinkedHashMap<>();
    models.put(name, chosen.withCounted(without ? 0 : data.characters()).within(passes, space));
    Network preset = without ? transformer : PassesExperiment.counted(transformer, data);
    Architecture other = Presets.within(passes, space, preset);
    if (!models.containsValue(other)) {
      models.put(name + ", as then chosen", other);
    }
    return models;
  }

  /** The same model in other orders. */
  private static Map<String, Architecture> orders(Parts chosen, int passes, Space space) {
    int tokens = chosen.tokens(space);
    int runs = (tokens + passes - 1) / passes;
    Map<String, Architecture> orders = new LinkedHashMap<>();
    orders.put(
        "runs of equal length",
        chosen.of(Groups.blocks(tokens, (tokens + runs - 1) / runs), space));
    int late = runs * passes - tokens; // passes that the last run leaves out
    if (late > 0) {
      Groups last =
          Groups.of(tokens, token -> token % passes + (token >= (runs - 1) * passes ? late : 0));
      orders.put("the short run in the last passes", chosen.of(last, space));
    }
    Groups fewest = Groups.growing(tokens, passes, LEAD);
    orders.put("runs that grow at both ends", chosen.of(fewest, space));
    int more = Math.min((tokens - 1) / Math.max(1, passes - 1), fewest.groups().get(0).size() + 1);
    orders.put(
        "runs that grow at both ends, one more",
        chosen.of(Groups.growing(tokens, passes, more, LEAD), space));
    return orders;
  }

  /** Models of the same kind that differ in one part. */
  private static Map<String, Parts> others(Parts chosen, Space space) {
    PatchTransformer network = chosen.network;
    int deep = network.trunk().layers();
    int shallow = network.decoder().layers();
    int width = network.trunk().width();
    Map<String, Parts> others = new LinkedHashMap<>();
    others.put("patches of one pair", chosen.withPatch(2, 1));
    others.put("patches of two pairs", chosen.withPatch(2, 2));
    others.put("patches of four pairs", chosen.withPatch(2, 4));
    others.put("patches of four letters", chosen.withPatch(1, 4));
    int twice = 2 * network.patch();
    if (space.size() % (twice * chosen.letters) == 0) {
      others.put("patches twice as long", chosen.withPatch(chosen.letters, twice));
    }
    others.put("decoder of one layer", chosen.withLayers(deep, 1));
    others.put("decoder half again as deep", chosen.withLayers(deep, shallow + shallow / 2));
    int half = Math.max(1, (deep + shallow) / 2);
    others.put("half of the layers in each", chosen.withLayers(half, half));
    // A layer of the decoder takes as long as one of patches for each symbol of a patch.
    int traded = deep + network.patch();
    others.put(
        "a layer of the decoder less, as much more of patches",
        chosen.withLayers(traded, Math.max(1, shallow - 1)));
    others.put("no n-grams of neighbours", chosen.withNeighbours(0));
    if (network.ngrams() > 0) {
      others.put("no n-grams of patches", chosen.withNgrams(0, 1));
      others.put("no n-grams", chosen.withNgrams(0, 1).withNeighbours(0));
      others.put("n-grams of whole patches", chosen.withNgrams(network.ngrams(), network.patch()));
    }
    others.put("half again as wide", chosen.withWidth(width * 3 / 2));
    others.values().removeIf(chosen::equals);
    return others;
  }

  /**
   * Collects trials that are measured on validation rows.
   *
   * @param dropout of all that do not say otherwise: a short time teaches most without
   * @param hidden share of the symbols, the same
   */
  private record Rows(
      TextTrials trials, int batch, double dropout, double hidden, long seed, List<Trial> all) {
    void add(String name, Architecture model) {
      add(name, model, o -> o.objective(model.defaultObjective()));
    }

    void add(String name, Architecture model, UnaryOperator<TrainingOptions.Builder> change) {
      Row row = new Row(name, model);
      all.add(
          trials.onValidation(
              trials.muon(
                  row, batch, o -> change.apply(o.dropout(dropout).hiddenSymbols(hidden)), seed)));
    }
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) {
    String setting = finished.isEmpty() ? "" : finished.get(0).trial().setting();
    return new Outcome(
        Finished.results(finished),
        List.of(),
        List.of(),
        List.of(learning(settings, finished, setting, List.of())),
        List.of(),
        List.of(
            "Bits per character of validation rows, in float32; all models train for the same time on the"
                + " same text. 'As chosen' is what presets make; each other differs in one thing.",
            "Runs are as long as there are passes, the last one shorter, or all of equal length, and go from left to"
                + " right; those that grow at both ends are fewer. As many passes as patches make one run; patches of"
                + " half the length are then twice as many, in two runs.",
            "A sorting layer takes one of the network calls: what is below it has one less."));
  }
}
