package io.ringflow.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The positions of a graph in blocks of equal size whose members lie close together: 2, 4, 8 and so
 * on of them.
 *
 * <p>By heavy-edge matching, as multilevel partitioning does it: each block is joined with that
 * neighbour to which it has the most edges. Of a lattice of even sides this makes rectangles.
 *
 * @param blocks the positions of each
 * @param neighbours of each block, others that share an edge with it
 */
record GraphBlocks(List<List<Integer>> blocks, List<List<Integer>> neighbours) {
  /** Every position by itself. */
  static GraphBlocks singles(List<List<Integer>> neighbours) {
    List<List<Integer>> blocks = new ArrayList<>();
    for (int position = 0; position < neighbours.size(); position++) {
      blocks.add(List.of(position));
    }
    return new GraphBlocks(blocks, neighbours);
  }

  /** How many positions a block has. */
  int size() {
    return blocks.get(0).size();
  }

  /**
   * Blocks of twice the size.
   *
   * @param edges of the graph: the neighbours of each position
   * @return empty where some block would be left alone
   */
  Optional<GraphBlocks> paired(List<List<Integer>> edges) {
    int[] block = blockOf(blocks, edges.size());
    List<List<Integer>> pairs = new ArrayList<>();
    boolean[] taken = new boolean[blocks.size()];
    for (int one = 0; one < blocks.size(); one++) {
      if (!taken[one]) {
        int partner = heaviest(one, block, taken, edges);
        if (partner < 0) {
          return Optional.empty();
        }
        taken[one] = true;
        taken[partner] = true;
        List<Integer> both = new ArrayList<>(blocks.get(one));
        both.addAll(blocks.get(partner));
        pairs.add(List.copyOf(both));
      }
    }
    return Optional.of(new GraphBlocks(List.copyOf(pairs), quotient(pairs, edges)));
  }

  /** The free neighbour with the most edges, of several the first; -1 for none. */
  private int heaviest(int one, int[] block, boolean[] taken, List<List<Integer>> edges) {
    Map<Integer, Integer> weights = new TreeMap<>();
    for (int position : blocks.get(one)) {
      for (int other : edges.get(position)) {
        if (block[other] != one && !taken[block[other]]) {
          weights.merge(block[other], 1, Integer::sum);
        }
      }
    }
    int best = -1;
    for (Map.Entry<Integer, Integer> weight : weights.entrySet()) {
      if (best < 0 || weight.getValue() > weights.get(best)) {
        best = weight.getKey();
      }
    }
    return best;
  }

  private static List<List<Integer>> quotient(
      List<List<Integer>> blocks, List<List<Integer>> edges) {
    int[] block = blockOf(blocks, edges.size());
    List<List<Integer>> neighbours = new ArrayList<>();
    for (int one = 0; one < blocks.size(); one++) {
      TreeSet<Integer> others = new TreeSet<>();
      for (int position : blocks.get(one)) {
        edges.get(position).forEach(other -> others.add(block[other]));
      }
      others.remove(one);
      neighbours.add(List.copyOf(others));
    }
    return List.copyOf(neighbours);
  }

  private static int[] blockOf(List<List<Integer>> blocks, int positions) {
    int[] result = new int[positions];
    for (int one = 0; one < blocks.size(); one++) {
      for (int position : blocks.get(one)) {
        result[position] = one;
      }
    }
    return result;
  }
}
