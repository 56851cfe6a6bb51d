package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.network.Made;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is chosen for people keeps to their budget, can be trained, and is a distribution. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class PresetsTest {
  private static final List<Space> SPACES =
      List.of(
          Space.of(5),
          Space.uniform(2, 3),
          Space.uniform(6, 2),
          Space.of(2, 3, 4),
          Space.of(3, 2, 2, 4));

  @Test
  void everyBudgetIsKeptAndEveryModelIsADistribution() {
    for (Space space : SPACES) {
      for (int passes = 1; passes <= space.size() + 1; passes++) {
        Architecture architecture = Presets.within(passes, space, new Made(12, 1));
        try (FlowModel model = Zoo.wild(architecture)) {
          assertThat(model.samplingPasses()).isBetween(1, passes);
          double total = Arrays.stream(model.logProb(space.enumerate())).map(Math::exp).sum();
          assertThat(total).isCloseTo(1, org.assertj.core.api.Assertions.within(1e-9));
        }
      }
    }
  }

  @Test
  void everyModelLearnsByTheObjectiveThatSuitsIt() throws IOException {
    int[][] rows = new int[64][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new int[] {i % 2, i % 2, i / 2 % 2, i / 2 % 2, 1, 0};
    }
    for (int passes = 1; passes <= 6; passes++) {
      Architecture architecture = Presets.within(passes, Space.uniform(6, 2), new Made(24, 1));
      try (FlowModel model = FlowModel.create(architecture, 1)) {
        double before = mean(model.logProb(rows));
        TrainingOptions options =
            TrainingOptions.builder(150)
                .learningRate(0.02)
                .objective(architecture.defaultObjective())
                .build();
        new Trainer(model, options).train(Batches.shuffled(rows, 64, 1));
        assertThat(mean(model.logProb(rows))).isGreaterThan(before + 1);
      }
    }
  }

  /** A mixture is of single symbols, and of what its network would be chosen for. */
  @Test
  void aMixtureWithNgramsIsThatOfWhatItsNetworkBecomes() {
    Space space = Space.uniform(64, 20);
    Transformer sizes = new Transformer(8, 3, 2, 16);
    NgramMixture mixture = new NgramMixture(sizes, 3, 50);
    GroupBase base = (GroupBase) Presets.within(4, space, mixture).base();
    assertThat(base.groups().count()).isEqualTo(4 * 8);
    assertThat(base.network())
        .isEqualTo(
            mixture.with(new PatchTransformer(sizes.withLayers(2), 8, 0, 4, sizes.withLayers(1))));
    assertThat(Presets.within(64, space, mixture))
        .isEqualTo(Architecture.of(space, new AutoregressiveBase(Order.natural(64), mixture)));
    assertThat(Presets.within(1, space, mixture)).isEqualTo(Presets.within(1, space, sizes));
    for (int passes = 1; passes <= 7; passes++) {
      Space small = Space.uniform(6, 2);
      NgramMixture made = new NgramMixture(new Made(12, 1), 3, 50);
      try (FlowModel model = Zoo.wild(Presets.within(passes, small, made))) {
        assertThat(model.samplingPasses()).isBetween(1, passes);
        double total = Arrays.stream(model.logProb(small.enumerate())).map(Math::exp).sum();
        assertThat(total).isCloseTo(1, org.assertj.core.api.Assertions.within(1e-9));
      }
    }
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  @Test
  void lettersComeInPairsAndWordsDoNot() {
    Space letters = Space.uniform(256, 27);
    assertThat(Presets.within(10, letters).layers()).containsExactly(new Pack(2));
    assertThat(Presets.within(10, letters).base())
        .isEqualTo(
            new GroupBase(
                Groups.blocks(32, 10).inPatches(4),
                new PatchTransformer(
                    new Transformer(256, 4, 8, 1024),
                    4,
                    18_427,
                    2,
                    new Transformer(256, 2, 8, 1024, 73_727))));
    assertThat(Presets.within(10, letters, new Made(12, 1)).base())
        .isEqualTo(new GroupBase(Groups.growing(128, 10, 2), new Made(12, 1)));
    assertThat(Presets.within(200, letters).layers()).isEmpty();
    assertThat(Presets.within(10, Space.uniform(256, 5000)).layers()).isEmpty();
    assertThat(Presets.within(10, Space.uniform(255, 27)).layers()).isEmpty();
    Transformer plain = new Transformer(256, 6, 8, 1024);
    assertThat(Presets.within(256, letters).base())
        .isEqualTo(new AutoregressiveBase(Order.natural(256), plain));
    assertThat(Presets.within(10, letters).defaultObjective())
        .isEqualTo(Objective.STRAIGHT_THROUGH);
    assertThat(Presets.within(1, letters).defaultObjective())
        .isEqualTo(Objective.LAYERWISE_CROSS_ENTROPY);
  }

  /** Letters of a patch and tokens of a row: fewer passes take larger patches. */
  @Test
  void patchesAreAsSmallAsThePassesAllow() {
    Transformer trunk = new Transformer(8, 1, 2, 8);
    int[][] chosen = {{2, 8}, {4, 8}, {10, 8}, {32, 8}, {64, 4}, {100, 4}};
    for (int[] one : chosen) {
      for (int cardinality : new int[] {27, 51}) {
        Architecture architecture = Presets.within(one[0], Space.uniform(256, cardinality), trunk);
        GroupBase base = (GroupBase) architecture.base();
        int patch = ((PatchTransformer) base.network()).patch();
        int letters = 256 / base.groups().positions();
        assertThat(patch * letters).as("%d passes", one[0]).isEqualTo(one[1]);
        assertThat(base.groups().count() / patch).isEqualTo(Math.min(one[0], 64));
      }
    }
    assertThat(Presets.within(10, Space.uniform(256, 1025), trunk).base())
        .isEqualTo(new GroupBase(Groups.growing(256, 10, 2), trunk));
    assertThat(Presets.within(9, Space.uniform(81, 51), trunk).base())
        .isEqualTo(new GroupBase(Groups.growing(81, 9, 2), trunk));
  }

  /** What a network has of n-grams is shared out, and left away where there are no groups. */
  @Test
  void ngramsAreThoseOfTheNetwork() {
    Space letters = Space.uniform(64, 27);
    Transformer sizes = new Transformer(8, 3, 2, 8);
    for (int ngrams : new int[] {0, 44}) {
      GroupBase base = (GroupBase) Presets.within(4, letters, sizes.withNgrams(ngrams)).base();
      PatchTransformer network = (PatchTransformer) base.network();
      assertThat(network.trunk()).isEqualTo(new Transformer(8, 2, 2, 8));
      assertThat(network.decoder()).isEqualTo(new Transformer(8, 1, 2, 8, ngrams));
      assertThat(network.ngrams()).isEqualTo(ngrams == 0 ? 0 : 11);
      Bipartite layer =
          (Bipartite) Presets.within(1, letters, sizes.withNgrams(ngrams)).layers().get(0);
      assertThat(layer.network()).isEqualTo(sizes);
      Space columns = Space.of(2, 3, 2, 3);
      assertThat(Presets.within(2, columns, sizes.withNgrams(ngrams)).base())
          .isEqualTo(new GroupBase(Groups.growing(2, 2, 2), sizes));
    }
  }

  @Test
  void everyBudgetOfPatchesIsKept() {
    for (Space space : List.of(Space.uniform(8, 2), Space.uniform(12, 2), Space.uniform(9, 2))) {
      for (int passes = 2; passes <= space.size(); passes++) {
        Architecture architecture = Presets.within(passes, space, new Transformer(8, 1, 2, 8, 12));
        try (FlowModel model = Zoo.wild(architecture)) {
          assertThat(model.samplingPasses()).isBetween(1, passes);
          double total = Arrays.stream(model.logProb(space.enumerate())).map(Math::exp).sum();
          assertThat(total).isCloseTo(1, org.assertj.core.api.Assertions.within(1e-9));
        }
      }
    }
  }

  @Test
  void aBudgetOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Presets.within(0, Space.uniform(4, 3)))
        .withMessage("passes must be at least 1, but is 0");
  }
}
