package io.ringflow.paper.experiment;

import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.TopTwo;
import io.ringflow.model.Architecture;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Trial;
import java.util.ArrayList;
import java.util.List;

/**
 * Section 4.5: characters of Wikipedia, 27 symbols in rows of 256. Bipartite flows of Transformers
 * on a factorised base, and autoregressive models beside them.
 */
final class Text8Experiment extends TextExperiment {
  private static final double RATE = 1e-3;
  private static final double FLOW_RATE = 1.5e-3;
  private static final double LSTM_RATE = 2e-3;
  private static final double PAPER_MILLIS = 160;

  /** It has long stopped learning by then. */
  private static final double TIME_AS_WRITTEN = 0.3;

  Text8Experiment() {
    super(
        "text8",
        "Characters of Wikipedia, 27 symbols (Section 4.5)",
        TextCorpus.LETTERS_HELP,
        TextData::text8);
  }

  @Override
  List<Trial> trials(TextTrials trials, TextData data, TextSizes sizes, long seed) {
    int length = sizes.length();
    List<Trial> all = new ArrayList<>();
    Row transformer =
        new Row(
            "autoregressive Transformer",
            TextSizes.autoregressive(data.space(), sizes.transformer(sizes.deep())));
    all.add(trials.autoregressive(transformer, sizes.largeBatch(), RATE, 0, true, seed));
    Row lstm = new Row("autoregressive LSTM", TextSizes.autoregressive(data.space(), sizes.lstm()));
    all.add(trials.autoregressive(lstm, sizes.batch(), LSTM_RATE, 0, false, seed));
    List<Trial> shifting = new ArrayList<>();
    Trial coarser = null;
    for (int layers : SpreadMasks.COUNTS) {
      Row flow = flow(layers, true, data, sizes);
      coarser = trials.layerwise(flow, coarser, FLOW_RATE, 0, true, seed);
      all.add(coarser);
      shifting.add(trials.sameNetworks(flow(layers, false, data, sizes), coarser, seed));
    }
    all.addAll(shifting);
    Architecture written =
        TextSizes.flow(
            data.space(),
            SpreadMasks.halves(length, 8),
            sizes.transformer(sizes.shallow()),
            new ShiftScale());
    Row asWritten =
        new Row("8 layers with scale, as written", written, TIME_AS_WRITTEN, 1.23, PAPER_MILLIS);
    all.add(trials.asWritten(asWritten, true, seed));
    return all;
  }

  private static Row flow(int layers, boolean scale, TextData data, TextSizes sizes) {
    Double paper = paper(layers, scale);
    return new Row(
        SpreadMasks.name(layers) + (scale ? " with scale" : " without scale"),
        TextSizes.flow(
            data.space(),
            SpreadMasks.of(sizes.length(), layers),
            sizes.transformer(sizes.shallow()),
            scale ? new TopTwo() : new Shift()),
        SpreadMasks.timeShare(layers),
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
  String peers(String model) {
    if (model.contains("Transformer")) {
      return "text8: 1.13 with 64 layers (Al-Rfou et al.), 1.23 with 12";
    }
    if (model.contains("LSTM")) {
      return "text8: 1.43 (Cooijmans et al.)";
    }
    return model.contains("8 layers") ? "text8: reruns of the method 4.13, 4.41" : "";
  }

  @Override
  List<String> notes() {
    return List.of(
        "Bits per character: what whole rows cost, over the number of characters; rows do not overlap,"
            + " the first character of a row counts, and no context is carried over. What does not fill"
            + " a row at the end of the text is left out.",
        "The first 90 % of the text are for training, the next 5 % choose the weights, the last 5 %"
            + " are scored once.",
        "The paper's and others' results are of text8; a result on another text of the same alphabet"
            + " is not one.",
        "Layers move the symbols in SpreadMasks' order. Their networks learn as classifiers of the symbols they move,"
            + " by cross-entropy; a layer shifts the likeliest symbol to 0, and with scale the runner-up to 1. With and"
            + " without scale the networks are the same. A flow continues from the one of half as many layers, each of"
            + " which becomes two; its time is counted. The row 'as written' has halves in turn, straight-through gradients at temperature 0.1 and a base that"
            + " learns, as the paper says.",
        "Generation is in float64, with a cache of keys and values or a recurrent state where a model"
            + " samples step by step; the median of five.");
  }
}
