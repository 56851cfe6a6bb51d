package io.ringflow.spi;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * The value that runs through the layers: exact ids, and while training what carries gradients,
 * which is either a shadow or the evidence.
 *
 * <p>The ids are the truth. They are computed by integer arithmetic alone, and scores and samples
 * come from them. The shadow's <em>value</em> is always exactly the one-hot of the ids; its
 * <em>gradient</em> is the straight-through estimate of section 3.3 of the paper.
 *
 * @param ids int64 {@code [B, D]}
 * @param oneHot float {@code [B, D, K]}, where K is the largest cardinality of the space; null
 *     unless training by straight-through gradients
 * @param evidence null unless training by mixtures or by classification
 */
public record Symbols(Tensor ids, Tensor oneHot, Evidence evidence) {
  /**
   * What layers have said so far about symbols they moved, when their logits are read as
   * probabilities of moves instead of a choice.
   *
   * <p>A layer that moves symbol y by m with probability {@code pi(m)}, towards a base {@code q},
   * makes it as likely as {@code sum_m pi(m) q(y - m)}: a smooth function of its logits, unlike the
   * likelihood of the move they choose. Without targets, q is certain of symbol 0, and the sum is
   * {@code pi(y)}: what a classifier of the symbol says.
   *
   * @param targets log q at each position, float {@code [B or 1, D, K]}, without gradient; null to
   *     classify
   * @param logLikelihood the sum over moved symbols so far, {@code [B]}; null before the first
   */
  public record Evidence(Tensor targets, Tensor logLikelihood) {
    /** The evidence with more of it. */
    public Evidence plus(Tensor more) {
      return new Evidence(targets, logLikelihood == null ? more : logLikelihood.add(more));
    }

    /** The same towards the targets of some positions. */
    Evidence select(Tensor index) {
      return targets == null ? this : new Evidence(targets.index_select(1, index), logLikelihood);
    }

    /** The same towards another's targets. */
    Evidence towardsThoseOf(Evidence other) {
      return new Evidence(other.targets, logLikelihood);
    }

    /**
     * The evidence with what a classifier says of symbols.
     *
     * @param logits {@code [B, n, K]}
     * @param ids what the symbols are, {@code [B, n]}
     */
    public Evidence classified(Tensor logits, Tensor ids) {
      return Scope.handUp(
          () -> {
            Tensor own = logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)); // [B, n, 1]
            return plus(own.sum(new long[] {1, 2}));
          },
          evidence -> List.of(evidence.logLikelihood));
    }
  }

  /** Symbols without gradients. */
  public static Symbols of(Tensor ids) {
    return new Symbols(ids, null, null);
  }

  /** Symbols with a shadow that nothing has touched yet: the data of a training step. */
  public static Symbols withOneHot(Tensor ids, int maxCardinality) {
    return new Symbols(ids, Tensors.oneHot(ids, maxCardinality, ScalarType.Float), null);
  }

  /**
   * Symbols that no layer has said anything about yet: the data of a training step by mixtures or
   * by classification.
   *
   * @param targets see {@link Evidence}; null to classify
   */
  public static Symbols withEvidence(Tensor ids, Tensor targets) {
    return new Symbols(ids, null, new Evidence(targets, null));
  }

  /** Whether a straight-through gradient is wanted. */
  public boolean hasOneHot() {
    return oneHot != null;
  }

  /** Whether some earlier layer waits for a gradient through these symbols. */
  public boolean carriesGradient() {
    return oneHot != null && oneHot.requires_grad();
  }

  /** The shadow in the number type of another tensor, to be multiplied with it. */
  public Tensor oneHotLike(Tensor other) {
    return oneHot.to(other.scalar_type());
  }

  /** The symbols at the given positions ({@code index} is int64, one-dimensional). */
  public Symbols select(Tensor index) {
    return new Symbols(
        ids.index_select(1, index),
        hasOneHot() ? oneHot.index_select(1, index) : null,
        evidence == null ? null : evidence.select(index));
  }

  /** These symbols with others at the given positions ({@code index} as in {@link #select}). */
  public Symbols replace(Tensor index, Symbols others) {
    return new Symbols(
        ids.index_copy(1, index, others.ids),
        hasOneHot() ? oneHot.index_copy(1, index, others.oneHot) : null,
        evidence == null ? null : others.evidence.towardsThoseOf(evidence));
  }

  /** All tensors there are. */
  public List<Tensor> tensors() {
    List<Tensor> all = new ArrayList<>(List.of(ids));
    if (hasOneHot()) {
      all.add(oneHot);
    }
    if (evidence != null && evidence.targets != null) {
      all.add(evidence.targets);
    }
    if (evidence != null && evidence.logLikelihood != null) {
      all.add(evidence.logLikelihood);
    }
    return all;
  }
}
