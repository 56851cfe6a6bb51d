package io.ringflow.network;

import io.ringflow.core.Groups;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * In which order the symbols of patches come: n groups of positions for each group of patches, the
 * first of which holds the first symbol of every patch, the second the next. A patch begins at its
 * left end or, backward, at its right.
 *
 * <p>Patches are counted in the order of their groups, and places within a patch from the left,
 * whichever way it is taken.
 */
final class PatchOrder {
  private final int patch;
  private final Groups patches;
  private final int[] starts; // of the groups of patches
  private final int[] positionStarts; // of the groups of positions
  private final boolean[] backward; // of each patch

  /**
   * The order of patches that some groups of positions refine.
   *
   * @param patch symbols of a patch
   */
  PatchOrder(Groups groups, int patch) {
    this.patch = patch;
    List<List<Integer>> coarser = new ArrayList<>();
    this.backward = new boolean[groups.positions() / patch];
    int next = 0;
    for (int group = 0; group + patch <= groups.count(); group += patch) {
      List<Integer> members = new ArrayList<>();
      for (int position : groups.groups().get(group)) {
        members.add(position / patch);
        if (next < backward.length) {
          backward[next++] = patch > 1 && position % patch == patch - 1;
        }
      }
      coarser.add(members);
    }
    if (!takesAll(groups, coarser)) {
      throw new IllegalArgumentException(
          "a transformer of patches of "
              + patch
              + " needs groups that take their symbols in turn, see Groups.inPatches");
    }
    this.patches = new Groups(coarser);
    this.starts = patches.starts();
    this.positionStarts = groups.starts();
  }

  /** Whether the groups are those that come of taking the patches' symbols in turn. */
  private boolean takesAll(Groups groups, List<List<Integer>> coarser) {
    if (groups.count() != coarser.size() * patch || groups.positions() % patch != 0) {
      return false;
    }
    int first = 0;
    for (int group = 0; group < groups.count(); group++) {
      List<Integer> members = coarser.get(group / patch);
      int turn = group % patch;
      int from = first;
      List<Integer> expected =
          IntStream.range(0, members.size())
              .mapToObj(i -> members.get(i) * patch + place(from + i, turn))
              .toList();
      if (!expected.equals(groups.groups().get(group))) {
        return false;
      }
      first += turn == patch - 1 ? members.size() : 0;
    }
    return true;
  }

  /** The groups of patches. */
  Groups patches() {
    return patches;
  }

  /** Whether a patch begins at its right end. */
  boolean isBackward(int token) {
    return backward[token];
  }

  /** The place within a patch that comes at a turn, and the turn of a place. */
  int place(int token, int turn) {
    return backward[token] ? patch - 1 - turn : turn;
  }

  /** The patches that are taken forward, or backward, in order. */
  int[] taken(boolean backwards) {
    return IntStream.range(0, backward.length)
        .filter(token -> backward[token] == backwards)
        .toArray();
  }

  /**
   * Where in the order of positions the symbols of some patches are, from left to right: {@code
   * patch} of each.
   */
  long[] positions(int[] tokens) {
    int[] groupOf = patches.inOrder();
    long[] places = new long[tokens.length * patch];
    for (int i = 0; i < tokens.length; i++) {
      int group = groupOf[tokens[i]];
      for (int place = 0; place < patch; place++) {
        int turn = place(tokens[i], place);
        int start = positionStarts[group * patch + turn];
        places[i * patch + place] = start + tokens[i] - (long) starts[group];
      }
    }
    return places;
  }
}
