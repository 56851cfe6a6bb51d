package io.ringflow.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RendezvousTest {
  private static final Map<String, String> WHOLE =
      Map.of(
          "WORLD_SIZE", "4",
          "RANK", "2",
          "MASTER_ADDR", "10.0.0.7",
          "MASTER_PORT", "29500");

  private static final Rendezvous RENDEZVOUS = Rendezvous.at("10.0.0.7", 29500, 2, 4);

  /** All variables, some of them changed: name, value, name, value… */
  private static Map<String, String> with(String... changes) {
    Map<String, String> environment = new HashMap<>(WHOLE);
    for (int i = 0; i < changes.length; i += 2) {
      environment.put(changes[i], changes[i + 1]);
    }
    return environment;
  }

  private static Map<String, String> without(String... names) {
    Map<String, String> environment = new HashMap<>(WHOLE);
    List.of(names).forEach(environment::remove);
    return environment;
  }

  private static void refused(Map<String, String> environment, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rendezvous.of(environment))
        .withMessage(message);
  }

  @Test
  void aGroupIsFound() {
    assertThat(Rendezvous.of(WHOLE)).contains(RENDEZVOUS);
    assertThat(RENDEZVOUS)
        .isEqualTo(
            new Rendezvous(2, 4, "10.0.0.7", 29500, "10.0.0.7", Duration.ofMinutes(5), null));
    assertThat(RENDEZVOUS.withTimeout(Duration.ofSeconds(7)))
        .isEqualTo(
            new Rendezvous(2, 4, "10.0.0.7", 29500, "10.0.0.7", Duration.ofSeconds(7), null));
  }

  /** All sixteen subsets: a group needs all four variables, and some of them are an error. */
  @Test
  void allOrNothing() {
    List<String> names = List.of("WORLD_SIZE", "RANK", "MASTER_ADDR", "MASTER_PORT");
    for (int subset = 0; subset < 16; subset++) {
      Map<String, String> some = new HashMap<>();
      for (int i = 0; i < 4; i++) {
        if ((subset >> i & 1) == 1) {
          some.put(names.get(i), WHOLE.get(names.get(i)));
        }
      }
      if (subset == 15) {
        assertThat(Rendezvous.of(some)).contains(RENDEZVOUS);
      } else if (some.isEmpty() || some.keySet().equals(Set.of("MASTER_PORT"))) {
        assertThat(Rendezvous.of(some)).isEmpty();
      } else {
        assertThatIllegalArgumentException()
            .as("%s", some)
            .isThrownBy(() -> Rendezvous.of(some))
            .satisfies(
                e -> {
                  assertThat(some.keySet()).anyMatch(name -> e.getMessage().startsWith(name));
                  assertThat(names)
                      .filteredOn(name -> !some.containsKey(name))
                      .anyMatch(name -> e.getMessage().contains("but " + name + " is not: "));
                });
      }
    }
  }

  @Test
  void whatIsMissingIsNamed() {
    String both = " is not: a process group needs both";
    refused(without("MASTER_ADDR"), "WORLD_SIZE is set, but MASTER_ADDR" + both);
    refused(without("MASTER_PORT"), "WORLD_SIZE is set, but MASTER_PORT" + both);
    refused(without("RANK"), "WORLD_SIZE is set, but RANK" + both);
    String neither = " is set, but WORLD_SIZE is not: set both for a process group, or neither";
    refused(without("WORLD_SIZE"), "MASTER_ADDR" + neither);
    refused(Map.of("RANK", "0"), "RANK" + neither);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WORLD_SIZE", "RANK", "MASTER_ADDR", "MASTER_PORT"})
  void blankIsMissing(String name) {
    for (String blank : List.of("", "  ", "\t")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Rendezvous.of(with(name, blank)))
          .withMessageContaining("but " + name + " is not");
    }
  }

  @Test
  void allBlankIsNoGroup() {
    Map<String, String> blank = new HashMap<>();
    WHOLE.forEach((name, value) -> blank.put(name, " "));
    assertThat(Rendezvous.of(blank)).isEmpty();
  }

  @Test
  void surroundingSpacesAreIgnored() {
    assertThat(Rendezvous.of(with("WORLD_SIZE", " 4", "RANK", "2 ", "MASTER_ADDR", " 10.0.0.7\n")))
        .contains(RENDEZVOUS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WORLD_SIZE", "RANK", "MASTER_PORT", "RINGFLOW_TIMEOUT"})
  void whatIsNoNumberIsRejected(String name) {
    for (String nonsense : List.of("two", "1.5", "0x2", "99999999999", "1 2")) {
      refused(with(name, nonsense), name + " must be a whole number, but is '" + nonsense + "'");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WORLD_SIZE|0|at least 1",
        "WORLD_SIZE|-2|at least 1",
        "RANK|4|at least 0 and below WORLD_SIZE, 4",
        "RANK|-1|at least 0 and below WORLD_SIZE, 4",
        "MASTER_PORT|0|from 1 to 65535",
        "MASTER_PORT|65536|from 1 to 65535",
        "RINGFLOW_TIMEOUT|0|at least 1",
        "RINGFLOW_TIMEOUT|-5|at least 1"
      })
  void valuesOutOfRangeAreRejected(String name, String value, String bound) {
    refused(with(name, value), name + " must be " + bound + ", but is " + value);
  }

  @Test
  void theBoundsAreInRange() {
    assertThat(Rendezvous.of(with("RANK", "0"))).map(Rendezvous::rank).contains(0);
    assertThat(Rendezvous.of(with("RANK", "3"))).map(Rendezvous::rank).contains(3);
    assertThat(Rendezvous.of(with("MASTER_PORT", "1"))).map(Rendezvous::port).contains(1);
    assertThat(Rendezvous.of(with("MASTER_PORT", "65535"))).map(Rendezvous::port).contains(65535);
    assertThat(Rendezvous.of(with("RINGFLOW_TIMEOUT", "1")))
        .contains(RENDEZVOUS.withTimeout(Duration.ofSeconds(1)));
  }

  /** Containers often set a world size of one. */
  @Test
  void oneProcessWithoutAnAddressIsNoGroup() {
    assertThat(Rendezvous.of(Map.of("WORLD_SIZE", "1"))).isEmpty();
    assertThat(Rendezvous.of(Map.of("WORLD_SIZE", "1", "RANK", "0"))).isEmpty();
  }

  @Test
  void oneProcessWithAnAddressIsAGroup() {
    assertThat(Rendezvous.of(with("WORLD_SIZE", "1", "RANK", "0")))
        .contains(Rendezvous.at("10.0.0.7", 29500, 0, 1));
    refused(with("WORLD_SIZE", "1"), "RANK must be at least 0 and below WORLD_SIZE, 1, but is 2");
  }

  @Test
  void otherVariablesAloneAreNoGroup() {
    assertThat(
            Rendezvous.of(
                Map.of(
                    "MASTER_PORT", "x",
                    "RINGFLOW_TIMEOUT", "x",
                    "RINGFLOW_LISTEN", "x",
                    "LOCAL_RANK", "x",
                    "TORCHELASTIC_USE_AGENT_STORE", "True")))
        .isEmpty();
  }

  @Test
  void rankZeroMayListenOnAnotherAddress() {
    assertThat(Rendezvous.of(with("RINGFLOW_LISTEN", " 0.0.0.0 ")))
        .contains(new Rendezvous(2, 4, "10.0.0.7", 29500, "0.0.0.0", Duration.ofMinutes(5), null));
    assertThat(Rendezvous.of(with("RINGFLOW_LISTEN", " "))).contains(RENDEZVOUS);
  }

  @Test
  void theTimeOutIsInSeconds() {
    assertThat(Rendezvous.of(with("RINGFLOW_TIMEOUT", "90")))
        .contains(RENDEZVOUS.withTimeout(Duration.ofSeconds(90)));
    assertThat(Rendezvous.of(with("RINGFLOW_TIMEOUT", " "))).contains(RENDEZVOUS);
  }

  /** A Slurm job is a process group if the store's address is set. */
  @Test
  void slurmSetsSizeAndRank() {
    Map<String, String> slurm = Map.of("SLURM_NTASKS", "4", "SLURM_PROCID", "2");
    assertThat(Rendezvous.of(slurm)).isEmpty();
    Map<String, String> placed = new HashMap<>(slurm);
    placed.put("MASTER_ADDR", "10.0.0.7");
    placed.put("MASTER_PORT", "29500");
    assertThat(Rendezvous.of(placed)).contains(RENDEZVOUS);

    placed.put("SLURM_PROCID", "4");
    refused(placed, "RANK must be at least 0 and below WORLD_SIZE, 4, but is 4");
    placed.put("SLURM_PROCID", "x");
    refused(placed, "SLURM_PROCID must be a whole number, but is 'x'");
    placed.put("SLURM_PROCID", "2");
    placed.remove("SLURM_NTASKS");
    refused(
        placed,
        "MASTER_ADDR is set, but WORLD_SIZE is not: set both for a process group, or neither");
    placed.put("SLURM_NTASKS", "4");
    placed.remove("MASTER_PORT");
    refused(placed, "SLURM_NTASKS is set, but MASTER_PORT is not: a process group needs both");
  }

  @Test
  void pytorchsVariablesGoBeforeSlurms() {
    assertThat(Rendezvous.of(with("SLURM_NTASKS", "9", "SLURM_PROCID", "8"))).contains(RENDEZVOUS);
    Map<String, String> sizeOnly = without("RANK");
    sizeOnly.put("SLURM_NTASKS", "9");
    sizeOnly.put("SLURM_PROCID", "2");
    assertThat(Rendezvous.of(sizeOnly)).contains(RENDEZVOUS);
  }

  /** torchrun's store outlives a group that is restarted. */
  @Test
  void torchrunRunsTheStore() {
    assertThat(attempt("TORCHELASTIC_USE_AGENT_STORE", "True")).isEqualTo("0");
    assertThat(attempt("TORCHELASTIC_USE_AGENT_STORE", "true")).isEqualTo("0");
    assertThat(attempt("TORCHELASTIC_USE_AGENT_STORE", "True", "TORCHELASTIC_RESTART_COUNT", "3"))
        .isEqualTo("3");
    assertThat(attempt("TORCHELASTIC_USE_AGENT_STORE", "False", "TORCHELASTIC_RESTART_COUNT", "3"))
        .isNull();
    assertThat(attempt("TORCHELASTIC_USE_AGENT_STORE", "")).isNull();
    assertThat(attempt("TORCHELASTIC_RESTART_COUNT", "3")).isNull();
  }

  private static String attempt(String... changes) {
    return Rendezvous.of(with(changes)).orElseThrow().attempt();
  }
}
