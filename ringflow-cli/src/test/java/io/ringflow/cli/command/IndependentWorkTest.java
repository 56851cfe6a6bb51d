package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class IndependentWorkTest {
  private static final IndependentWork ALL = new IndependentWork(0, 1);

  private static List<IndependentWork> group(int size) {
    return IntStream.range(0, size).mapToObj(rank -> new IndependentWork(rank, size)).toList();
  }

  @Test
  void thisProcessIsInNoGroup() {
    assertThat(IndependentWork.fromEnvironment()).isEqualTo(ALL);
    assertThat(ALL.isAll()).isTrue();
    assertThat(group(2)).noneMatch(IndependentWork::isAll);
  }

  @Test
  void fileNamesHaveTheRankAndSize() {
    assertThat(new IndependentWork(2, 4).of(Path.of("out/scores.csv")))
        .isEqualTo(Path.of("out/scores-00002-of-00004.csv"));
    assertThat(new IndependentWork(0, 12345).of(Path.of("scores")))
        .isEqualTo(Path.of("scores-00000-of-12345"));
    assertThat(new IndependentWork(1, 2).of(Path.of("a.b.csv")))
        .isEqualTo(Path.of("a.b-00001-of-00002.csv"));
    assertThat(new IndependentWork(1, 2).of(Path.of(".csv")))
        .isEqualTo(Path.of(".csv-00001-of-00002"));
    assertThat(new IndependentWork(1, 2).of(Path.of("a.b/c")))
        .isEqualTo(Path.of("a.b/c-00001-of-00002"));
    assertThat(ALL.of(Path.of("scores.csv"))).isEqualTo(Path.of("scores.csv"));
  }

  @Property(tries = 100)
  void partsOfAListAreAPartition(
      @ForAll @IntRange(max = 50) int count, @ForAll @IntRange(min = 1, max = 20) int size) {
    List<Integer> all = IntStream.range(0, count).boxed().toList();
    List<Integer> together = new ArrayList<>();
    for (IndependentWork part : group(size)) {
      List<Integer> mine = part.of(all);
      assertThat(mine).isSorted();
      assertThat(mine.size() - count / size).isBetween(0, 1);
      together.addAll(mine);
    }
    assertThat(together).containsExactlyInAnyOrderElementsOf(all);
  }

  @Property(tries = 100)
  void partsOfANumberAddUp(
      @ForAll @IntRange(max = Integer.MAX_VALUE) int count,
      @ForAll @IntRange(min = 1, max = 100) int size) {
    long sum = 0;
    for (IndependentWork part : group(size)) {
      assertThat(part.of(count) - count / size).isBetween(0, 1);
      sum += part.of(count);
    }
    assertThat(sum).isEqualTo(count);
  }

  @Test
  void seedsOfAllRanksDiffer() {
    List<Long> seeds = new ArrayList<>();
    for (long all = 0; all < 100; all++) {
      seeds.add(all); // the seed of a single process
      for (IndependentWork part : group(20)) {
        assertThat(part.seed(all)).as("the same at any time").isEqualTo(part.seed(all));
        seeds.add(part.seed(all));
      }
    }
    assertThat(seeds).doesNotHaveDuplicates();
    assertThat(ALL.seed(7)).isEqualTo(7);
  }
}
