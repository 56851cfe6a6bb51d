package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a transformer of patches takes, and what it counts as a call. */
@ExtendWith(LeakCheck.class)
final class PatchTransformerTest {
  private static final PatchTransformer NETWORK =
      new PatchTransformer(new Transformer(8, 1, 2, 8), 2, 5, 2, new Transformer(4, 1, 2, 8));

  private static void causal(Space space, Groups groups) {
    NETWORK.causal(space, groups, Space.NONE, 3);
  }

  @Test
  void aCallIsForAllSymbolsOfAPatch() {
    Groups groups = Groups.growing(5, 2).inPatches(2);
    assertThat(groups.count()).isEqualTo(4);
    try (FlowModel model =
        FlowModel.create(
            Architecture.of(Space.uniform(10, 3), new GroupBase(groups, NETWORK)), 1)) {
      assertThat(model.samplingPasses()).isEqualTo(2);
    }
  }

  @Test
  void groupsMustTakeTheSymbolsOfAPatchInTurn() {
    Space space = Space.uniform(4, 3);
    causal(space, Groups.singles(Order.natural(4)));
    causal(space, Groups.blocks(2, 1).inPatches(2));
    for (Groups wrong :
        new Groups[] {
          Groups.singles(Order.reversed(4)),
          Groups.blocks(4, 1),
          Groups.singles(Order.of(1, 0, 2, 3)),
          Groups.cut(Order.natural(4), 2, 2)
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> causal(space, wrong))
          .withMessageContaining("patches of 2")
          .withMessageContaining("Groups.inPatches");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> causal(Space.uniform(3, 3), Groups.blocks(3, 3)))
        .withMessageContaining("patches of 2");
  }

  @Test
  void allPositionsMustHaveOneAlphabet() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> causal(Space.of(2, 3), Groups.blocks(2, 2)))
        .withMessageContaining("one alphabet");
  }

  @Test
  void noLayerMovesPatches() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NETWORK.bipartite(Space.uniform(4, 3), Mask.even(4), Space.NONE, 3))
        .withMessageContaining("use its trunk");
  }

  @Test
  void sizesMustMakeSense() {
    Transformer trunk = new Transformer(8, 1, 2, 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PatchTransformer(trunk, 0, 0, 1, trunk))
        .withMessageContaining("patch");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PatchTransformer(trunk, 2, -1, 1, trunk))
        .withMessageContaining("ngrams");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PatchTransformer(trunk, 2, 0, 3, trunk))
        .withMessageContaining("gram must be between 1 and the 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PatchTransformer(trunk.withNgrams(5), 2, 0, 1, trunk))
        .withMessageContaining("trunk must have ngrams 0, not 5");
  }
}
