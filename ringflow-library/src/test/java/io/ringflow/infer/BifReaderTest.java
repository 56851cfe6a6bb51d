package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.DataFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BifReaderTest {
  /** Two variables; the tests of mistakes change one word of it. */
  private static final String RAIN =
      """
      network rain { }
      variable rain { type discrete [ 2 ] { yes, no }; }
      variable wet { type discrete [ 3 ] { dry, damp, wet }; }
      probability ( rain ) { table 0.2, 0.8; }
      probability ( wet | rain ) {
        (yes) 0.1, 0.3, 0.6;
        (no) 0.7, 0.2, 0.1;
      }
      """;

  @TempDir Path folder;

  private FactorGraph read(String text) throws IOException {
    return FactorGraph.read(Files.writeString(folder.resolve("net.bif"), text));
  }

  private void assertRefused(String text, String reason) throws IOException {
    Path file = Files.writeString(folder.resolve("net.bif"), text);
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.read(file))
        .withMessage(file + ": " + reason);
  }

  @Test
  void asiaHasItsJointProbabilities() throws IOException {
    FactorGraph graph = read(Asia.BIF);
    assertThat(graph.variables().stream().map(Variable::name))
        .containsExactly("asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp");
    int[][] rows = graph.space().enumerate();
    double[] logWeights = graph.logWeights(rows);
    for (int i = 0; i < rows.length; i++) {
      assertThat(Math.exp(logWeights[i]))
          .as(Arrays.toString(rows[i]))
          .isCloseTo(Asia.probability(rows[i]), within(1e-15));
    }
    assertThat(logWeights).contains(Double.NEGATIVE_INFINITY);
    assertThat(Arrays.stream(logWeights).map(Math::exp).sum()).isCloseTo(1, within(1e-12));
  }

  @Test
  void aFactorHasTheParentsThenTheChild() throws IOException {
    Factor factor = read(RAIN).factors().get(1);
    assertThat(factor.positions()).containsExactly(0, 1);
    assertThat(Arrays.stream(factor.logValues()).map(Math::exp).toArray())
        .containsExactly(new double[] {0.1, 0.3, 0.6, 0.7, 0.2, 0.1}, within(1e-15));
  }

  /** The style of the format's first programs: quotes, neither commas nor bars, whole tables. */
  @Test
  void aWholeTableListsTheChildSlowest() throws IOException {
    FactorGraph graph =
        read(
            """
            network "Dog-Problem" { //2 variables
              property "credal-set constant-density-bounded 1.1" ;
            }
            variable "family-out" { type discrete[2] { "true" "false" }; }
            variable "bowel problem" { type discrete[2] { "true" "false" }; }
            variable "dog-out" { type discrete[2] { "true" "false" }; }
            probability ( "bowel problem" ) { table 0.01 0.99 ; }
            probability ( "family-out" ) { table .15 85e-2 ; }
            probability ( "dog-out" "bowel problem" "family-out" ) { //8 values
              table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ;
            }""");
    int[] row = new int[3];
    row[graph.position("bowel problem")] = 1;
    row[graph.position("dog-out")] = 1;
    double[] logWeights = graph.logWeights(new int[][] {row});
    assertThat(Math.exp(logWeights[0])).isCloseTo(0.99 * 0.15 * 0.1, within(1e-15));
    row[graph.position("family-out")] = 1;
    logWeights = graph.logWeights(new int[][] {row});
    assertThat(Math.exp(logWeights[0])).isCloseTo(0.99 * 0.85 * 0.7, within(1e-15));
  }

  @Test
  void roundingIsDividedOut() throws IOException {
    FactorGraph graph = read(RAIN.replace("0.1, 0.3, 0.6", "0.1, 0.3, 0.599"));
    double[] logWeights = graph.logWeights(graph.space().enumerate());
    assertThat(Arrays.stream(logWeights).map(Math::exp).sum()).isCloseTo(1, within(1e-14));
  }

  @Test
  void statesMayLookLikeNumbersAndRanges() throws IOException {
    FactorGraph graph = read(RAIN.replace("dry", "<0.5").replace("damp", "5-10%/l"));
    assertThat(graph.variables().get(1).states()).containsExactly("<0.5", "5-10%/l", "wet");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      textBlock =
          """
          network rain # net rain # line 1, column 1: expected 'network', but found 'net'
          { } # { rain } # line 1, column 16: expected 'property' or '}', but found 'rain'
          { } # { property a = "b; } # line 1, column 24: the property is not closed by ';'
          { } # { /* } # line 1, column 16: the comment is not closed
          variable wet # variable rain # line 3, column 10: variable 'rain' is there twice, first in line 2
          variable wet # variable "wet # line 3, column 10: the quote is not closed in its line
          variable wet # variable "" # line 3, column 10: expected the name of a variable, but found ''
          variable wet # variables wet # line 3, column 1: expected 'variable' or 'probability', but found 'variables'
          type discrete [ 3 ] # kind discrete [ 3 ] # line 3, column 16: expected 'type', 'property' or '}', but found 'kind'
          type discrete [ 3 ] # type continuous [ 3 ] # line 3, column 21: the type of 'wet' must be 'discrete', but found 'continuous'
          [ 3 ] # [ three ] # line 3, column 32: expected the number of states of 'wet', but found 'three'
          [ 3 ] # [ 4 ] # line 3, column 53: variable 'wet' must have 4 states, but has 3
          [ 3 ] # [ 0 ] # line 3, column 32: the number of states of 'wet' must be in 1..1048576, but is 0
          [ 3 ] # [ 99999999999999 ] # line 3, column 32: the number of states of 'wet' must be in 1..1048576, but is 99999999999999
          damp # dry # line 3, column 43: variable 'wet' has state 'dry' twice
          damp, # damp,, # line 3, column 48: expected a state of 'wet', but found ','
          type discrete [ 3 ] { dry, damp, wet }; # property x; # line 3, column 10: variable 'wet' has no type
          ( wet | rain ) # ( wet | rian ) # line 5, column 21: there is no variable 'rian'; near: 'rain', 'wet'
          ( wet | rain ) # ( wet | wet ) # line 5, column 21: variable 'wet' is its own parent
          ( wet | rain ) # ( wet | rain, rain ) # line 5, column 27: parent 'rain' of 'wet' is there twice
          ( wet | rain ) # ( rain ) # line 5, column 15: the probabilities of 'rain' are there twice, first in line 4
          ( wet | rain ) # ( wet | rain # line 5, column 26: expected the name of a variable, but found '{'
          probability ( rain ) { table 0.2, 0.8; } # '' # line 2, column 10: variable 'rain' has no probabilities
          table 0.2, 0.8; # '' # line 4, column 15: the probabilities of 'rain' are missing
          table 0.2, 0.8; # table 0.2; # line 4, column 33: expected number 2 of the 2 of the probabilities of 'rain', but found ';'
          table 0.2, 0.8; # table 0.2, 0.8, 0; # line 4, column 38: expected ';' after the probabilities of 'rain', which are 2, but found ','
          table 0.2, 0.8; # table 0.2, 0.7; # line 4, column 24: the probabilities of 'rain' must sum to 1, but sum to 0.900000
          table 0.2, 0.8; # table -0.2, 1.2; # line 4, column 30: the probabilities of 'rain' must be finite and at least 0, but one is -0.2
          table 0.2, 0.8; # table 1e999, 1; # line 4, column 30: the probabilities of 'rain' must be finite and at least 0, but one is 1e999
          table 0.2, 0.8; # table NaN, 1; # line 4, column 30: expected number 1 of the 2 of the probabilities of 'rain', but found 'NaN'
          table 0.2, 0.8; # table 0x1p0, 0; # line 4, column 30: expected number 1 of the 2 of the probabilities of 'rain', but found '0x1p0'
          table 0.2, 0.8; # table 1, 0; table 1, 0; # line 4, column 36: 'table' beside other probabilities of 'rain': there must be one table, or rows and at most one default
          table 0.2, 0.8; # default 1, 0; default 1, 0; # line 4, column 38: 'default' beside other probabilities of 'rain': there must be one table, or rows and at most one default
          table 0.2, 0.8; # default 1, 1; # line 4, column 24: the probabilities of 'rain' by default must sum to 1, but sum to 2.00000
          (no) 0.7 # (yes) 0.7 # line 7, column 3: the row given (yes) of 'wet' is there twice
          (no) 0.7, 0.2, 0.1; # '' # line 5, column 15: the row given (no) of 'wet' is missing
          (no) 0.7 # (not) 0.7 # line 7, column 4: variable 'rain' has no state 'not'; near: 'no', 'yes'
          (no) 0.7 # (no, no) 0.7 # line 7, column 6: expected ')', but found ','
          (no) 0.7 # () 0.7 # line 7, column 4: expected a state of 'rain', but found ')'
          (no) 0.7 # (no) 0.6 # line 7, column 3: the probabilities of 'wet' given (no) must sum to 1, but sum to 0.900000
          (no) 0.7 # no 0.7 # line 7, column 3: expected '(', 'table', 'default', 'property' or '}', but found 'no'
          0.2, 0.1; # 0.2, 0.1 # line 8, column 1: expected ';' after the probabilities of 'wet', which are 3, but found '}'
          """)
  void aMistakeIsNamedWithItsLine(String sound, String mistaken, String reason) throws IOException {
    assertThat(RAIN).contains(sound);
    assertRefused(RAIN.replace(sound, mistaken), reason);
  }

  @Test
  void theWholeFileIsRead() throws IOException {
    assertRefused(
        RAIN + "}", "line 9, column 1: expected 'variable' or 'probability', but found '}'");
    assertRefused(
        RAIN.substring(0, RAIN.length() - 2),
        "line 8, column 1: expected '(', 'table', 'default', 'property' or '}', but found the end"
            + " of the file");
    assertRefused("", "line 1, column 1: expected 'network', but found the end of the file");
    assertRefused(
        "network a { }\n", "line 2, column 1: expected a variable, but found the end of the file");
    assertRefused(
        "network a { }\nprobability ( a ) { table 1; }",
        "line 2, column 15: there is no variable 'a'");
  }

  @Test
  void parentsMayNotFormACycle() throws IOException {
    String head = "network a { }\n";
    String tail = "";
    for (String name : List.of("a", "b", "c", "d")) {
      head += "variable " + name + " { type discrete [ 1 ] { s }; }\n";
    }
    for (String block : List.of("d | b", "b | a", "a | c", "c | b")) {
      tail += "probability ( " + block + " ) { (s) 1; }\n";
    }
    assertRefused(
        head + tail,
        "line 8, column 15: the parents form a cycle: 'a' depends on 'c' depends on 'b' depends on"
            + " 'a'");
  }

  @Test
  void binaryFilesAreRefused() throws IOException {
    assertRefused("net\0work", "line 1, column 4: character U+0000; a binary file?");
    assertRefused("net\u0085work", "line 1, column 4: character U+0085; a binary file?");
    Path file = folder.resolve("latin.bif");
    Files.write(file, RAIN.replace("damp", "dämp").getBytes(StandardCharsets.ISO_8859_1));
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> FactorGraph.read(file))
        .withMessageContaining("is not UTF-8 text: byte ");
  }

  /** A block of n binary parents, for which a kilobyte promises 2^(n+1) entries. */
  private static String bomb(int parents, String probabilities) {
    List<String> names = IntStream.range(0, parents).mapToObj(i -> "p" + i).toList();
    return names.stream()
            .map(name -> "variable " + name + " { type discrete [ 2 ] { a, b }; }\n")
            .collect(Collectors.joining("", "network bomb { }\n", ""))
        + "variable child { type discrete [ 2 ] { a, b }; }\n"
        + ("probability ( child | " + String.join(", ", names) + " ) { " + probabilities + " }\n")
        + names.stream()
            .map(name -> "probability ( " + name + " ) { table 0.5, 0.5; }\n")
            .collect(Collectors.joining());
  }

  @Test
  void promisesBeyondMemoryAreRefused() throws IOException {
    assertRefused(
        bomb(26, "default 1, 0;"),
        "line 29, column 15: tables of more than 67108864 entries in all");
    assertRefused(
        bomb(200, "default 1, 0;"),
        "line 203, column 15: tables of more than 67108864 entries in all");
    String defaults = bomb(22, "default 1, 0;");
    int column = 1 + defaults.lines().toList().get(24).indexOf("default");
    assertRefused(
        defaults, "line 25, column " + column + ": defaults for more than 4194304 entries in all");
    assertThat(read(bomb(21, "default 1, 0;")).factors().get(0).size()).isEqualTo(1 << 22);
    assertRefused(
        bomb(24, "table 1, 0;"),
        "line 27, column "
            + (1 + bomb(24, "table 1, 0;").lines().toList().get(26).indexOf("; }"))
            + ": expected number 3 of the 33554432 of the probabilities of 'child', but found ';'");
  }

  @Test
  void aWordOfMegabytesIsRefused() throws IOException {
    assertRefused(
        "network " + "a".repeat(1 << 22),
        "line 1, column 1009: a word of more than 1000 characters");
  }
}
