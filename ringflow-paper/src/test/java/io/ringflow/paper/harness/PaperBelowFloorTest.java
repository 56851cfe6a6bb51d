package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PaperBelowFloorTest {
  private static Result result(String model, double floor, Double paper) {
    return new Result("x", "D=2", model, "nll", "nats", 9, null, floor, paper, 1, 0, "cpu");
  }

  @Test
  void namesTheModelAndTheMeanFloor() {
    assertThat(
            PaperBelowFloor.sentence(
                List.of(result("a", 1.4, 0.5), result("a", 1.6, 0.5), result("b", 1, 3.0)), "nll"))
        .hasValueSatisfying(
            sentence -> assertThat(sentence).endsWith("fresh data: D=2, a: 0.5 < 1.500."));
  }

  @Test
  void roundingIsNoContradiction() {
    assertThat(PaperBelowFloor.sentence(List.of(result("a", 1.04, 1.0)), "nll")).isEmpty();
  }

  @Test
  void norIsAnotherDrawOfTheData() {
    assertThat(
            PaperBelowFloor.sentence(
                List.of(result("a", 0.97, 0.9), result("a", 1.36, 0.9)), "nll"))
        .isEmpty();
  }

  @Test
  void noFigureNoSentence() {
    assertThat(PaperBelowFloor.sentence(List.of(result("a", 1, null)), "nll")).isEmpty();
    assertThat(PaperBelowFloor.sentence(List.of(result("a", 1, 0.5)), "other")).isEmpty();
  }
}
