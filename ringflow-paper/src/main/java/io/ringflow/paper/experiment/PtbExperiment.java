package io.ringflow.paper.experiment;

import io.ringflow.core.Mask;
import io.ringflow.layer.ShiftScale;
import io.ringflow.network.Network;
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
 * Section 4.4: sentences of the Penn Tree Bank by characters, 51 symbols in rows of 288. Bipartite
 * flows of LSTMs on a factorised base, and an autoregressive LSTM beside them.
 */
final class PtbExperiment implements Experiment {
  private static final String NAME = "ptb";
  private static final double LSTM_RATE = 2e-3;
  private static final double LSTM_DROPOUT = 0.3;
  private static final double FLOW_RATE = 1e-3;
  private static final double FLOW_DROPOUT = 0.1;
  private static final double PAPER_BITS = 1.38;
  private static final double PAPER_MILLIS = 170;

  private final LastCorpus corpus = new LastCorpus();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Sentences of the Penn Tree Bank by characters, 51 symbols (Section 4.4)";
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(
        "a folder with ptb.char.train.txt, ptb.char.valid.txt and ptb.char.test.txt, as Mikolov"
            + " prepared them");
  }

  @Override
  public boolean timed() {
    return true;
  }

  private TextData data(Settings settings) {
    return corpus.get(settings.data().toString(), () -> TextData.pennTreebank(settings.data()));
  }

  private static String setting(TextData data) {
    return "length " + data.space().size();
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    TextData data = data(settings);
    TextSizes sizes = TextSizes.of(settings.effort());
    TextTrials trials = new TextTrials(setting(data), data, sizes, settings);
    List<Trial> all = new ArrayList<>();
    all.add(trials.unigrams(seed));
    all.add(
        trials.autoregressive(
            new Row("autoregressive LSTM", TextSizes.autoregressive(data.space(), sizes.lstm())),
            sizes.batch(),
            LSTM_RATE,
            LSTM_DROPOUT,
            false,
            seed));
    all.add(
        flow(
            trials,
            "8 layers with scale, Transformers",
            sizes.transformer(sizes.shallow()),
            true,
            data,
            seed));
    all.add(flow(trials, "8 layers with scale", sizes.bipartiteLstm(), false, data, seed));
    return all;
  }

  private static Trial flow(
      TextTrials trials, String name, Network network, boolean half, TextData data, long seed) {
    List<Mask> masks = SpreadMasks.of(data.space().size(), 8);
    return trials.mixture(
        new Row(
            name,
            TextSizes.flow(data.space(), masks, network, new ShiftScale()),
            1,
            PAPER_BITS,
            PAPER_MILLIS),
        FLOW_RATE,
        FLOW_DROPOUT,
        half,
        seed);
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    TextData data = data(settings);
    List<Reference> references =
        finished.stream()
            .map(one -> one.trial().model())
            .distinct()
            .map(model -> new Reference(setting(data), model, null, null, peers(model)))
            .toList();
    return new TextOutcome(NAME, data, settings, TextSizes.of(settings.effort()).scored())
        .of(finished, references, notes());
  }

  private static String peers(String model) {
    if (model.contains("LSTM")) {
      return "1.18 with 3 layers (Merity et al.), 1.28 (CategoricalNF's)";
    }
    return model.contains("8 layers")
        ? "reruns of the method 4.03, 4.07; IAF/SCF 1.76 (bound)"
        : "";
  }

  private static List<String> notes() {
    return List.of(
        "Bits per character: what whole rows cost, padding included, over the number of characters and"
            + " ends of sentences. Sentences that do not fit into 288 symbols with their end are left"
            + " out.",
        "Flows of LSTMs are the paper's; those of Transformers learn much faster on a GPU.",
        "The validation sentences choose the weights; the test sentences are scored once.",
        "Generation is in 64 bits, with a recurrent state where a model goes step by step; the median"
            + " of five.");
  }
}
