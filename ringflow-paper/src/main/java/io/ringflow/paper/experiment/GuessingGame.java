package io.ringflow.paper.experiment;

import io.ringflow.core.Device;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.layer.Coupling;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.oracle.Entropy;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * What a network's predictions are worth, in bits a symbol, to those who may use them in different
 * ways (Shannon's guessing game).
 *
 * <p>An autoregressive model pays their log-loss. A layer over a factorised base can't: it moves a
 * symbol, and the base pays the entropy of where symbols end up, whatever the prediction was. If it
 * could move every symbol to its rank among the predicted ones, that is the entropy of ranks; if it
 * can only shift the likeliest one to 0, the entropy of shifts; and if it can scale too, so that
 * the runner-up comes to 1 as {@link io.ringflow.layer.TopTwo} has it, something between the two.
 *
 * <p>Symbols of all positions have one distribution of ranks and one of shifts where positions are
 * alike, as in a text ({@link #play}). In a table they are not, and a factorised base has a
 * distribution for each ({@link #playEach}).
 *
 * @param name of the network
 * @param predicted how many symbols of a row it predicts
 * @param share of all symbols that these are
 * @param logLoss bits a predicted symbol
 * @param ranks entropy
 * @param scaled entropy of what location and scale leave
 * @param shifts entropy
 */
record GuessingGame(
    String name,
    int predicted,
    double share,
    double logLoss,
    double ranks,
    double scaled,
    double shifts) {
  private static final int CHUNK = 128;

  /**
   * The predictions of a model: of each of its layers that has a network, or of its base where none
   * has. A base on symbols that are packed predicts those.
   */
  static List<GuessingGame> play(FlowModel model, int[][] rows) {
    return play(model, rows, false);
  }

  /** The same, with the mean of the entropies of each position. */
  static List<GuessingGame> playEach(FlowModel model, int[][] rows) {
    return play(model, rows, true);
  }

  private static List<GuessingGame> play(FlowModel model, int[][] rows, boolean each) {
    Engine engine = EngineAccess.of(model); // the public model does not tell single predictions
    List<Bijection> layers = engine.layers().bijections();
    boolean byBase = layers.stream().noneMatch(Coupling.class::isInstance);
    int size = model.architecture().space().size();
    Map<String, SymbolCounts> counts = new LinkedHashMap<>();
    for (int from = 0; from < rows.length; from += CHUNK) {
      int[][] chunk = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + CHUNK));
      try (Scope scope = Scope.inference()) {
        EvaluationContext context = new EvaluationContext(engine.weights(), Condition.NONE);
        Symbols symbols = Symbols.of(Tensors.ids(chunk, size, model.device()));
        int number = 0;
        for (int i = layers.size() - 1; i >= 0; i--) {
          if (layers.get(i) instanceof Coupling coupling) {
            int symbolCount = coupling.dataSpace().maxCardinality();
            Tensor logits = coupling.logits(symbols, context).narrow(-1, 0, symbolCount);
            number++;
            counts
                .computeIfAbsent(
                    "layer " + number,
                    key -> new SymbolCounts(coupling.dataSpace().size(), model.device()))
                .add(coupling.moved(symbols, context).ids(), logits.log_softmax(-1));
          }
          symbols = layers.get(i).inverse(symbols, context);
        }
        if (byBase) {
          counts
              .computeIfAbsent(
                  "base",
                  key -> new SymbolCounts(engine.layers().baseSpace().size(), model.device()))
              .add(symbols.ids(), engine.base().logProbs(symbols, context));
        }
      }
    }
    List<GuessingGame> games = new ArrayList<>();
    counts.forEach((name, tally) -> games.add(tally.game(name, rows.length, each)));
    return Collections.unmodifiableList(games);
  }

  /** Running sums of one network. */
  private static final class SymbolCounts {
    private final int size;
    private final Device device;
    private double nats;
    private long count;
    private double[][] ranks; // [M, K]
    private double[][] scaled; // [M, K]
    private double[][] shifts; // [M, K]

    /**
     * Nothing yet.
     *
     * @param size how many symbols a row has where the network stands, D
     */
    SymbolCounts(int size, Device device) {
      this.size = size;
      this.device = device;
    }

    /**
     * More predictions.
     *
     * @param ids what was there, {@code [B, M]}
     * @param logProbs what was predicted, {@code [B or 1, M, K]}
     */
    void add(Tensor ids, Tensor logProbs) {
      long symbols = logProbs.size(-1);
      Tensor all = logProbs.expand(ids.size(0), -1, -1);
      Tensor own = all.gather(-1, ids.unsqueeze(-1)); // [B, M, 1]
      Tensor rank = all.gt(own).sum(-1); // [B, M]
      Tensor likeliest = Tensors.argmax(all);
      Tensor shift = ids.sub(likeliest).remainder(new Scalar(symbols));
      nats -= Tensors.scalar(own.sum());
      count += ids.numel();
      ranks = plus(ranks, counts(rank, symbols));
      scaled = plus(scaled, counts(scaled(shift, likeliest, all), symbols));
      shifts = plus(shifts, counts(shift, symbols));
    }

    /** Shifts over the distance of the likeliest symbol that a scale can take to 1. */
    private Tensor scaled(Tensor shift, Tensor likeliest, Tensor logProbs) {
      long symbols = logProbs.size(-1);
      long[] inverses = new long[(int) symbols]; // 0 where there is none
      Arrays.setAll(inverses, scale -> inverse(scale, symbols));
      Tensor inverse = Tensors.longs(inverses, device, symbols);
      Tensor every = Tensors.longs(LongStream.range(0, symbols).toArray(), device, symbols);
      Tensor distances =
          every.sub(likeliest.unsqueeze(-1)).remainder(new Scalar(symbols)); // [B, M, K]
      Tensor none = inverse.eq(new Scalar(0)).index_select(0, distances.flatten());
      Tensor reachable =
          logProbs.masked_fill(none.view_as(distances), new Scalar(Double.NEGATIVE_INFINITY));
      Tensor scale = distances.gather(-1, Tensors.argmax(reachable).unsqueeze(-1)).squeeze(-1);
      Tensor back = inverse.index_select(0, scale.flatten()).view_as(scale);
      return shift.mul(back).remainder(new Scalar(symbols));
    }

    private static long inverse(long scale, long symbols) {
      BigInteger modulus = BigInteger.valueOf(symbols);
      BigInteger value = BigInteger.valueOf(scale);
      return value.gcd(modulus).equals(BigInteger.ONE) ? value.modInverse(modulus).longValue() : 0;
    }

    private static double[][] counts(Tensor values, long symbols) {
      Tensor hot =
          Tensors.oneHot(values, symbols, org.bytedeco.pytorch.global.torch.ScalarType.Float);
      double[] flat = Tensors.toDoubles(hot.sum(new long[] {0}).flatten()); // [M * K]
      double[][] counts = new double[(int) values.size(1)][];
      Arrays.setAll(
          counts, i -> Arrays.copyOfRange(flat, i * (int) symbols, (i + 1) * (int) symbols));
      return counts;
    }

    private static double[][] plus(double[][] sum, double[][] more) {
      if (sum == null) {
        return more;
      }
      for (int i = 0; i < sum.length; i++) {
        sum[i] = plus(sum[i], more[i]);
      }
      return sum;
    }

    private static double[] plus(double[] one, double[] other) {
      double[] sum = new double[one.length];
      Arrays.setAll(sum, i -> one[i] + other[i]);
      return sum;
    }

    GuessingGame game(String name, long rows, boolean each) {
      int predicted = (int) (count / rows);
      return new GuessingGame(
          name,
          predicted,
          (double) predicted / size,
          nats / count / Math.log(2),
          bits(ranks, each),
          bits(scaled, each),
          bits(shifts, each));
    }

    private static double bits(double[][] counts, boolean each) {
      return each
          ? Arrays.stream(counts).mapToDouble(SymbolCounts::bits).average().orElse(0)
          : bits(Arrays.stream(counts).reduce(SymbolCounts::plus).orElseThrow());
    }

    private static double bits(double[] counts) {
      double all = Arrays.stream(counts).sum();
      return Entropy.of(Arrays.stream(counts).map(n -> n / all).toArray()) / Math.log(2);
    }
  }
}
