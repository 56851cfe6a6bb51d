package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Experiment.Settings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which models an experiment runs where only some are asked for. */
final class ChosenTrialsTest {
  private static boolean runs(String setting, String model, String... only) {
    Trial trial =
        new Trial(
            setting,
            model,
            1,
            Architecture.of(Space.uniform(2, 3), new FactorizedBase()),
            null,
            null,
            trained -> List.of());
    return new Settings(Path.of("runs"), 1, 1, "cpu", Effort.QUICK, null, null, List.of(only))
        .wants(trial);
  }

  @Test
  void allWhereNoneIsNamed() {
    assertThat(runs("length 64, 4 passes", "as chosen")).isTrue();
  }

  @Test
  void thoseWhoseNamesContainIt() {
    assertThat(runs("length 64, 4 passes", "as chosen", "chosen")).isTrue();
    assertThat(runs("length 64, 4 passes", "as chosen", "other", "chosen")).isTrue();
    assertThat(runs("length 64, 4 passes", "as chosen", "4 passes")).isFalse();
  }

  @Test
  void oneOfASetting() {
    assertThat(runs("Ising, beta 0.44", "16 passes", "beta 0.44, 16 passes")).isTrue();
    assertThat(runs("Ising, beta 0.4407", "16 passes", "beta 0.44, 16 passes")).isFalse();
    assertThat(runs("Ising, beta 0.44", "33 passes", "beta 0.44, 16 passes")).isFalse();
  }
}
