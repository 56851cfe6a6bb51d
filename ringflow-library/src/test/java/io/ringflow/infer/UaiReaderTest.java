package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UaiReaderTest {
  /** A line for each part; the tests of mistakes change one line of it. */
  private static final String PAIR =
      """
      MARKOV
      2
      2 3
      2
      1 1
      2 0 1
      3 1 2 0.5
      6 1 2 3 4 5 6
      """;

  @TempDir Path folder;

  private FactorGraph read(String text) throws IOException {
    return FactorGraph.read(Files.writeString(folder.resolve("net.uai"), text));
  }

  private Map<String, String> readEvidence(String text) throws IOException {
    return FactorGraph.readEvidence(Files.writeString(folder.resolve("net.uai.evid"), text));
  }

  @Test
  void theLastVariableChangesFastest() throws IOException {
    FactorGraph graph = read(PAIR.replace("MARKOV", "BAYES"));
    double[] logWeights = graph.logWeights(new int[][] {{0, 2}, {1, 0}});
    assertThat(logWeights).containsExactly(Math.log(0.5) + Math.log(3), Math.log(1) + Math.log(4));
    assertThat(graph.variables()).isEqualTo(Variable.numbered(graph.space().cardinalities()));
  }

  @Test
  void whatIsWrittenIsReadBack() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      RandomNetworks.Weighted written = RandomNetworks.of(seed);
      FactorGraph graph = read(written.uai(seed % 2 == 0 ? "MARKOV" : "BAYES"));
      assertThat(graph.variables()).isEqualTo(written.graph().variables());
      assertThat(graph.factors()).as("seed %d", seed).isEqualTo(written.graph().factors());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      textBlock =
          """
          1 # markov # line 1, column 1: expected MARKOV or BAYES, but found 'markov'
          2 # 0 # line 2, column 1: the number of variables must be in 1..1048576, but is 0
          2 # two # line 2, column 1: expected the number of variables, but found 'two'
          3 # 2 0 # line 3, column 3: the number of states of x1 must be in 1..1048576, but is 0
          3 # 2 1048575 # line 3, column 3: more than 1048576 states in all
          3 # 2 # line 6, column 1: a variable of factor 0 must be in 0..1, but is 2
          4 # -1 # line 4, column 1: the number of factors must be in 0..67108864, but is -1
          5 # 1 2 # line 5, column 3: a variable of factor 0 must be in 0..1, but is 2
          5 # 3 0 1 1 # line 5, column 1: the number of variables of factor 0 must be in 0..2, but is 3
          6 # 2 1 1 # line 6, column 1: factor 1 names a variable twice
          7 # 4 1 2 3 4 # line 7, column 1: factor 0 has 4 values, but its variables have 3 combinations
          7 # 3 1 2 -3 # line 7, column 7: the values of factor 0 must be finite and at least 0, but one is -3
          7 # 3 1 2 1e400 # line 7, column 7: the values of factor 0 must be finite and at least 0, but one is 1e400
          7 # 3 1 2 nan # line 7, column 7: expected number 3 of the 3 of the values of factor 0, but found 'nan'
          7 # 3 1 2 1d # line 7, column 7: expected number 3 of the 3 of the values of factor 0, but found '1d'
          7 # 3 1, 2 3 # line 7, column 3: expected number 1 of the 3 of the values of factor 0, but found '1,'
          8 # 6 1 2 3 4 5 # line 9, column 1: expected number 6 of the 6 of the values of factor 1, but found the end of the file
          8 # 6 1 2 3 4 5 6 7 # line 8, column 15: expected the end of the file after the last table, but found '7'
          """)
  void aMistakeIsNamedWithItsLine(int line, String mistaken, String reason) throws IOException {
    String[] lines = PAIR.split("\n");
    lines[line - 1] = mistaken;
    Path file = Files.writeString(folder.resolve("net.uai"), String.join("\n", lines) + "\n");
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.read(file))
        .withMessage(file + ": " + reason);
  }

  @Test
  void promisesBeyondMemoryAreRefused() throws IOException {
    Path file = folder.resolve("net.uai");
    String many = "MARKOV 27 " + "2 ".repeat(27) + "1 27";
    for (int i = 0; i < 27; i++) {
      many += " " + i;
    }
    Files.writeString(file, many + " 134217728 1");
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.read(file))
        .withMessage(file + ": line 1, column 67: tables of more than 67108864 entries in all");
    Files.writeString(file, "MARKOV 2 8192 8192 1 2 0 1 67108864 1 2");
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.read(file))
        .withMessage(
            file
                + ": line 1, column 40: expected number 3 of the 67108864 of the values of factor"
                + " 0, but found the end of the file");
  }

  @Test
  void bothFormsOfEvidenceAreRead() throws IOException {
    assertThat(readEvidence("2 7 0 3 1\n")).containsExactly(entry("x7", "0"), entry("x3", "1"));
    assertThat(readEvidence("1\n2 7 0 3 1\n")).isEqualTo(readEvidence("2 7 0 3 1"));
    assertThat(readEvidence("1 5 2")).containsExactly(entry("x5", "2"));
    assertThat(readEvidence("1 1 5 2")).containsExactly(entry("x5", "2"));
    assertThat(readEvidence("0")).isEmpty();
    assertThat(readEvidence("1\n0\n")).isEmpty();
  }

  @Test
  void evidenceFitsItsGraph() throws IOException {
    FactorGraph rest = read(PAIR).given(readEvidence("1 1 2"));
    assertThat(rest.factors())
        .containsExactly(
            new Factor(List.of(0), new double[] {Math.log(3), Math.log(6)}),
            new Factor(List.of(), new double[] {Math.log(0.5)}));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      textBlock =
          """
          '' # line 1, column 1: expected an integer, but found the end of the file
          1 a 0 # line 1, column 3: expected an integer, but found 'a'
          1 3 -1 # line 1, column 5: an integer must be in 0..1048576, but is -1
          2 3 1 # line 1, column 1: says evidence of 2 variables, but there is that of 1
          1 2 3 1 # line 1, column 3: says evidence of 2 variables, but there is that of 1
          2 3 1 3 0 # line 1, column 7: evidence of x3 is there twice
          2 1 3 1 1 3 0 # line 1, column 1: says evidence of 2 variables, but there is that of 3
          2 1 3 1 1 3 # line 1, column 1: expected the number of variables and two integers for each, or that after 1 for one sample, but found 6 integers of which the first is 2
          """)
  void mistakenEvidenceIsNamedWithItsLine(String text, String reason) throws IOException {
    Path file = Files.writeString(folder.resolve("net.uai.evid"), text);
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.readEvidence(file))
        .withMessage(file + ": " + reason);
  }
}
