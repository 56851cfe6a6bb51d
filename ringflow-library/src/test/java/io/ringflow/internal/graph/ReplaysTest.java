package io.ringflow.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.graph.FakeBackend.Moment;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that repeats gives the same results, captured or not, and leaves nothing behind. */
@ExtendWith(LeakCheck.class)
final class ReplaysTest {
  private final FakeBackend backend = new FakeBackend();
  private final List<String> said = new ArrayList<>();
  private final Replays replays = replays(backend);

  private Replays replays(FakeBackend own) {
    return new Replays(Device.CPU, Optional.of(own), new OneRemark(said::add));
  }

  @AfterEach
  void close() {
    replays.close();
  }

  private double[] run(Object key, Computation work, double first) {
    return run(replays, key, work, Computation.Host.IDLE, first);
  }

  static double[] run(
      Replays replays, Object key, Computation work, Computation.Host host, double first) {
    try (Scope scope = Scope.inference()) {
      double[] values = {first, first + 1};
      Tensor input = Tensors.reals(values, Precision.FLOAT64, Device.CPU, 2);
      return replays.run(
          key, List.of(input), work, host, results -> Tensors.toDoubles(results.get(0)));
    }
  }

  private void givesTwice(Object key, double first) {
    assertThat(run(key, backend::twice, first)).containsExactly(2 * first, 2 * first + 2);
  }

  @Test
  void theFirstRunIsPlainTheSecondCapturesAndFurtherOnesLaunch() {
    givesTwice("a", 1);
    assertThat(backend.sessions).isEmpty();
    givesTwice("a", 5);
    assertThat(backend.sessions).hasSize(1);
    assertThat(backend.launches()).isEqualTo(1);
    givesTwice("a", 7);
    givesTwice("a", 5);
    assertThat(backend.launches()).isEqualTo(3);
    assertThat(backend.sessions).hasSize(1);
    assertThat(backend.runs).as("plain once, captured once").hasValue(2);
    assertThat(said).isEmpty();
    replays.close();
    replays.close();
    assertThat(backend.sessions.get(0).closed).isEqualTo(1);
    assertThat(backend.sessions.get(0).finished).isEqualTo(1);
  }

  @Test
  void otherKeysAreOtherWork() {
    for (int i = 0; i < 3; i++) {
      givesTwice("a", i);
      givesTwice(List.of("a", i), i);
    }
    assertThat(backend.sessions).hasSize(1);
    assertThat(backend.runs).hasValue(5);
  }

  @Test
  void withoutABackendAllIsPlain() {
    try (Replays plain = new Replays(Device.CPU, Optional.empty(), new OneRemark(said::add))) {
      assertThat(plain.captures()).isFalse();
      for (int i = 0; i < 3; i++) {
        assertThat(run(plain, "a", backend::twice, Computation.Host.IDLE, i))
            .containsExactly(2 * i, 2 * i + 2);
      }
    }
    assertThat(backend.runs).hasValue(3);
    assertThat(replays.captures()).isTrue();
    assertThat(new Replays(Device.CPU).captures()).as("a CPU has no graphs").isFalse();
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void whatCantBeCapturedRunsPlainlyForGood(Moment moment) {
    backend.failAt(moment, new CaptureException("no graphs today"));
    for (int i = 0; i < 4; i++) {
      givesTwice("a", i);
      givesTwice("b", i);
    }
    assertThat(said).containsExactly("no graphs today");
    assertThat(backend.sessions).hasSize(moment == Moment.OPEN ? 0 : 2);
    assertThat(backend.sessions).allMatch(session -> session.closed == 1 && session.launches == 0);
    replays.close();
    assertThat(backend.sessions).allMatch(session -> session.closed == 1);
  }

  @Test
  void whatLooksAtValuesRunsPlainlyForGood() {
    Computation looking =
        (inputs, stops) -> {
          Tensor result = backend.twice(inputs, stops).get(0);
          Tensor first = result.narrow(0, 0, 1);
          return List.of(result.add(new Scalar(Tensors.scalar(first))));
        };
    for (int i = 0; i < 4; i++) {
      assertThat(run("a", looking, i)).containsExactly(4 * i, 4 * i + 2);
    }
    assertThat(said)
        .containsExactly("values move between host and device, which a graph can't repeat");
    assertThat(backend.sessions).hasSize(1);
    assertThat(backend.sessions.get(0).closed).isEqualTo(1);
    givesTwice("b", 1);
    givesTwice("b", 2);
    assertThat(backend.launches()).as("other work is captured all the same").isEqualTo(1);
  }

  @Test
  void withoutMemoryForAGraphItRunsPlainly() {
    Computation large =
        (inputs, stops) -> {
          if (backend.captures()) {
            throw FakeBackend.fromLibtorch("CUDA out of memory.\nframe #0");
          }
          return backend.twice(inputs, stops);
        };
    for (int i = 0; i < 3; i++) {
      assertThat(run("a", large, i)).containsExactly(2 * i, 2 * i + 2);
    }
    assertThat(said).hasSize(1);
    assertThat(said.get(0)).startsWith("out of memory (CUDA out of memory.)").hasLineCount(1);
    assertThat(backend.sessions).hasSize(2).allMatch(session -> session.closed == 1);
    assertThat(backend.trims).isEqualTo(1);
  }

  @Test
  void whatFitsOnceMemoryIsTrimmedIsCaptured() {
    Computation large =
        (inputs, stops) -> {
          if (backend.captures() && backend.trims == 0) {
            throw FakeBackend.fromLibtorch("CUDA out of memory.\nframe #0");
          }
          return backend.twice(inputs, stops);
        };
    for (int i = 0; i < 3; i++) {
      assertThat(run("a", large, i)).containsExactly(2 * i, 2 * i + 2);
    }
    assertThat(said).isEmpty();
    assertThat(backend.launches()).isEqualTo(2);
  }

  @Test
  void whatIsFreedIsCapturedAnew() {
    for (int i = 0; i < 3; i++) {
      givesTwice("a", i);
    }
    replays.freeCaptured();
    assertThat(backend.sessions.get(0).closed).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      givesTwice("a", i);
    }
    assertThat(backend.sessions).hasSize(2);
  }

  /** It is the caller's, and no reason to capture anew. */
  @Test
  void aFailureOfTheReaderLeavesTheGraph() {
    givesTwice("a", 1);
    givesTwice("a", 2);
    try (Scope scope = Scope.inference()) {
      Tensor input = Tensors.reals(new double[2], Precision.FLOAT64, Device.CPU, 2);
      assertThatThrownBy(
              () ->
                  replays.run(
                      "a",
                      List.of(input),
                      backend::twice,
                      Computation.Host.IDLE,
                      results -> {
                        throw new IllegalStateException("can't read");
                      }))
          .hasMessage("can't read");
    }
    givesTwice("a", 3);
    assertThat(backend.sessions).hasSize(1);
    assertThat(said).isEmpty();
  }

  @Test
  void afterCloseNothingRuns() {
    givesTwice("a", 1);
    givesTwice("a", 1);
    replays.close();
    for (String key : List.of("a", "b")) {
      assertThatThrownBy(() -> run(key, backend::twice, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("this model is closed");
    }
    assertThat(backend.sessions).hasSize(1);
  }

  /** Three stretches: the host sees what two of them show, and the next works with its answer. */
  @Test
  void stopsShowTensorsInOrderAndTheHostsAnswersAreSeen() {
    Computation work =
        (inputs, stops) -> {
          Tensor first = Tensors.zeros(inputs.get(0), 2);
          Tensor second = Tensors.zeros(inputs.get(0), 2);
          Tensor last = Tensors.zeros(inputs.get(0), 2);
          backend.operator(() -> FakeBackend.copy(inputs.get(0).add(new Scalar(10.0)), first));
          stops.at(first);
          stops.at(null);
          backend.operator(() -> FakeBackend.copy(first.add(inputs.get(0)), second));
          stops.at(second);
          backend.operator(() -> FakeBackend.copy(second.add(inputs.get(0)), last));
          return List.of(last);
        };
    for (int i = 0; i < 4; i++) {
      double x = i;
      List<String> seen = new ArrayList<>();
      Computation.Host host =
          (stop, shown, inputs) -> {
            seen.add(stop + ": " + Tensors.toDoubles(shown)[0]);
            inputs.get(0).fill_(new Scalar(100.0 * (stop + 1)));
          };
      assertThat(run(replays, "a", work, host, x))
          .containsExactly(x + 10 + 100 + 300, x + 11 + 100 + 300);
      assertThat(seen).containsExactly("0: " + (x + 10), "2: " + (x + 110));
    }
    assertThat(backend.sessions).hasSize(1);
    assertThat(backend.launches()).as("four stretches, three times").isEqualTo(12);
  }

  @Test
  void theEightLastUsedAreKept() {
    for (int key = 0; key < 9; key++) {
      givesTwice(key, 1);
      givesTwice(key, 2);
    }
    givesTwice(0, 3);
    assertThat(closed()).as("the eldest but the one in use").containsExactly(1);
    givesTwice(8, 3);
    givesTwice(0, 3);
    assertThat(closed()).containsExactly(1);
    assertThat(backend.sessions).hasSize(9);
    givesTwice(1, 3);
    assertThat(backend.sessions).as("forgotten: plain again").hasSize(9);
    givesTwice(1, 4);
    assertThat(backend.sessions).hasSize(10);
    givesTwice(8, 3);
    assertThat(closed()).containsExactly(1, 2);
    replays.close();
    assertThat(backend.sessions).allMatch(session -> session.closed == 1);
  }

  private List<Integer> closed() {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < backend.sessions.size(); i++) {
      if (backend.sessions.get(i).closed > 0) {
        found.add(i);
      }
    }
    return found;
  }

  @Test
  void twoAtOnceHaveGraphsOfTheirOwn() {
    FakeBackend otherBackend = new FakeBackend();
    Computation thrice =
        (inputs, stops) -> {
          Tensor result = Tensors.zeros(inputs.get(0), 2);
          otherBackend.operator(() -> FakeBackend.copy(inputs.get(0).mul(new Scalar(3.0)), result));
          return List.of(result);
        };
    try (Replays other = replays(otherBackend)) {
      for (int i = 0; i < 3; i++) {
        givesTwice("a", i);
        assertThat(run(other, "a", thrice, Computation.Host.IDLE, i))
            .containsExactly(3 * i, 3 * i + 3);
      }
      replays.close();
      assertThat(run(other, "a", thrice, Computation.Host.IDLE, 7)).containsExactly(21, 24);
      assertThat(otherBackend.sessions.get(0).closed).isZero();
    }
    assertThat(otherBackend.sessions.get(0).closed).isEqualTo(1);
    assertThat(backend.sessions.get(0).closed).isEqualTo(1);
  }
}
