package io.ringflow.paper.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
final class BitsPerCharacterTest {
  @Test
  void natsBecomeBits() {
    assertThat(new BitsPerCharacter(12 * Math.log(2), 4).value()).isCloseTo(3, within(1e-15));
    assertThat(new BitsPerCharacter(0, 1).value()).isZero();
  }

  /** Two rows of three symbols at two bits each, of which one is padding. */
  @Test
  void paddingCostsButDoesNotCount() {
    Architecture uniform = Architecture.of(Space.uniform(3, 4), new FactorizedBase());
    try (FlowModel model = FlowModel.create(uniform, 1)) {
      BitsPerCharacter found = BitsPerCharacter.of(model, new int[][] {{0, 1, 2}, {3, 3, 0}}, 5);
      assertThat(found.nats()).isCloseTo(6 * Math.log(4), within(1e-12));
      assertThat(found.characters()).isEqualTo(5);
      assertThat(found.value()).isCloseTo(2.4, within(1e-12));
    }
  }

  /** One of four symbols weighs three and the others one: 1/2 and 1/6. */
  @Test
  void likelySymbolsCostLess() {
    Architecture tilted = Architecture.of(Space.of(4), new FactorizedBase(null, Math.log(3)));
    try (FlowModel model = FlowModel.create(tilted, 1)) {
      assertThat(BitsPerCharacter.of(model, new int[][] {{0}}, 1).value())
          .isCloseTo(1, within(1e-6));
      assertThat(BitsPerCharacter.of(model, new int[][] {{0}, {2}}, 2).value())
          .isCloseTo((1 + Math.log(6) / Math.log(2)) / 2, within(1e-6));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -3})
  void textWithoutCharactersIsRefused(long characters) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BitsPerCharacter(1, characters))
        .withMessage("characters must be at least 1, but is " + characters);
  }
}
