package io.ringflow.paper.experiment;

import io.ringflow.layer.TopTwo;
import io.ringflow.network.Network;
import io.ringflow.paper.experiment.TextTrials.Row;
import io.ringflow.paper.harness.Trial;
import java.util.ArrayList;
import java.util.List;

/**
 * Section 4.4: sentences of the Penn Tree Bank by characters, 51 symbols in rows of 288. Bipartite
 * flows of LSTMs on a factorised base, and an autoregressive LSTM beside them.
 */
final class PtbExperiment extends TextExperiment {
  private static final double LSTM_RATE = 2e-3;
  private static final double LSTM_DROPOUT = 0.3;
  private static final double TRANSFORMER_RATE = 1e-3;
  private static final double FLOW_DROPOUT = 0.1;
  private static final double PAPER_BITS = 1.38;
  private static final double PAPER_MILLIS = 170;

  PtbExperiment() {
    super(
        "ptb",
        "Sentences of the Penn Tree Bank by characters, 51 symbols (Section 4.4)",
        "a folder with ptb.char.train.txt, ptb.char.valid.txt and ptb.char.test.txt, as Mikolov"
            + " prepared them",
        (folder, length) -> TextData.pennTreebank(folder));
  }

  @Override
  String setting(Settings settings, TextData data) {
    return "length " + data.space().size();
  }

  @Override
  List<Trial> trials(TextTrials trials, TextData data, TextSizes sizes, long seed) {
    Row lstm = new Row("autoregressive LSTM", TextSizes.autoregressive(data.space(), sizes.lstm()));
    List<Trial> all = new ArrayList<>();
    all.add(trials.autoregressive(lstm, sizes.batch(), LSTM_RATE, LSTM_DROPOUT, false, seed));
    Trial coarser = null;
    for (int layers : SpreadMasks.COUNTS) {
      Row flow = flow(layers, ", Transformers", data, sizes.transformer(sizes.shallow()));
      coarser = trials.layerwise(flow, coarser, TRANSFORMER_RATE, FLOW_DROPOUT, true, seed);
      all.add(coarser);
    }
    coarser = null;
    for (int layers : SpreadMasks.COUNTS) {
      Row flow = flow(layers, "", data, sizes.bipartiteLstm());
      coarser = trials.layerwise(flow, coarser, LSTM_RATE, FLOW_DROPOUT, true, seed);
      all.add(coarser);
    }
    return all;
  }

  private static Row flow(int layers, String networks, TextData data, Network network) {
    boolean paper = layers == 8;
    return new Row(
        SpreadMasks.name(layers) + " with scale" + networks,
        TextSizes.flow(
            data.space(), SpreadMasks.of(data.space().size(), layers), network, new TopTwo()),
        SpreadMasks.timeShare(layers),
        paper ? PAPER_BITS : null,
        paper ? PAPER_MILLIS : null);
  }

  @Override
  String peers(String model) {
    if (model.contains("LSTM")) {
      return "1.18 with 3 layers (Merity et al.), 1.28 (CategoricalNF's)";
    }
    return model.contains("8 layers")
        ? "reruns of the method 4.03, 4.07; IAF/SCF 1.76 (bound)"
        : "";
  }

  @Override
  List<String> notes() {
    return List.of(
        "Bits per character: what whole rows cost, padding included, over the number of characters and"
            + " ends of sentences. Sentences that do not fit into 288 symbols with their end are left"
            + " out.",
        "Flows of LSTMs are the paper's, of 920 units in each direction: its 915 rounded up to a multiple of 8, for"
            + " speed. Layers move the symbols in SpreadMasks' order; their networks learn as classifiers of the symbols"
            + " they move, by cross-entropy, and a layer takes the likeliest symbol to 0 and the runner-up to 1. A flow"
            + " continues from the one of half as many layers, each of which becomes two; its time is counted.",
        "The validation sentences choose the weights; the test sentences are scored once.",
        "Generation is in float64, with a recurrent state where a model samples step by step; the"
            + " median of five.");
  }
}
