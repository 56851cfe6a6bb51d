package io.ringflow.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class ShardTest {
  @Test
  void smallShardsAreAPartition() {
    for (int count = 0; count <= 40; count++) {
      for (int size = 1; size <= 45; size++) {
        assertPartition(count, size);
      }
    }
  }

  @Property(tries = 200)
  void shardsAreAPartition(
      @ForAll @IntRange(max = Integer.MAX_VALUE) int count,
      @ForAll @IntRange(min = 1, max = 5000) int size) {
    assertPartition(count, size);
  }

  private static void assertPartition(int count, int size) {
    int end = 0;
    for (int rank = 0; rank < size; rank++) {
      Shard shard = Shard.of(count, rank, size);
      assertThat(shard.from()).isEqualTo(end);
      assertThat(shard.size() - count / size).isBetween(0, count % size == 0 ? 0 : 1);
      end = shard.to();
    }
    assertThat(end).isEqualTo(count);
  }

  @Test
  void oneProcessTakesAll() {
    assertThat(Shard.of(7, 0, 1)).isEqualTo(new Shard(0, 7));
    assertThat(Shard.of(7, 0, 1).size()).isEqualTo(7);
  }
}
