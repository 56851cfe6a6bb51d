package io.ringflow.internal.natives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlasThreadsTest {
  private static final int UNSET = -1;

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 3", "64, 64"})
  void onFewCoresProductsHaveOneThread(int cores, int expected) {
    assertThat(BlasThreads.chosen(UNSET, cores, Map.of("PATH", "/bin"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"})
  void theEnvironmentDecidesWhereItSaysANumber(String variable) {
    assertThat(BlasThreads.chosen(UNSET, 2, Map.of(variable, "2"))).isEqualTo(2);
    assertThat(BlasThreads.chosen(UNSET, 8, Map.of(variable, "3,2"))).isEqualTo(3);
    assertThat(BlasThreads.chosen(UNSET, 8, Map.of(variable, "99"))).as("cores").isEqualTo(8);
    assertThat(BlasThreads.chosen(UNSET, 2, Map.of(variable, "all"))).as("none").isEqualTo(1);
  }

  @Test
  void theNameOfOpenBlasItselfComesFirst() {
    Map<String, String> both = Map.of("OMP_NUM_THREADS", "4", "OPENBLAS_NUM_THREADS", "2");
    assertThat(BlasThreads.chosen(UNSET, 8, both)).isEqualTo(2);
  }

  @Test
  void aNumberThatAProgramHasSetStays() {
    assertThat(BlasThreads.chosen(2, 2, Map.of("OMP_NUM_THREADS", "1"))).isEqualTo(2);
  }

  @Test
  void aProgramThatSetsNothingGetsTheChoice() throws Exception {
    int cores = Runtime.getRuntime().availableProcessors();
    assertThat(printed(Map.of())).isEqualTo((cores > 2 ? cores : 1) + " of " + cores);
  }

  @Test
  void aProgramGetsWhatItsEnvironmentSays() throws Exception {
    assertThat(printed(Map.of("OMP_NUM_THREADS", "1"))).isEqualTo("1 of 1");
    assertThat(printed(Map.of("OPENBLAS_NUM_THREADS", "2"))).startsWith("2 of ");
  }

  /** What a process of its own prints: these tests have both numbers in their environment. */
  private static String printed(Map<String, String> environment)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName());
    builder.environment().remove("OMP_NUM_THREADS");
    builder.environment().remove("OPENBLAS_NUM_THREADS");
    builder.environment().putAll(environment);
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as("exit code").isZero();
    return text;
  }

  /** Embeds the library: prints threads of its BLAS and those of libtorch. */
  static final class Program {
    public static void main(String[] args) {
      NativeLibraries.load();
      System.out.println(
          openblas_nolapack.blas_get_num_threads() + " of " + torch.get_num_threads());
    }
  }
}
