package io.ringflow.paper.experiment;

import io.ringflow.core.Mask;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Section 4.5: characters of Wikipedia, 27 symbols in rows of 256. Bipartite flows of Transformers
 * on a factorised base, and autoregressive models beside them.
 */
final class Text8Experiment implements Experiment {
  private static final String NAME = "text8";
  private static final double RATE = 1e-3;
  private static final double FLOW_RATE = 1.5e-3;
  private static final double LSTM_RATE = 2e-3;
  private static final double PAPER_MILLIS = 160;

  /** Layers that a flow without any would take the time of: the first are worth more. */
  private static final double MIN_TIME = 2;

  /** It has long stopped learning by then. */
  private static final double TIME_AS_WRITTEN = 0.3;

  private final LettersCorpus corpus = new LettersCorpus();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Characters of Wikipedia, 27 symbols (Section 4.5)";
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(LettersCorpus.HELP);
  }

  @Override
  public boolean timed() {
    return true;
  }

  private TextData data(Settings settings) {
    return corpus.get(settings, TextSizes.of(settings.effort()).length());
  }

  private static String setting(Settings settings) {
    return LettersCorpus.setting(settings, TextSizes.of(settings.effort()).length());
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    TextData data = data(settings);
    TextSizes sizes = TextSizes.of(settings.effort());
    TextTrials trials = new TextTrials(setting(settings), data, sizes, settings);
    int length = sizes.length();
    List<Trial> all = new ArrayList<>();
    all.add(trials.unigrams(seed));
    all.add(
        trials.autoregressive(
            new Row(
                "autoregressive Transformer",
                TextSizes.autoregressive(data.space(), sizes.transformer(sizes.deep()))),
            sizes.largeBatch(),
            RATE,
            0,
            true,
            seed));
    all.add(
        trials.autoregressive(
            new Row("autoregressive LSTM", TextSizes.autoregressive(data.space(), sizes.lstm())),
            sizes.batch(),
            LSTM_RATE,
            0,
            false,
            seed));
    for (int layers : new int[] {1, 2, 4, 8}) {
      all.add(
          trials.mixture(
              flow(layers, true, SpreadMasks.of(length, layers), data, sizes),
              FLOW_RATE,
              0,
              true,
              seed));
    }
    for (int layers : new int[] {4, 8}) {
      all.add(
          trials.mixture(
              flow(layers, false, SpreadMasks.of(length, layers), data, sizes),
              FLOW_RATE,
              0,
              true,
              seed));
    }
    Row written = flow(8, true, SpreadMasks.halves(length, 8), data, sizes);
    all.add(
        trials.asWritten(
            new Row(
                written.model() + ", as written",
                written.architecture(),
                TIME_AS_WRITTEN,
                written.paperBits(),
                written.paperMillis()),
            true,
            seed));
    return all;
  }

  private static Row flow(
      int layers, boolean scale, List<Mask> masks, TextData data, TextSizes sizes) {
    SymbolMap map = scale ? new ShiftScale() : new Shift();
    Double paper = paper(layers, scale);
    return new Row(
        layers + (layers == 1 ? " layer " : " layers ") + (scale ? "with scale" : "without scale"),
        TextSizes.flow(data.space(), masks, sizes.transformer(sizes.shallow()), map),
        (MIN_TIME + layers) / (MIN_TIME + 8),
        paper,
        paper == null ? null : PAPER_MILLIS);
  }

  private static Double paper(int layers, boolean scale) {
    if (layers == 8) {
      return scale ? 1.23 : 1.29;
    }
    return layers == 4 && scale ? 1.60 : null;
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    TextSizes sizes = TextSizes.of(settings.effort());
    List<Reference> references =
        finished.stream()
            .map(one -> one.trial().model())
            .distinct()
            .map(model -> new Reference(setting(settings), model, null, null, peers(model)))
            .toList();
    return new TextOutcome(NAME, data(settings), settings, sizes.scored())
        .of(finished, references, notes());
  }

  private static String peers(String model) {
    if (model.contains("Transformer")) {
      return "text8: 1.13 with 64 layers (Al-Rfou et al.), 1.23 with 12";
    }
    if (model.contains("LSTM")) {
      return "text8: 1.43 (Cooijmans et al.)";
    }
    return model.contains("8 layers") ? "text8: reruns of the method 4.13, 4.41" : "";
  }

  private static List<String> notes() {
    return List.of(
        "Bits per character: what whole rows cost, over the number of characters; rows do not overlap,"
            + " the first character of a row counts, and no context is carried over. What does not fill"
            + " a row at the end of the text is left out.",
        "The first 90 % of the text are for training, the next 5 % choose the weights, the last 5 %"
            + " are scored once.",
        "The paper's and others' figures are of text8; a figure on another text of the same alphabet"
            + " is not one.",
        "Layers move the symbols in SpreadMasks' order and learn by mixtures of moves; the row 'as"
            + " written' has halves in turn, straight-through gradients at temperature 0.1 and a base"
            + " that learns, as the paper says.",
        "Generation is in 64 bits, with a cache of keys and values or a recurrent state where a model"
            + " goes step by step; the median of five.");
  }
}
