package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class SpaceTest {
  @Property
  void enumerationListsEveryRowOnceInOrder(
      @ForAll @Size(max = 4) List<@IntRange(min = 1, max = 5) Integer> cardinalities) {
    Space space = new Space(cardinalities);
    int[][] rows = space.enumerate();
    assertThat(rows.length).isEqualTo((int) space.cells());
    space.check("row", rows);
    for (int i = 1; i < rows.length; i++) {
      assertThat(Arrays.compare(rows[i - 1], rows[i])).isNegative();
    }
  }

  @Test
  void knowsItsShape() {
    Space mixed = Space.of(2, 3, 12);
    assertThat(mixed.size()).isEqualTo(3);
    assertThat(mixed.cells()).isEqualTo(72);
    assertThat(mixed.maxCardinality()).isEqualTo(12);
    assertThat(mixed.isUniform()).isFalse();
    assertThat(mixed.select(List.of(2, 0))).isEqualTo(Space.of(12, 2));
    assertThat(mixed).hasToString("[2, 3, 12]");
    assertThat(Space.uniform(256, 27)).hasToString("256 x 27").isEqualTo(Space.uniform(256, 27));
    assertThat(Space.uniform(1, 27)).hasToString("[27]");
    assertThat(Space.NONE.size()).isZero();
    assertThat(Space.NONE.maxCardinality()).isZero();
    assertThat(Space.NONE.cells()).isOne();
  }

  @Test
  void isNotChangedThroughTheListItWasMadeOf() {
    List<Integer> list = Arrays.asList(2, 3);
    Space space = new Space(list);
    list.set(0, 9);
    assertThat(space).isEqualTo(Space.of(2, 3));
  }

  @Test
  void refusesWhatIsNoSpace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Space.of(3, 0))
        .withMessage("position 1 has cardinality 0, but needs at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Space.uniform(0, 5))
        .withMessage("positions must be at least 1, but is 0");
  }

  @Test
  void tooManyRowsAreNotEnumerated() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Space.uniform(9, 10).enumerate())
        .withMessage("a space of 1000000000 rows is too large to enumerate");
    assertThatThrownBy(() -> Space.uniform(64, 2).cells()).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void namesTheFirstSymbolThatDoesNotBelong() {
    Space space = Space.of(2, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> space.check("row", new int[][] {{1, 2}, {0, 3}}))
        .withMessage("row 1, position 1: symbol 3 is not in 0..2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> space.check("given row", new int[][] {{-1, 0}}))
        .withMessage("given row 0, position 0: symbol -1 is not in 0..1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> space.check("row", new int[][] {{0, 0}, {0, 0, 0}}))
        .withMessage("row 1 has 3 symbols, but the space has 2 positions");
  }
}
