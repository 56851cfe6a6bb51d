package io.ringflow.internal.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SuggestionsTest {
  @Test
  void theNearestFiveComeFirst() {
    List<String> known =
        List.of("zebra", "Clerk", "clark", " clerk ", "cook", "ab", "x".repeat(90));
    assertThat(Suggestions.of("clerk", known))
        .isEqualTo("' clerk ', 'Clerk', 'clark', 'cook', 'zebra'");
    assertThat(Suggestions.of("xxx", List.of("x".repeat(90))))
        .isEqualTo("'" + "x".repeat(40) + "…'");
  }

  /** Against the definition by recursion, on all pairs of short words. */
  @Test
  void editDistanceIsTheShortestWay() {
    List<String> words = new ArrayList<>(List.of(""));
    for (int i = 0; words.get(i).length() < 4; i++) {
      words.add(words.get(i) + "a");
      words.add(words.get(i) + "b");
    }
    for (String a : words) {
      for (String b : words) {
        assertThat(Suggestions.distance(a, b)).as("%s %s", a, b).isEqualTo(slowDistance(a, b));
      }
    }
  }

  private static int slowDistance(String a, String b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.length() + b.length();
    }
    int change = a.charAt(0) == b.charAt(0) ? 0 : 1;
    return Math.min(
        change + slowDistance(a.substring(1), b.substring(1)),
        1 + Math.min(slowDistance(a.substring(1), b), slowDistance(a, b.substring(1))));
  }
}
