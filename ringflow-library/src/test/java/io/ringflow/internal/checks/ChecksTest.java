package io.ringflow.internal.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

final class ChecksTest {
  @Test
  void messagesNameArgumentBoundsAndValue() {
    Checks.atLeast("bins", 1, 1);
    Checks.inRange("bins", 1, 1, 2);
    Checks.inRange("bins", 2, 1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Checks.atLeast("bins", 0, 1))
        .withMessage("bins must be at least 1, but is 0");
    for (int value : new int[] {0, 3}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Checks.inRange("bins", value, 1, 2))
          .withMessage("bins must be in 1..2, but is " + value);
    }
  }

  @Test
  void anInterruptedThreadIsCancelledAndStaysInterrupted() {
    Interruption.check();
    var caught = new InterruptedException();
    assertThat(Interruption.cancelled(caught)).hasMessage("interrupted").hasCause(caught);
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(Interruption::check)
        .withMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
