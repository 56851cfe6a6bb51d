package io.ringflow.internal.mixing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** One byte remembers what matters of the bits before. */
final class BitHistoryTest {
  @Test
  void everyStateIsReachedAndFitsInAByte() {
    assertThat(BitHistory.count()).isBetween(128, 256);
    var reached = new BitSet();
    reached.set(0);
    for (int state = 0; state < BitHistory.count(); state++) {
      for (int bit = 0; bit < 2; bit++) {
        int next = BitHistory.next((byte) state, bit) & 0xFF;
        assertThat(next).isBetween(1, BitHistory.count() - 1);
        reached.set(next);
      }
    }
    assertThat(reached.cardinality()).isEqualTo(BitHistory.count());
  }

  @Test
  void runsMakeSureAndContradictionMakesUnsure() {
    byte state = 0;
    int before = BitHistory.start(0);
    assertThat(before).isEqualTo(1 << 15);
    for (int i = 0; i < 40; i++) {
      state = BitHistory.next(state, 1);
      assertThat(BitHistory.start(state & 0xFF)).as("after %d ones", i + 1).isGreaterThan(before);
      before = BitHistory.start(state & 0xFF);
    }
    assertThat(BitHistory.next(state, 1)).isEqualTo(state);
    state = BitHistory.next(state, 0);
    assertThat(BitHistory.start(state & 0xFF)).isBetween(1 << 15, before - 5000);
  }

  /** Symmetric: what ones do to a history, zeros do to its mirror image. */
  @Test
  void zerosAndOnesAreTreatedAlike() {
    for (int path = 0; path < 1 << 12; path++) {
      byte state = 0;
      byte mirror = 0;
      for (int i = 0; i < 12; i++) {
        state = BitHistory.next(state, (path >> i) & 1);
        mirror = BitHistory.next(mirror, 1 - ((path >> i) & 1));
      }
      assertThat(BitHistory.start(state & 0xFF) + BitHistory.start(mirror & 0xFF))
          .isBetween((1 << 16) - 1, 1 << 16);
    }
  }
}
