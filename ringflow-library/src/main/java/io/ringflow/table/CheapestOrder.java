package io.ringflow.table;

import io.ringflow.core.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * An order of positions in which each is cheap given the best one or two before it, by {@link
 * ParentCosts}: so causes come before their joint effects, wherever a file has them.
 *
 * <p>From several starts, positions are moved to where the order becomes cheapest until no move
 * helps. Where a position comes in the file decides nothing but ties.
 */
final class CheapestOrder {
  private static final int STARTS = 20;
  private static final double MIN_GAIN = 1e-9;

  private final ParentCosts costs;
  private final int size;

  private CheapestOrder(ParentCosts costs, int size) {
    this.costs = costs;
    this.size = size;
  }

  /**
   * Searches.
   *
   * @param start where to begin first, such as the walk of a tree; later from shuffled ones
   */
  static Order of(ParentCosts costs, Order start) {
    var search = new CheapestOrder(costs, start.positions().size());
    List<Integer> best = null;
    double bestCost = Double.POSITIVE_INFINITY;
    var random = new Random(1);
    for (int i = 0; i < STARTS; i++) {
      List<Integer> order = new ArrayList<>(start.positions());
      if (i > 0) {
        Collections.shuffle(order, random);
      }
      double cost = search.improve(order);
      if (cost < bestCost) {
        bestCost = cost;
        best = order;
      }
    }
    return new Order(best);
  }

  /** What a row costs in an order. */
  static double cost(ParentCosts costs, Order order) {
    int size = order.positions().size();
    return new CheapestOrder(costs, size).cost(order.positions());
  }

  private double cost(List<Integer> order) {
    int[] place = places(order);
    double sum = 0;
    for (int position = 0; position < size; position++) {
      sum += cost(position, place);
    }
    return sum;
  }

  private int[] places(List<Integer> order) {
    int[] place = new int[size];
    for (int i = 0; i < size; i++) {
      place[order.get(i)] = i;
    }
    return place;
  }

  private double cost(int position, int[] place) {
    for (ParentCosts.Choice choice : costs.choices(position)) {
      if ((choice.first() < 0 || place[choice.first()] < place[position])
          && (choice.second() < 0 || place[choice.second()] < place[position])) {
        return choice.nats(); // the best come first
      }
    }
    throw new IllegalStateException("position " + position + " has no cost without parents");
  }

  /** Moves one position after the other to its best place, by steps between neighbours. */
  private double improve(List<Integer> order) {
    int[] place = places(order);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int position = 0; position < size; position++) {
        int from = place[position];
        int to = best(position, order, place);
        if (to != from) {
          changed = true;
        }
      }
    }
    return cost(order);
  }

  /** Moves a position to where it is best, and says where that is. */
  private int best(int position, List<Integer> order, int[] place) {
    int from = place[position];
    int bestPlace = from;
    double best = -MIN_GAIN;
    for (int step : new int[] {-1, 1}) {
      double change = 0;
      int at = from;
      for (; at + step >= 0 && at + step < size; at += step) {
        // Only these two see something else once they have changed places.
        int other = order.get(at + step);
        double before = cost(position, place) + cost(other, place);
        swap(order, place, at, at + step);
        change += cost(position, place) + cost(other, place) - before;
        if (change < best) {
          best = change;
          bestPlace = at + step;
        }
      }
      for (; at != from; at -= step) {
        swap(order, place, at, at - step);
      }
    }
    for (int at = from; at != bestPlace; at += Integer.signum(bestPlace - from)) {
      swap(order, place, at, at + Integer.signum(bestPlace - from));
    }
    return bestPlace;
  }

  private static void swap(List<Integer> order, int[] place, int a, int b) {
    Collections.swap(order, a, b);
    place[order.get(a)] = a;
    place[order.get(b)] = b;
  }
}
