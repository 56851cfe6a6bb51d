package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.store.Json;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.spi.Bijection;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Architectures are plain values: they check themselves, and pass through JSON unchanged. */
@ExtendWith(LeakCheck.class)
final class ArchitectureTest {
  private static final Architecture SMALL =
      Architecture.of(Space.of(2, 3), new FactorizedBase())
          .with(new Bipartite(Mask.even(2), new Made(4, 1), new Shift()));

  @TempDir Path folder;

  private static Architecture read(Path file) throws IOException {
    return Json.bind(
        file, Json.read(file, JsonNode.class), Architecture.class, Parts.BUILT_IN.classes());
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.testing.Zoo#all")
  void comesBackFromJson(Zoo.Specimen specimen) throws IOException {
    Path file = folder.resolve("config.json");
    Json.write(file, specimen.architecture());
    assertThat(read(file)).isEqualTo(specimen.architecture());
  }

  @ParameterizedTest
  @CsvSource({
    "bipartite, layers[0]",
    "made, layers[0].network",
    "shift, layers[0].map",
    "factorized, base"
  })
  void anUnknownTypeIsNamed(String known, String where) throws IOException {
    Path file = folder.resolve("config.json");
    Json.write(file, SMALL);
    Files.writeString(file, Files.readString(file).replace('"' + known + '"', "\"quantum\""));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageStartingWith(file + ": " + where)
        .hasMessageContaining("unknown type 'quantum'");
  }

  @Test
  void ourOwnChecksSpeakWhenAFileIsWrong() throws IOException {
    Path file = folder.resolve("config.json");
    Json.write(file, SMALL);
    Files.writeString(file, Files.readString(file).replace("\"10\"", "\"101\""));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(file + ": layer 0: the mask has 3 positions, but the space has 2");
  }

  @Test
  void layersMustFitTheSpace() {
    Architecture base = Architecture.of(Space.of(2, 3), new FactorizedBase());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> base.with(new Bipartite(Mask.even(3), new LookupTable(), new Shift())))
        .withMessage("layer 0: the mask has 3 positions, but the space has 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SMALL.with(new Autoregressive(Order.natural(4), new LookupTable(), new Shift())))
        .withMessage("layer 1: the order has 4 positions, but the space has 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> base.with(new Reorder(Order.natural(1))))
        .withMessage("layer 0: the order has 1 positions, but the space has 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Architecture.of(
                    Space.of(2, 3), new AutoregressiveBase(Order.natural(3), new LookupTable())))
        .withMessage("the base's order has 3 positions, but the space has 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Architecture.of(Space.NONE, new FactorizedBase()))
        .withMessage("the space has no positions");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Architecture.of(
                    Space.uniform(256, 27),
                    new AutoregressiveBase(Order.natural(256), new LookupTable())))
        .withMessageContaining("let it see fewer neighbours, or use a network");
  }

  /** A reordering changes the space of everything on its base side. */
  @Test
  void aReorderingOfAMixedSpaceReachesTheBase() {
    Chain chain =
        Chain.of(
            new Bipartite(Mask.even(3), new LookupTable(), new ShiftScale()),
            new Reorder(Order.of(2, 0, 1)),
            new Bipartite(Mask.odd(3), new LookupTable(), new ShiftScale()));
    Bijection bijection = chain.on(Space.of(5, 2, 3), Space.NONE);
    // data[i] = base[order[i]]: the data's 5 symbols stand at base position 2.
    assertThat(bijection.baseSpace()).isEqualTo(Space.of(2, 3, 5));
    assertThat(bijection.dataSpace()).isEqualTo(Space.of(5, 2, 3));
    assertThat(bijection.passes()).isEqualTo(2);
    Architecture architecture =
        new Architecture(Space.of(5, 2, 3), Space.NONE, new FactorizedBase(), List.of(chain));
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] rows = architecture.space().enumerate();
      int[][] encoded = model.encode(rows);
      Space.of(2, 3, 5).check("base row", encoded);
      assertThat(model.decode(encoded)).isDeepEqualTo(rows);
    }
  }

  @Test
  void anEmptyChainIsTheIdentity() {
    Space space = Space.of(3, 4);
    Architecture architecture =
        new Architecture(space, Space.NONE, new FactorizedBase(), List.of(Chain.of()));
    try (FlowModel model = Zoo.wild(architecture)) {
      assertThat(model.encode(space.enumerate())).isDeepEqualTo(space.enumerate());
      assertThat(model.samplingPasses()).isZero();
    }
  }
}
