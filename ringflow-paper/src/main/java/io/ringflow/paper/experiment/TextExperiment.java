package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An experiment whose models of a text train for a time and are scored in bits per character. */
abstract class TextExperiment extends PaperExperiment {
  private final String dataHelp;
  private final TextCorpus corpus;

  TextExperiment(String name, String title, String dataHelp, TextCorpus.Loader loader) {
    super(name, title, 1);
    this.dataHelp = dataHelp;
    this.corpus = new TextCorpus(loader);
  }

  @Override
  public final Optional<String> dataHelp() {
    return Optional.of(dataHelp);
  }

  @Override
  public final boolean timed() {
    return true;
  }

  /** Names the text and its rows: a result on another text is not one of text8. */
  String setting(Settings settings, TextData data) {
    String file = settings.data().getFileName().toString().replaceFirst("[.][^.]*$", "");
    return file + ", length " + data.space().size();
  }

  @Override
  public final List<Trial> trials(Settings settings, long seed) {
    TextData data = data(settings);
    TextSizes sizes = TextSizes.of(settings.effort());
    TextTrials trials = new TextTrials(setting(settings, data), data, sizes, settings);
    List<Trial> all = new ArrayList<>();
    all.add(trials.unigrams(seed));
    all.addAll(trials(trials, data, sizes, seed));
    return all;
  }

  /** All trials but that of unigrams. */
  abstract List<Trial> trials(TextTrials trials, TextData data, TextSizes sizes, long seed);

  /** What others report for a model; empty where nobody does. */
  abstract String peers(String model);

  abstract List<String> notes();

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    TextData data = data(settings);
    List<Reference> references =
        finished.stream()
            .map(one -> one.trial().model())
            .distinct()
            .map(m -> new Reference(setting(settings, data), m, null, null, peers(m)))
            .toList();
    return new TextOutcome(name(), data, settings, TextSizes.of(settings.effort()).scored())
        .of(finished, references, notes());
  }

  final TextData data(Settings settings) {
    return corpus.get(settings, TextSizes.of(settings.effort()).length());
  }
}
