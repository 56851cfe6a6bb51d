package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.compress.Compressor;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.SymbolMap;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.testing.Golden;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import io.ringflow.testing.WildModels;
import io.ringflow.testing.Zoo;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What models compute does not change with the code around them: log-probabilities, base symbols
 * and samples of a model of every kind, what training makes of them, and what texts cost.
 *
 * <p>A model is known by its place in {@link Zoo#all}: put new ones behind the others, and write
 * the files anew ({@link Golden}) after a look that nothing but lines were added.
 */
@ExtendWith(LeakCheck.class)
final class GoldenTest {
  @Test
  void modelsOfEveryKind() throws IOException {
    var golden = new Golden();
    List<Zoo.Specimen> all = Zoo.all().toList();
    for (int i = 0; i < all.size(); i++) {
      String name = String.format("%03d", i);
      try (FlowModel model = Zoo.wild(all.get(i).architecture())) {
        int[][] rows = model.architecture().space().enumerate();
        int[][] choices = model.architecture().condition().enumerate();
        int[][] condition =
            new int[model.architecture().condition().size() == 0 ? 0 : rows.length][];
        Arrays.setAll(condition, row -> choices[row % choices.length]);
        golden.reals(name, model.logProb(rows, condition));
        golden.floats(name, model.logProb(rows, condition, Precision.FLOAT32));
        golden.integers(name, model.encode(rows, condition));
        golden.integers(
            name, condition.length == 0 ? model.sample(30, 3) : model.sample(condition, 3));
      }
    }
    golden.check(GoldenTest.class, "models.txt");
  }

  private static Map<String, TrainingOptions> trainings() {
    TrainingOptions.Builder plain = TrainingOptions.builder(25).learningRate(0.02);
    Map<String, TrainingOptions> all = new LinkedHashMap<>();
    all.put("straight-through", plain.build());
    all.put("dropout", plain.dropout(0.2).weightDecay(0.1).build());
    return all;
  }

  @Test
  void trainedModels() throws IOException {
    var golden = new Golden();
    for (Map.Entry<String, TrainingOptions> training : trainings().entrySet()) {
      for (Map.Entry<String, Architecture> toy : Toys.architectures().entrySet()) {
        String name = training.getKey() + "/" + toy.getKey().replace(' ', '-');
        train(golden, name, toy.getValue(), training.getValue());
      }
    }
    Space space = Space.uniform(4, 6);
    Architecture factorised = Architecture.of(space, new FactorizedBase());
    TrainingOptions mixture =
        TrainingOptions.builder(25).learningRate(0.02).objective(Objective.MIXTURE).build();
    for (SymbolMap map : List.of(new Shift(), new ShiftScale(), new Sinkhorn())) {
      Architecture two =
          factorised
              .with(new Bipartite(Mask.odd(4), new Made(20, 1), map))
              .with(new Autoregressive(Order.natural(4), new LookupTable(1), map));
      train(golden, "mixture/" + map.getClass().getSimpleName(), two, mixture);
    }
    TrainingOptions aligned =
        TrainingOptions.builder(25)
            .learningRate(0.02)
            .objective(Objective.LAYERWISE_CROSS_ENTROPY)
            .baseAveraging(0.05)
            .build();
    for (SymbolMap map : List.of(new Shift(), new Permute())) {
      Architecture two =
          new Architecture(
              space,
              Space.NONE,
              new FactorizedBase(),
              List.of(
                  new Bipartite(Mask.odd(2), new Made(40, 1), map),
                  new Pack(2),
                  new Bipartite(Mask.even(4), new Lstm(4, 6, 1), map)));
      train(golden, "classified/" + map.getClass().getSimpleName(), two, aligned);
    }
    golden.check(GoldenTest.class, "trained.txt");
  }

  private static void train(
      Golden golden, String name, Architecture architecture, TrainingOptions options)
      throws IOException {
    int[][] rows = Toys.rows(architecture.space(), 200, 1);
    int[][] condition = Toys.condition(architecture, 200, 2);
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      if (architecture.base() instanceof FactorizedBase) {
        // Under a flat base the first gradients of layers are nothing but rounding.
        WarmStart.fitBase(model, rows, condition);
      }
      var report =
          new Trainer(model, options).train(Batches.shuffled(new Batch(rows, condition), 16, 2));
      golden.floats(name, report.loss());
      golden.floats(name, model.logProb(rows, condition));
    }
  }

  @Test
  void codedTexts() throws IOException {
    var golden = new Golden();
    Vocabulary letters = Vocabulary.of(" aeinorst\n€");
    Space space = Space.uniform(12, letters.size());
    Transformer transformer = new Transformer(8, 1, 2, 12);
    List<Architecture> architectures =
        List.of(
            Architecture.of(space, new FactorizedBase()),
            Architecture.of(space, new AutoregressiveBase(Order.natural(12), new Lstm(4, 6, 1))),
            Architecture.of(space, new GroupBase(Groups.growing(12, 4), transformer)),
            new Architecture(
                space,
                Space.NONE,
                new GroupBase(Groups.growing(6, 3), transformer),
                List.of(new Pack(2))),
            Architecture.of(space, new FactorizedBase())
                .with(new Bipartite(Mask.even(12), new Made(24, 1), new Permute())));
    TextCodec codec =
        new TextCodec(Unit.CHARACTERS, letters, Collections.nCopies(letters.size(), 0L));
    int[] ids = new SplittableRandom(4).ints(12 * 40, 0, letters.size()).toArray();
    int[][] rows = new int[40][];
    Arrays.setAll(rows, row -> Arrays.copyOfRange(ids, 12 * row, 12 * (row + 1)));
    byte[] text = letters.text(ids).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < architectures.size(); i++) {
      try (TextModel model = WildModels.text(architectures.get(i), codec)) {
        double[] bits = new double[1];
        new Conditionals(Models.engine(model.flow()))
            .visit(
                rows,
                (row, turn, symbol, logProbs, from) ->
                    bits[0] -= logProbs[from + symbol] / Math.log(2));
        golden.reals("coded-" + i, bits);
        assertThat(model.score(letters.text(ids)).bits()).isCloseTo(bits[0], within(1e-9));
        var compressor = new Compressor(model);
        assertThat(compressor.decompress(compressor.compress(text))).isEqualTo(text);
      }
    }
    golden.check(GoldenTest.class, "coded.txt");
  }
}
