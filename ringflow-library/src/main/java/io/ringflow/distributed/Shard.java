package io.ringflow.distributed;

/**
 * What one process takes of a list: neighbours, and none is one longer than another by more than
 * one.
 *
 * @param from its first place
 * @param to behind its last
 */
public record Shard(int from, int to) {
  /**
   * The share of one process; all shares together are the list.
   *
   * @param count length of the list
   * @param rank whose share
   * @param size of the team
   */
  public static Shard of(int count, int rank, int size) {
    return new Shard((int) ((long) count * rank / size), (int) ((long) count * (rank + 1) / size));
  }

  /** How much it is. */
  public int size() {
    return to - from;
  }
}
