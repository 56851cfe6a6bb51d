package io.ringflow.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

final class TorchExceptionTest {
  @Test
  void theFirstLineOfLibtorchIsKept() {
    try (Scope scope = Scope.inference()) {
      RuntimeException thrown =
          catchThrowableOfType(
              RuntimeException.class, () -> torch.zeros(2, 3).matmul(torch.zeros(2, 3)));
      assertThat(thrown.getMessage()).as("what libtorch says").contains("\n");
      RuntimeException translated = TorchException.translate(thrown);
      assertThat(translated).isInstanceOf(TorchException.class).hasCause(thrown);
      assertThat(translated.getMessage())
          .startsWith("libtorch: ")
          .contains("shapes cannot be multiplied")
          .hasLineCount(1);
    }
  }

  @Test
  void othersPassUnchanged() {
    RuntimeException ours = new RuntimeException("a listener's");
    assertThat(TorchException.translate(ours)).isSameAs(ours);
    RuntimeException state = new IllegalStateException("closed");
    assertThat(TorchException.translate(state)).isSameAs(state);
  }
}
