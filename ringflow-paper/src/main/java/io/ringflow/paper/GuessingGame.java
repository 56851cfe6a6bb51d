package io.ringflow.paper;

import io.ringflow.Bijection;
import io.ringflow.Context;
import io.ringflow.Coupling;
import io.ringflow.FlowModel;
import io.ringflow.Pass;
import io.ringflow.Symbols;
import io.ringflow.torch.Scope;
import io.ringflow.torch.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * What a network's predictions are worth, in bits a symbol, to those who may use them in different
 * ways (Shannon's guessing game).
 *
 * <p>An autoregressive model pays their log-loss. A layer over a factorised base can't: it moves a
 * symbol, and the base pays the entropy of where symbols end up, whatever the prediction was. If it
 * could move every symbol to its rank among the predicted ones, that is the entropy of ranks; if it
 * can only shift the likeliest one to 0, the entropy of shifts.
 *
 * @param name of the network
 * @param share of all symbols that it predicts
 * @param logLoss bits a predicted symbol
 * @param ranks entropy
 * @param shifts entropy
 */
record GuessingGame(String name, double share, double logLoss, double ranks, double shifts) {
  private static final int CHUNK = 128;

  /** The predictions of a model: of each of its layers, or of its base where it has none. */
  static List<GuessingGame> play(FlowModel model, int[][] rows) {
    int size = model.architecture().space().size();
    List<Bijection> layers = model.layers().bijections();
    List<Tally> tallies = new ArrayList<>();
    for (int from = 0; from < rows.length; from += CHUNK) {
      int[][] chunk = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + CHUNK));
      try (Scope scope = Scope.inference()) {
        Pass pass = Pass.of(model.weights(), Context.NONE);
        Symbols symbols = Symbols.of(Tensors.ids(chunk, size, model.device()));
        if (layers.isEmpty()) {
          tally(tallies, 0).add(symbols.ids(), model.base().logProbs(symbols, pass));
        }
        for (int i = layers.size() - 1; i >= 0; i--) {
          if (layers.get(i) instanceof Coupling coupling) {
            int symbolCount = model.architecture().space().maxCardinality();
            Tensor logits = coupling.logits(symbols, pass).narrow(-1, 0, symbolCount);
            tally(tallies, layers.size() - 1 - i)
                .add(coupling.moved(symbols, pass).ids(), logits.log_softmax(-1));
          }
          symbols = layers.get(i).inverse(symbols, pass);
        }
      }
    }
    long all = (long) rows.length * size;
    List<GuessingGame> games = new ArrayList<>();
    for (int i = 0; i < tallies.size(); i++) {
      games.add(tallies.get(i).game(layers.isEmpty() ? "base" : "layer " + (i + 1), all));
    }
    return Collections.unmodifiableList(games);
  }

  private static Tally tally(List<Tally> tallies, int index) {
    while (tallies.size() <= index) {
      tallies.add(new Tally());
    }
    return tallies.get(index);
  }

  /** Running sums of one network. */
  private static final class Tally {
    private double nats;
    private long count;
    private double[] ranks;
    private double[] shifts;

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
      Tensor shift = ids.sub(Tensors.argmax(all)).remainder(new Scalar(symbols));
      nats -= Tensors.scalar(own.sum());
      count += ids.numel();
      ranks = plus(ranks, counts(rank, symbols));
      shifts = plus(shifts, counts(shift, symbols));
    }

    private static double[] counts(Tensor values, long symbols) {
      Tensor hot =
          Tensors.oneHot(values, symbols, org.bytedeco.pytorch.global.torch.ScalarType.Float);
      return Tensors.toDoubles(hot.sum(new long[] {0, 1}));
    }

    private static double[] plus(double[] sum, double[] more) {
      if (sum == null) {
        return more;
      }
      Arrays.setAll(sum, i -> sum[i] + more[i]);
      return sum;
    }

    GuessingGame game(String name, long all) {
      return new GuessingGame(
          name, (double) count / all, nats / count / Math.log(2), bits(ranks), bits(shifts));
    }

    private double bits(double[] counts) {
      double entropy = 0;
      for (double n : counts) {
        if (n > 0) {
          entropy -= n / count * Math.log(n / count) / Math.log(2);
        }
      }
      return entropy;
    }
  }
}
