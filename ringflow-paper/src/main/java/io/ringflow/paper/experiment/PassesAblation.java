package io.ringflow.paper.experiment;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.model.Architecture;
import io.ringflow.model.Presets;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.TrainingOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What exact models of text in a few network calls are made of: that of {@link Presets}, and others
 * that differ from it in one thing each. All train for the same time, and are compared on
 * validation rows: nothing here is scored on the test text.
 */
final class PassesAblation extends PaperExperiment {
  private final TextCorpus corpus = new TextCorpus(TextData::text8);

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
   * @param patch symbols of a patch
   * @param lead of right ends before left ones, in passes
   * @param ngrams rows of the table of n-grams; 0 for none
   * @param headLayers perceptrons for the symbols of a patch
   */
  private record Parts(
      Transformer trunk, int letters, int patch, int lead, int ngrams, int headLayers) {
    Architecture within(int passes, Space space, Layer... below) {
      int tokens = space.size() / letters / patch;
      Groups groups =
          passes >= tokens
              ? Groups.singles(Order.natural(tokens))
              : Groups.growing(tokens, passes, lead);
      int width = trunk.width();
      List<Layer> layers = new ArrayList<>(List.of(below));
      if (letters > 1) {
        layers.add(new Pack(letters));
      }
      return new Architecture(
          space,
          Space.NONE,
          new GroupBase(
              groups.inPatches(patch),
              new PatchTransformer(trunk, patch, ngrams, width, headLayers, 2 * width)),
          layers);
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
    int passes = passes(sizes.length());
    String setting = file + ", length " + sizes.length() + ", " + passes + " passes";
    TextTrials trials = new TextTrials(setting, data, sizes, settings);
    Transformer trunk = sizes.transformer(sizes.deep());
    Space space = data.space();
    Parts chosen = new Parts(trunk, 2, 2, 2, ngrams(trunk, space), 2);
    List<Trial> all = new ArrayList<>();
    var add =
        new Object() {
          void row(String name, Architecture model, UnaryOperator<TrainingOptions.Builder> change) {
            Trial trial = trials.muon(new Row(name, model), sizes.largeBatch(), change, seed);
            all.add(trials.onValidation(trial));
          }

          void model(String name, Architecture model) {
            row(name, model, o -> o.objective(model.defaultObjective()));
          }

          void options(String name, UnaryOperator<TrainingOptions.Builder> change) {
            row(name, chosen.within(passes, space), change);
          }
        };
    add.options("as chosen", o -> o);
    Row before = new Row("AdamW for all, rates along a cosine", chosen.within(passes, space));
    all.add(
        trials.onValidation(
            trials.autoregressive(before, sizes.largeBatch(), 1e-3, 0, true, seed)));
    add.options("Muon at twice the rate", o -> o.muon(2 * o.build().matrixLearningRate()));
    add.options("dropout 0.1", o -> o.dropout(0.1));
    add.options("weight decay 0.2", o -> o.weightDecay(0.2));
    add.model("ends meet in one pass", with(chosen, 2, 2, 0).within(passes, space));
    add.model("ends meet a pass apart", with(chosen, 2, 2, 1).within(passes, space));
    add.model("ends meet three passes apart", with(chosen, 2, 2, 3).within(passes, space));
    add.model("patches of one pair", with(chosen, 2, 1, 2).within(passes, space));
    add.model("patches of four pairs", with(chosen, 2, 4, 2).within(passes, space));
    add.model("patches of four letters", with(chosen, 1, 4, 2).within(passes, space));
    add.model(
        "no n-grams",
        new Parts(trunk, 2, 2, chosen.lead, 0, chosen.headLayers).within(passes, space));
    add.model(
        "four times as many n-grams",
        new Parts(trunk, 2, 2, chosen.lead, 4 * chosen.ngrams + 1, chosen.headLayers)
            .within(passes, space));
    add.model(
        "head of one perceptron",
        new Parts(trunk, 2, 2, chosen.lead, chosen.ngrams, 1).within(passes, space));
    Transformer wider =
        new Transformer(
            trunk.width() * 3 / 2, trunk.layers(), trunk.heads(), trunk.filter() * 3 / 2);
    add.model(
        "half again as wide",
        new Parts(wider, 2, 2, chosen.lead, chosen.ngrams, chosen.headLayers)
            .within(passes, space));
    // One call less below, and a layer that sorts every other pair by what it sees of the rest.
    Layer sorting =
        new Bipartite(
            Mask.even(space.size() / 2), sizes.transformer(sizes.shallow()), new Permute());
    Architecture layered = chosen.within(Math.max(1, passes - 1), space, sorting);
    add.row(
        "a sorting layer for one pass",
        layered,
        o -> o.objective(Objective.LAYERWISE_CROSS_ENTROPY));
    return all;
  }

  private static Parts with(Parts parts, int letters, int patch, int lead) {
    return new Parts(parts.trunk, letters, patch, lead, parts.ngrams, parts.headLayers);
  }

  /** As many rows as the preset has. */
  private static int ngrams(Transformer trunk, Space space) {
    GroupBase base = (GroupBase) Presets.within(passes(space.size()), space, trunk).base();
    return base.network() instanceof PatchTransformer patches ? patches.ngrams() : 0;
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
                + " same text. 'As chosen' is what presets make, in pairs of letters and patches of two"
                + " pairs; each other differs in one thing.",
            "A sorting layer takes one of the network calls: what is below it has one less."));
  }
}
