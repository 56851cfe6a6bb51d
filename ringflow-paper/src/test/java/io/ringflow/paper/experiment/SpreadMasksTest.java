package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.Mask;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SpreadMasksTest {
  /** Rows that end with a period and rows that do not. */
  private static final int[] LENGTHS = {16, 21, 64, 256, 288};

  /** The moved places of each layer, by hand from the class's own words. */
  private static List<Set<Integer>> places(int layers) {
    return switch (layers) {
      case 1 -> List.of(Set.of(0, 2, 4, 6));
      case 2 -> List.of(Set.of(0, 2, 4, 6), Set.of(1, 5));
      case 4 -> List.of(Set.of(0, 4), Set.of(2, 6), Set.of(1), Set.of(5));
      default ->
          List.of(
              Set.of(0, 8),
              Set.of(4, 12),
              Set.of(2, 10),
              Set.of(6, 14),
              Set.of(1),
              Set.of(9),
              Set.of(5),
              Set.of(13));
    };
  }

  @ParameterizedTest
  @CsvSource({"1, 1357", "2, 37", "4, 37", "8, 37"})
  void noSymbolIsMovedTwiceAndThoseNeverMovedAreKnown(int layers, String never) {
    for (int positions : LENGTHS) {
      List<Mask> masks = SpreadMasks.of(positions, layers);
      assertThat(masks).hasSize(layers).allMatch(mask -> mask.size() == positions);
      for (int d = 0; d < positions; d++) {
        int position = d;
        long moved = masks.stream().filter(mask -> !mask.keeps(position)).count();
        assertThat(moved)
            .as("position %d of %d", d, positions)
            .isEqualTo(never.contains(String.valueOf(d % 8)) ? 0 : 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void layersNextToTheDataComeFirst(int layers) {
    for (int positions : LENGTHS) {
      List<Mask> masks = SpreadMasks.of(positions, layers);
      for (int i = 0; i < layers; i++) {
        Set<Integer> places = new TreeSet<>();
        masks.get(i).moved().forEach(d -> places.add(d % (layers == 8 ? 16 : 8)));
        assertThat(places).isEqualTo(places(layers).get(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void whatALayerHasMovedNoneAfterItSees(int layers) {
    for (int positions : LENGTHS) {
      Set<Integer> before = new TreeSet<>();
      for (Mask mask : SpreadMasks.of(positions, layers)) {
        for (int d = 0; d < positions; d++) {
          assertThat(mask.sees(d)).isEqualTo(mask.keeps(d) && !before.contains(d));
        }
        before.addAll(mask.moved());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void twoLayersShareTheSymbolsOfOneOfHalfAsMany(int layers) {
    for (int positions : LENGTHS) {
      List<Mask> fine = SpreadMasks.of(positions, 2 * layers);
      List<Mask> coarse = SpreadMasks.of(positions, layers);
      for (int i = 0; i < layers; i++) {
        Set<Integer> shared = new TreeSet<>(fine.get(2 * i).moved());
        shared.addAll(fine.get(2 * i + 1).moved());
        assertThat(shared).isEqualTo(new TreeSet<>(coarse.get(i).moved()));
      }
    }
  }

  @Test
  void aFlowTakesAsLongAsItsLayersWithAllItGoesOnFrom() {
    double time = 0;
    for (int layers : SpreadMasks.COUNTS) {
      time += SpreadMasks.timeShare(layers);
      assertThat(time).isEqualTo(layers / 8.0);
    }
  }

  /** What a layer moves is predicted from neighbours on either side. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void neighboursAreNeverMovedTogether(int layers) {
    for (Mask mask : SpreadMasks.of(64, layers)) {
      for (int d = 0; d < 64; d++) {
        assertThat(mask.keeps(d) || mask.keeps((d + 1) % 64)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 3, 5, 6, 7, 9, 16})
  void otherNumbersOfLayersAreRefused(int layers) {
    assertThatThrownBy(() -> SpreadMasks.of(64, layers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("layers must be 1, 2, 4 or 8, but is " + layers);
  }

  @Test
  void rowsShorterThanThePeriodAreRefused() {
    assertThatThrownBy(() -> SpreadMasks.of(15, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("positions must be at least 16, but is 15");
    assertThatThrownBy(() -> SpreadMasks.of(4, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 8})
  void halvesAlternate(int layers) {
    List<Mask> masks = SpreadMasks.halves(9, layers);
    assertThat(masks).hasSize(layers);
    for (int i = 0; i < layers; i++) {
      assertThat(masks.get(i).bits()).isEqualTo(i % 2 == 0 ? "010101010" : "101010101");
    }
  }
}
