package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FactorGraphTest {
  private static final Variable COIN = new Variable("coin", List.of("heads", "tails"));
  private static final Variable DIE = new Variable("die", List.of("one", "two", "three"));
  private static final FactorGraph GAME =
      new FactorGraph(
          List.of(COIN, DIE),
          List.of(
              new Factor(List.of(0), new double[] {1, 2}),
              new Factor(List.of(1, 0), new double[] {10, 20, 30, 40, 50, 60})));

  @TempDir Path folder;

  @Test
  void positionsOfASpaceAreNumbered() {
    FactorGraph graph = new FactorGraph(Space.of(2, 3), List.of());
    assertThat(graph.space()).isEqualTo(Space.of(2, 3));
    assertThat(graph.variables())
        .containsExactly(
            new Variable("x0", List.of("0", "1")), new Variable("x1", List.of("0", "1", "2")));
    assertThat(graph.position("x1")).isEqualTo(1);
  }

  @Test
  void variablesMakeTheSpace() {
    assertThat(GAME.space()).isEqualTo(Space.of(2, 3));
    assertThat(GAME.variables()).containsExactly(COIN, DIE);
    assertThat(GAME.logWeights(new int[][] {{1, 2}})).containsExactly(62);
  }

  @Test
  void unknownNamesAreAnsweredWithTheNearest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GAME.position("dice"))
        .withMessage("there is no variable 'dice'; near: 'die', 'coin'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GAME.given(Map.of("cion", "heads")))
        .withMessage("there is no variable 'cion'; near: 'coin', 'die'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GAME.given(Map.of("coin", "tail")))
        .withMessage("variable 'coin' has no state 'tail'; near: 'tails', 'heads'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GAME.given(Map.of("coin", "tails", "die", "one")).position("coin"))
        .withMessage("there is no variable 'coin'");
  }

  @Test
  void namesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FactorGraph(List.of(COIN, COIN), List.of()))
        .withMessage("two variables are named 'coin'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Variable(" ", List.of("a")))
        .withMessage("the name of a variable is blank");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Variable("a", List.of()))
        .withMessage("variable 'a' must have at least 1 state, but has none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Variable("a", List.of("b", "")))
        .withMessage("a state of variable 'a' is blank");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Variable("a", List.of("b", "c", "b")))
        .withMessage("variable 'a' has state 'b' twice");
  }

  @Test
  void factorsMustFitTheVariables() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new FactorGraph(List.of(COIN), List.of(new Factor(List.of(1), new double[2]))))
        .withMessage("factor 0 names position 1, but there are 1 positions");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new FactorGraph(List.of(COIN), List.of(new Factor(List.of(0), new double[3]))))
        .withMessage(
            "factor 0 must have a value for each combination of its positions' symbols, but has 3");
  }

  @Test
  void evidenceSlicesTheFactors() {
    FactorGraph rest = GAME.given(Map.of("coin", "tails"));
    assertThat(rest.variables()).containsExactly(DIE);
    assertThat(rest.factors())
        .containsExactly(
            new Factor(List.of(0), new double[] {20, 40, 60}),
            new Factor(List.of(), new double[] {2}));
    FactorGraph nothing = rest.given(Map.of("die", "three"));
    assertThat(nothing.variables()).isEmpty();
    assertThat(nothing.factors()).containsExactly(new Factor(List.of(), new double[] {62}));
    assertThat(nothing.logWeights(new int[][] {{}})).containsExactly(62);
    assertThat(GAME.given(Map.of()).factors()).isEqualTo(GAME.factors());
  }

  /** A row of the rest weighs what the whole row does, whatever part of it is evidence. */
  @Property
  void evidenceKeepsTheWeightOfEveryRow(@ForAll long seed) {
    FactorGraph graph = RandomNetworks.of(seed).graph();
    var random = new SplittableRandom(seed);
    for (int[] row : graph.space().enumerate()) {
      boolean[] known = new boolean[row.length];
      Map<String, String> evidence = new HashMap<>();
      for (int position = 0; position < row.length; position++) {
        known[position] = random.nextBoolean();
        if (known[position]) {
          evidence.put("x" + position, "" + row[position]);
        }
      }
      int[] free = IntStream.range(0, row.length).filter(i -> !known[i]).toArray();
      FactorGraph rest = graph.given(evidence);
      assertThat(rest.variables())
          .isEqualTo(Arrays.stream(free).mapToObj(graph.variables()::get).toList());
      int[] restRow = Arrays.stream(free).map(position -> row[position]).toArray();
      double expected = graph.logWeights(new int[][] {row})[0];
      double actual = rest.logWeights(new int[][] {restRow})[0];
      if (expected == Double.NEGATIVE_INFINITY) {
        assertThat(actual).isEqualTo(expected);
      } else {
        assertThat(actual).isCloseTo(expected, within(1e-12));
      }
    }
  }

  @Test
  void evidenceInAsiaIsConditioning() throws IOException {
    FactorGraph asia = FactorGraph.read(Files.writeString(folder.resolve("asia.bif"), Asia.BIF));
    FactorGraph patient = asia.given(Map.of("dysp", "yes", "xray", "yes"));
    int lung = asia.position("lung");
    double evidence = 0;
    double cancer = 0;
    for (int[] row : asia.space().enumerate()) {
      if (row[asia.position("dysp")] == 0 && row[asia.position("xray")] == 0) {
        evidence += Asia.probability(row);
        cancer += row[lung] == 0 ? Asia.probability(row) : 0;
      }
    }
    assertThat(weight(patient)).isCloseTo(evidence, within(1e-14));
    FactorGraph ill = patient.given(Map.of("lung", "yes"));
    assertThat(weight(ill) / weight(patient)).isCloseTo(cancer / evidence, within(1e-13));
    FactorGraph impossible = asia.given(Map.of("lung", "yes", "either", "no"));
    assertThat(impossible.logWeights(impossible.space().enumerate()))
        .containsOnly(Double.NEGATIVE_INFINITY);
  }

  private static double weight(FactorGraph graph) {
    return Arrays.stream(graph.logWeights(graph.space().enumerate())).map(Math::exp).sum();
  }

  @Test
  void theEndingTellsTheFormat() throws IOException {
    Path capitals = Files.writeString(folder.resolve("ASIA.BIF"), Asia.BIF);
    assertThat(FactorGraph.read(capitals).variables()).hasSize(8);
    Path other = Files.writeString(folder.resolve("asia.txt"), Asia.BIF);
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.read(other))
        .withMessage(other + ": must end in .bif or .uai, which tells its format");
    Path missing = folder.resolve("missing.uai");
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.read(missing))
        .withMessage(missing + ": no such file");
  }
}
