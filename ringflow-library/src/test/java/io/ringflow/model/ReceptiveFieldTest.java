package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.network.LookupTable;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The paper's figure 1, whose units 1, 2, 3, … are our positions 0, 1, 2, … */
@ExtendWith(LeakCheck.class)
final class ReceptiveFieldTest {
  private static final Space SPACE = Space.uniform(5, 3);

  static List<SymbolMap> maps() {
    return List.of(new Shift(), new ShiftScale(), new Permute());
  }

  /** (a): the receptive field of output unit 2 includes left and right contexts. */
  @ParameterizedTest
  @MethodSource("maps")
  void twoAutoregressiveLayersOfOppositeOrderSeeBothWays(SymbolMap map) {
    Layer rightwards = new Autoregressive(Order.natural(5), new LookupTable(), map);
    Layer leftwards = new Autoregressive(Order.reversed(5), new LookupTable(), map);
    assertThat(sources(rightwards).get(1)).containsExactly(0, 1);
    assertThat(sources(leftwards).get(1)).containsExactly(1, 2, 3, 4);
    assertThat(sources(rightwards, leftwards).get(1)).containsExactly(0, 1, 2, 3, 4);
  }

  /** (b): with 2 flows, the receptive field of output unit 2 is x_1:3. */
  @ParameterizedTest
  @MethodSource("maps")
  void twoBipartiteLayersSeeTheNeighbours(SymbolMap map) {
    Layer odd = new Bipartite(Mask.odd(5), new LookupTable(2), map);
    Layer even = new Bipartite(Mask.even(5), new LookupTable(2), map);
    assertThat(sources(odd, even).get(1)).containsExactly(0, 1, 2);
    // What the second layer to act moves, it moves by neighbours that the first one moved.
    assertThat(sources(odd, even).get(2)).containsExactly(0, 1, 2, 3, 4);
    assertThat(sources(even))
        .containsExactly(List.of(0), List.of(0, 1, 2), List.of(2), List.of(2, 3, 4), List.of(4));
  }

  @Test
  void aReorderingIsAPermutation() {
    assertThat(sources(new Reorder(Order.of(1, 2, 3, 4, 0))))
        .containsExactly(List.of(4), List.of(0), List.of(1), List.of(2), List.of(3));
  }

  /**
   * Three numbers of two digits each; then the second also depends on what its digit is moved by.
   */
  @Test
  void aPackedSymbolDependsOnAllItIsMadeOf() {
    Architecture architecture =
        Architecture.of(Space.uniform(6, 3), new FactorizedBase()).with(new Pack(2));
    assertThat(sources(architecture)).containsExactly(List.of(0, 1), List.of(2, 3), List.of(4, 5));
    LookupTable seesTheSecond = LookupTable.of(Collections.nCopies(6, List.of(1)));
    Layer third = new Bipartite(new Mask("110111"), seesTheSecond, new Permute());
    assertThat(sources(architecture.with(third)))
        .containsExactly(List.of(0, 1), List.of(1, 2, 3), List.of(4, 5));
  }

  @Test
  void aConditionalModelIsTriedWithWhatIsGiven() {
    Architecture architecture =
        Architecture.of(Space.of(2, 5), new FactorizedBase())
            .with(new Bipartite(Mask.even(2), new LookupTable(), new ShiftScale()))
            .condition(Space.of(3));
    try (FlowModel model = Zoo.wild(architecture)) {
      int[][] rows = {{0, 0}, {0, 0}, {0, 0}};
      int[][] condition = {{0}, {1}, {2}};
      assertThat(ReceptiveField.of(model, rows, condition).sources())
          .containsExactly(List.of(0), List.of(0, 1));
    }
  }

  private static List<List<Integer>> sources(Layer... layers) {
    return sources(new Architecture(SPACE, Space.NONE, new FactorizedBase(), List.of(layers)));
  }

  private static List<List<Integer>> sources(Architecture architecture) {
    try (FlowModel model = Zoo.wild(architecture)) {
      return ReceptiveField.of(model, model.sample(40, 1)).sources();
    }
  }
}
