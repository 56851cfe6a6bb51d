package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Any permutation of the symbols: {@code base = permutation(data)}, where the network says how much
 * each data symbol wants to become each base symbol.
 *
 * <p>Not in the paper: it is the permutation layer of the authors' library edward2, after Mena et
 * al. 2018, <em>Learning Latent Permutations with Gumbel-Sinkhorn Networks</em>. Logits: a matrix
 * of K x K, row by row, whose entry (j, i) speaks for data symbol i becoming base symbol j. Of a
 * position with fewer symbols only the corner of that size counts, and what lies beyond is mapped
 * to itself.
 *
 * <h2>The permutation</h2>
 *
 * is the one of greatest total logit ({@code Assignment}). Of several, it is the first in the order
 * of the dictionary: data symbol 0 becomes the lowest base symbol it can, then data symbol 1, and
 * so on; with equal logits, the identity. (edward2 takes the best of the soft matrix below, which
 * tends to ours as the temperature falls.)
 *
 * <h2>The gradient</h2>
 *
 * is that of the soft form {@code z_j = sum_i P_ji y_i}. P is the Sinkhorn normalisation of {@code
 * exp(logits / temperature)}, whose rows and columns are brought to sum 1 in turn, columns last: so
 * each column is a distribution however few the iterations, and rows are nearly.
 *
 * <h2>Cost</h2>
 *
 * For small K only. A position takes K<sup>2</sup> logits. Both directions bring them to the CPU,
 * where each permutation takes O(K<sup>3</sup>) steps, one after the other; so a GPU is waited for
 * at every call, and an autoregressive {@code forward} waits D times. A gradient also takes and
 * keeps {@code 2 iterations} matrices a symbol.
 *
 * @param iterations how often rows and columns are normalised for the gradient; the permutation
 *     does not depend on it
 */
@JsonTypeName("sinkhorn")
public record Sinkhorn(int iterations) implements SymbolMap {
  /** A million logits a position are more than enough. */
  private static final int MAX = 1024;

  /** As many iterations as edward2 has. */
  public Sinkhorn() {
    this(20);
  }

  /** Checks that there are iterations. */
  public Sinkhorn {
    if (iterations < 1) {
      throw new IllegalArgumentException("iterations must be at least 1, but is " + iterations);
    }
  }

  @Override
  public int width(int maxCardinality) {
    if (maxCardinality > MAX) {
      throw new IllegalArgumentException(
          "cardinality must be at most " + MAX + " for a Sinkhorn map, but is " + maxCardinality);
    }
    return maxCardinality * maxCardinality;
  }

  @Override
  public BoundMap on(Space positions, int maxCardinality) {
    return new Bound(iterations, positions, maxCardinality);
  }

  @Override
  public Set<Objective> trainableBy() {
    return EnumSet.of(Objective.STRAIGHT_THROUGH, Objective.MIXTURE);
  }

  /** Brings the sums of rows and of columns of {@code exp(logs)} to 1 in turn, columns last. */
  static Tensor normalized(Tensor logs, int iterations) {
    Tensor result = logs;
    for (int i = 0; i < iterations; i++) {
      result = result.log_softmax(-1).log_softmax(-2);
    }
    return result;
  }

  private static final class Bound implements BoundMap {
    private final int iterations;
    private final Space positions;
    private final int symbols;
    private final Rings rings;
    private final Buffer barred; // [D, K, K], true where a surplus symbol would move

    Bound(int iterations, Space positions, int symbols) {
      this.iterations = iterations;
      this.positions = positions;
      this.symbols = symbols;
      this.rings = new Rings(positions, symbols);
      boolean[] beyond = new boolean[positions.size() * symbols * symbols];
      for (int at = 0; at < beyond.length; at++) {
        int i = at % symbols;
        int j = at / symbols % symbols;
        int k = positions.cardinality(at / symbols / symbols);
        beyond[at] = i != j && (i >= k || j >= k);
      }
      this.barred = Buffer.flags(beyond, positions.size(), symbols, symbols);
    }

    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      registry.buffer(barred);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
      return moved(ids, inverse(permutations(logits, from, context)));
    }

    @Override
    public Move inverse(Tensor ids, Tensor logits, EvaluationContext context) {
      Tensor toBase = permutations(logits, 0, context); // [B, D, K]
      Tensor moved = moved(ids, toBase);
      return new Move() {
        @Override
        public Tensor ids() {
          return moved;
        }

        /** Column v of the soft form says where data symbol v goes. */
        @Override
        public List<Alternatives> alternatives(UnaryOperator<Tensor> tempered) {
          Tensor column = column(ids, tempered.apply(logits), context); // [B, D, K]
          return List.of(new Alternatives(column, rings.symbols(context).expand_as(column)));
        }

        @Override
        public Tensor preimages() {
          return inverse(toBase);
        }
      };
    }

    /** Where permutations {@code [B, n, K]} take symbols {@code [B, n]}. */
    private static Tensor moved(Tensor ids, Tensor permutations) {
      return permutations.gather(-1, ids.unsqueeze(-1)).squeeze(-1);
    }

    private static Tensor inverse(Tensor permutations) {
      return permutations.argsort(-1, false);
    }

    /** Which base symbol each data symbol becomes, int64 {@code [B, n, K]}. */
    private Tensor permutations(Tensor logits, int from, EvaluationContext context) {
      return Scope.handUp(
          () -> {
            double[] flat = Tensors.toDoubles(logits);
            int count = Math.toIntExact(logits.size(1));
            long[] chosen = new long[flat.length / symbols];
            for (int at = 0; at < chosen.length; at += symbols) {
              int k = positions.cardinality(from + at / symbols % count);
              int[] toBase = Assignment.best(corner(flat, at * symbols, k));
              for (int i = 0; i < symbols; i++) {
                chosen[at + i] = i < k ? toBase[i] : i;
              }
            }
            return Tensors.longs(chosen, context.device(), logits.size(0), count, symbols);
          });
    }

    /** How much each data symbol wants to become each base symbol. */
    private double[][] corner(double[] logits, int start, int k) {
      double[][] wishes = new double[k][k];
      for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
          wishes[i][j] = logits[start + j * symbols + i];
        }
      }
      return wishes;
    }

    /** Logarithms of where each symbol {@code [B, D]} goes in the soft form, {@code [B, D, K]}. */
    private Tensor column(Tensor ids, Tensor logits, EvaluationContext context) {
      return Scope.handUp(
          () -> {
            // What is left to a surplus symbol is its own entry, which becomes certain.
            Tensor matrices =
                logits
                    .reshape(logits.size(0), logits.size(1), symbols, symbols) // [B, D, K, K]
                    .masked_fill(context.get(barred), new Scalar(Double.NEGATIVE_INFINITY));
            Tensor own = ids.unsqueeze(-1).unsqueeze(-1).expand(-1, -1, symbols, 1);
            return normalized(matrices, iterations).gather(-1, own).squeeze(-1);
          });
    }
  }
}
