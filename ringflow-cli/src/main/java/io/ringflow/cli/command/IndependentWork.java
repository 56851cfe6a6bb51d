package io.ringflow.cli.command;

import io.ringflow.distributed.Rendezvous;
import io.ringflow.distributed.Shard;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Which part of some independent work this process of a team does. It needs nobody else for it: the
 * processes never talk, and one that fails can be started again alone.
 *
 * @param rank of this process
 * @param size of the team
 */
record IndependentWork(int rank, int size) {
  /** By what the environment says; all of it where that names no team. */
  static IndependentWork fromEnvironment() {
    return Rendezvous.of(System.getenv())
        .map(place -> new IndependentWork(place.rank(), place.size()))
        .orElse(new IndependentWork(0, 1));
  }

  boolean isAll() {
    return size == 1;
  }

  /** Every so many-th of a list: neighbours are often alike, in size too. */
  <T> List<T> of(List<T> all) {
    return IntStream.range(0, all.size()).filter(i -> i % size == rank).mapToObj(all::get).toList();
  }

  /** How many of a number of things. */
  int of(int count) {
    return Shard.of(count, rank, size).size();
  }

  /** Random numbers of its own. */
  long seed(long all) {
    if (isAll()) {
      return all;
    }
    var seeds = new SplittableRandom(all);
    return seeds.longs(rank + 1L).skip(rank).findFirst().orElseThrow();
  }

  /** The name of its part of a file, such as {@code scores-00002-of-00004.csv}. */
  Path of(Path file) {
    if (isAll()) {
      return file;
    }
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    int end = dot > 0 ? dot : name.length();
    return file.resolveSibling(
        String.format(
            "%s-%05d-of-%05d%s", name.substring(0, end), rank, size, name.substring(end)));
  }
}
