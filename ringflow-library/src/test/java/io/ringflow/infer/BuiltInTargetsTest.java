package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random instances of every kind of target that the library has, small enough to be enumerated:
 * estimates lie within three of their standard errors, and no bound above log Z. {@code
 * -Dringflow.infer.instances=200} tries more of each.
 */
@Tag("slow")
final class BuiltInTargetsTest {
  private static final int INSTANCES = Integer.getInteger("ringflow.infer.instances", 25);
  private static final int STEPS = 40;
  private static final int SAMPLES = 2000;
  private static final int BATCH = 64;

  @TempDir Path folder;

  /**
   * A kind of target, and the fewest passes that its models are asked for; 0 for as many as fit.
   */
  enum Kind {
    /** Factors of one to three positions, a tenth of their combinations impossible. */
    FACTORS(0),
    /** A torus, the same everywhere. */
    ISING_TORUS(0),
    /** The same in few passes, with a field. */
    ISING_TORUS_IN_FEW_PASSES(5),
    /** An open lattice in blocks, each edge with a coupling of its own. */
    ISING_BLOCKS(4),
    POTTS_TORUS(0),
    /** Any edges, couplings and fields. */
    POTTS_GRAPH(0),
    GLASS(0),
    BIF(0),
    UAI(0);

    private final int passes;

    Kind(int passes) {
      this.passes = passes;
    }
  }

  private FactorGraph instance(Kind kind, long seed) throws IOException {
    var random = new SplittableRandom(seed);
    double beta = random.nextDouble(0.1, 0.7);
    return switch (kind) {
      case FACTORS -> RandomGraphs.of(5, 0.1, random);
      case ISING_TORUS -> SpinModels.ising(Lattice.torus(3), beta, 1, 0);
      case ISING_TORUS_IN_FEW_PASSES ->
          SpinModels.ising(new Lattice(2, 4, true), beta, 1, random.nextDouble(-0.2, 0.2));
      case ISING_BLOCKS -> {
        List<Edge> edges = new Lattice(2, 4, false).edges();
        yield SpinModels.ising(edges, beta, numbers(edges.size(), random), numbers(8, random));
      }
      case POTTS_TORUS -> SpinModels.potts(new Lattice(2, 3, true), 3, beta);
      case POTTS_GRAPH -> {
        List<Edge> edges =
            List.of(new Edge(0, 1), new Edge(1, 2), new Edge(0, 3), new Edge(2, 4), new Edge(1, 4));
        double[][] fields = new double[5][];
        Arrays.setAll(fields, site -> numbers(3, random));
        yield SpinModels.potts(edges, 3, beta, numbers(edges.size(), random), fields);
      }
      case GLASS -> SpinModels.sherringtonKirkpatrick(7, 3 * beta, seed);
      case BIF -> {
        Path file = Files.writeString(folder.resolve("net.bif"), bif(random));
        yield FactorGraph.read(file).given(Map.of("v4", "s" + random.nextInt(2)));
      }
      case UAI -> {
        Path file =
            Files.writeString(folder.resolve("net.uai"), RandomNetworks.of(seed).uai("MARKOV"));
        FactorGraph graph = FactorGraph.read(file);
        yield logZ(graph) == Double.NEGATIVE_INFINITY ? instance(kind, seed + 1000) : graph;
      }
    };
  }

  private static double[] numbers(int count, SplittableRandom random) {
    return random.doubles(count, -1, 1).toArray();
  }

  /** A network of five variables of two states, each with up to two parents. */
  private static String bif(SplittableRandom random) {
    var text = new StringBuilder("network random { }\n");
    for (int v = 0; v < 5; v++) {
      text.append("variable v" + v + " { type discrete [ 2 ] { s0, s1 }; }\n");
    }
    for (int v = 0; v < 5; v++) {
      List<Integer> parents =
          IntStream.range(Math.max(0, v - 2), v)
              .filter(parent -> random.nextBoolean())
              .boxed()
              .toList();
      String named = parents.stream().map(parent -> "v" + parent).collect(Collectors.joining(", "));
      text.append("probability ( v" + v + (parents.isEmpty() ? "" : " | " + named) + " ) {\n");
      for (int row = 0; row < 1 << parents.size(); row++) {
        int states = row;
        String given =
            IntStream.range(0, parents.size())
                .mapToObj(i -> "s" + (states >> i & 1))
                .collect(Collectors.joining(", "));
        double probability = random.nextDouble();
        String rule = String.format(Locale.ROOT, "%s, %s;\n", probability, 1 - probability);
        text.append(parents.isEmpty() ? "table " + rule : "(" + given + ") " + rule);
      }
      text.append("}\n");
    }
    return text.toString();
  }

  private static double logZ(FactorGraph graph) {
    return LogSums.of(graph.logWeights(graph.space().enumerate()));
  }

  @ParameterizedTest
  @EnumSource
  void estimatesAgreeWithEnumeration(Kind kind) throws IOException {
    List<String> missed = new ArrayList<>();
    int questions = 0;
    for (int seed = 1; seed <= INSTANCES; seed++) {
      FactorGraph graph = instance(kind, seed);
      Inference inference = inference(kind, graph).steps(STEPS).seed(seed);
      InferenceOptions suited = inference.options();
      inference.options(
          new InferenceOptions(
              BATCH, suited.learningRate(), suited.annealedShare(), suited.reverseShare()));
      try (InferredModel model = inference.train()) {
        questions += ask(model, graph, kind + " " + seed, missed);
      }
    }
    System.out.printf(
        "%-26s %d instances, %5d questions, %2d beyond 3 standard errors%n",
        kind, INSTANCES, questions, missed.size());
    assertThat(missed).hasSizeLessThanOrEqualTo(questions / 100);
  }

  private static Inference inference(Kind kind, FactorGraph graph) {
    Inference inference = Inference.of(graph);
    return kind.passes == 0 ? inference : inference.passes(kind.passes);
  }

  /** Asks for log Z and every marginal, and adds those that are too far off to the missed. */
  private static int ask(InferredModel model, FactorGraph graph, String name, List<String> missed) {
    int[][] rows = graph.space().enumerate();
    double[] logWeights = graph.logWeights(rows);
    double logZ = LogSums.of(logWeights);
    assertThat(bound(model, rows, logWeights)).as(name).isLessThanOrEqualTo(logZ + 1e-9);
    WeightedSamples samples = model.draw(SAMPLES, 7);
    int questions = 1;
    check(samples.logZ(), logZ, name + ", log Z", missed);
    for (int position = 0; position < graph.space().size(); position++) {
      for (int symbol = 1; symbol < graph.space().cardinality(position); symbol++) {
        double marginal = 0;
        for (int i = 0; i < rows.length; i++) {
          marginal += rows[i][position] == symbol ? Math.exp(logWeights[i] - logZ) : 0;
        }
        String asked = name + ", position " + position + ", symbol " + symbol;
        check(samples.probability(position, symbol), marginal, asked, missed);
        questions++;
      }
    }
    return questions;
  }

  private static void check(Estimate estimate, double exact, String asked, List<String> missed) {
    if (Math.abs(estimate.value() - exact) > 3 * estimate.standardError() + 1e-12) {
      missed.add(asked + ": " + estimate + ", not " + exact);
    }
  }

  /** What log Z is at least, by enumeration: no sampling error excuses a bound above it. */
  private static double bound(InferredModel model, int[][] rows, double[] logWeights) {
    double[] logProbs = model.logProb(rows);
    double bound = 0;
    double total = 0;
    for (int i = 0; i < rows.length; i++) {
      double probability = Math.exp(logProbs[i]);
      total += probability;
      bound += probability == 0 ? 0 : probability * (logWeights[i] - logProbs[i]);
    }
    assertThat(total).isCloseTo(1, within(1e-9));
    return bound;
  }
}
