package io.ringflow.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.layer.Bipartite;
import io.ringflow.network.Lstm;
import io.ringflow.network.Network;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.train.FitOptions;
import io.ringflow.train.TrainingOptions;
import org.junit.jupiter.api.Test;

/** Which model a text gets, by its length and by where it is trained. */
final class TextRecipeTest {
  private static final Text SHORT = text(100_000);
  private static final Text LONG = text(10_000_000);

  private static final FitOptions CPU = FitOptions.DEFAULTS;
  private static final FitOptions GPU = CPU.withDevice(Device.CUDA);

  /** Letters in turn: what is chosen knows how many there are, and no more. */
  private static Text text(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + i % 20);
    }
    return Text.ofBytes(bytes);
  }

  private static Base base(Text text, FitOptions options) {
    return new TextRecipe(text, options).architecture().base();
  }

  private static Network network(Text text, FitOptions options) {
    return base(text, options) instanceof GroupBase groups
        ? groups.network()
        : ((AutoregressiveBase) base(text, options)).network();
  }

  private static TrainingOptions training(Text text, FitOptions options) {
    TextRecipe recipe = new TextRecipe(text, options);
    return recipe.training(recipe.architecture());
  }

  @Test
  void theCpuCountsBesideEveryNetwork() {
    for (Text text : new Text[] {SHORT, LONG}) {
      assertThat(((NgramMixture) network(text, CPU)).network()).isInstanceOf(Lstm.class);
      assertThat(((NgramMixture) network(text, CPU)).separators()).contains((int) ' ');
      assertThat(((NgramMixture) network(text, CPU.withPasses(10))).network())
          .isInstanceOf(PatchTransformer.class);
      assertThat(training(text, CPU.withPasses(10)).precision()).isEqualTo(Precision.FLOAT32);
    }
  }

  @Test
  void aGpuLearnsALongTextWithoutCounts() {
    PatchTransformer network = (PatchTransformer) network(LONG, GPU.withPasses(10));

    assertThat(network.trunk().width()).isEqualTo(512);
    assertThat(network.ngrams()).isPositive();
    TrainingOptions training = training(LONG, GPU.withPasses(10));
    assertThat(training.dropout()).isEqualTo(0.1);
    assertThat(training.hiddenSymbols()).isZero();
    assertThat(training.precision()).isEqualTo(Precision.BFLOAT16);
  }

  @Test
  void aGpuCountsBesideANetworkThatWouldKnowAShortTextByHeart() {
    NgramMixture mixture = (NgramMixture) network(SHORT, GPU.withPasses(10));

    PatchTransformer network = (PatchTransformer) mixture.network();
    assertThat(network.trunk().width()).isEqualTo(384);
    assertThat(network.ngrams()).isZero();
    TrainingOptions training = training(SHORT, GPU.withPasses(10));
    assertThat(training.dropout()).isEqualTo(0.5);
    assertThat(training.hiddenSymbols()).isEqualTo(0.1);
  }

  @Test
  void aGpuLearnsFromLeftToRightByATransformerAlone() {
    assertThat(network(SHORT, GPU)).isEqualTo(network(LONG, GPU)).isInstanceOf(Transformer.class);
    assertThat(training(SHORT, GPU).hiddenSymbols()).isZero();
  }

  @Test
  void onePassIsALayerThatSorts() {
    for (FitOptions options : new FitOptions[] {CPU.withPasses(1), GPU.withPasses(1)}) {
      assertThat(base(SHORT, options)).isInstanceOf(FactorizedBase.class);
      assertThat(new TextRecipe(SHORT, options).architecture().layers().get(0))
          .isInstanceOf(Bipartite.class);
    }
  }
}
