package io.ringflow.distributed;

/**
 * The part of a list that one process takes: consecutive elements. The shards of a group differ in
 * length by at most one.
 *
 * @param from index of the first element
 * @param to index behind the last
 */
public record Shard(int from, int to) {
  /**
   * The shard of one process; the shards of all ranks together are the list.
   *
   * @param count length of the list
   * @param rank of the process
   * @param size of the process group
   */
  public static Shard of(int count, int rank, int size) {
    return new Shard((int) ((long) count * rank / size), (int) ((long) count * (rank + 1) / size));
  }

  /** The number of elements. */
  public int size() {
    return to - from;
  }
}
