package io.ringflow.cli.command;

import io.ringflow.distributed.Rendezvous;
import io.ringflow.distributed.Shard;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The part of some independent work that one process of a group does. The processes exchange
 * nothing, and one that fails can be started again by itself.
 *
 * @param rank of this process
 * @param size of the process group
 */
record IndependentWork(int rank, int size) {
  /** This process's part; all of the work where the environment names no process group. */
  static IndependentWork fromEnvironment() {
    return Rendezvous.of(System.getenv())
        .map(found -> new IndependentWork(found.rank(), found.size()))
        .orElse(new IndependentWork(0, 1));
  }

  boolean isAll() {
    return size == 1;
  }

  /** Every {@code size}-th element of a list: neighbours are often alike, in size too. */
  <T> List<T> of(List<T> all) {
    return IntStream.range(0, all.size()).filter(i -> i % size == rank).mapToObj(all::get).toList();
  }

  /** How many of {@code count} equal things. */
  int of(int count) {
    return Shard.of(count, rank, size).size();
  }

  /** A seed for this process, different on every rank. */
  long seed(long all) {
    if (isAll()) {
      return all;
    }
    var seeds = new SplittableRandom(all);
    return seeds.longs(rank + 1L).skip(rank).findFirst().orElseThrow();
  }

  /** The file for this process's part, such as {@code scores-00002-of-00004.csv}. */
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
