package io.ringflow.model;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Inverse;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.Split;
import io.ringflow.layer.TopTwo;
import io.ringflow.network.LogLinearMade;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.TorusMade;
import io.ringflow.network.Transformer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The layers, maps, bases, networks and codecs that a model folder may name.
 *
 * <p>A folder names each part by the {@code @JsonTypeName} of its class. Only classes that are
 * listed here are ever made of it; a file can't name any other.
 *
 * <pre>{@code
 * FlowModel model = FlowModel.load(folder, Device.CPU, Parts.BUILT_IN.with(Mirror.class));
 * }</pre>
 */
public final class Parts {
  /** Everything that Ringflow itself builds models of. */
  public static final Parts BUILT_IN =
      new Parts(
          Set.of(
              Bipartite.class,
              Autoregressive.class,
              Reorder.class,
              Pack.class,
              Split.class,
              Chain.class,
              Inverse.class,
              Shift.class,
              ShiftScale.class,
              TopTwo.class,
              Permute.class,
              Sinkhorn.class,
              FactorizedBase.class,
              AutoregressiveBase.class,
              GroupBase.class,
              LookupTable.class,
              Made.class,
              LogLinearMade.class,
              TorusMade.class,
              Lstm.class,
              Transformer.class,
              PatchTransformer.class,
              NgramMixture.class));

  private final Set<Class<?>> classes;

  private Parts(Set<Class<?>> classes) {
    this.classes = classes;
  }

  /** These parts and more of one's own. */
  public Parts with(Class<?>... more) {
    Set<Class<?>> all = new LinkedHashSet<>(classes);
    all.addAll(List.of(more));
    return new Parts(all);
  }

  Set<Class<?>> classes() {
    return classes;
  }
}
