package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.RingFlow;
import io.ringflow.base.Base;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.SymbolMap;
import io.ringflow.network.Network;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Toys;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Layers, maps, bases, networks and codecs of one's own train, save and load like any other. */
@ExtendWith(LeakCheck.class)
final class PartsTest {
  /** Turns every symbol round: {@code data = K - 1 - base}. */
  @JsonTypeName("mirror")
  record Mirror() implements Layer {
    @Override
    public Bijection on(Space space, Space condition) {
      return new Bijection() {
        @Override
        public void register(ParameterRegistry registry) {}

        @Override
        public Space dataSpace() {
          return space;
        }

        @Override
        public Symbols forward(Symbols base, EvaluationContext context) {
          return Symbols.of(turned(base.ids(), space.maxCardinality()));
        }

        @Override
        public Symbols inverse(Symbols data, EvaluationContext context) {
          Tensor ids = turned(data.ids(), space.maxCardinality());
          return new Symbols(ids, data.hasOneHot() ? data.oneHot().flip(2) : null);
        }

        @Override
        public int passes() {
          return 0;
        }
      };
    }
  }

  private static Tensor turned(Tensor ids, int cardinality) {
    return ids.neg().add(new Scalar(cardinality - 1));
  }

  /** Turns a symbol round, or leaves it: two logits. */
  @JsonTypeName("flip")
  record Flip() implements SymbolMap {
    @Override
    public int width(int maxCardinality) {
      return 2;
    }

    @Override
    public BoundMap on(Space positions, int cardinality) {
      return new BoundMap() {
        @Override
        public void register(ParameterRegistry registry) {}

        @Override
        public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
          return chosen(ids, Tensors.argmax(logits), cardinality);
        }

        @Override
        public Move inverse(Tensor ids, Tensor logits, EvaluationContext context) {
          Tensor flips = Tensors.argmax(logits); // [B, D]
          return new Move() {
            @Override
            public Tensor ids() {
              return chosen(ids, flips, cardinality);
            }

            @Override
            public List<Alternatives> alternatives(UnaryOperator<Tensor> tempered) {
              Tensor targets =
                  torch.stack(new TensorVector(ids, turned(ids, cardinality)), -1); // [B, D, 2]
              return List.of(new Alternatives(tempered.apply(logits), targets));
            }

            @Override
            public Tensor preimages() {
              Tensor symbols = Tensors.range(cardinality, ids).view(1, 1, cardinality);
              return chosen(symbols, flips.unsqueeze(-1), cardinality); // [B, D, K]
            }
          };
        }
      };
    }

    private static Tensor chosen(Tensor ids, Tensor flips, int cardinality) {
      return ids.add(flips.mul(turned(ids, cardinality).sub(ids)));
    }

    @Override
    public Set<Objective> trainableBy() {
      return EnumSet.of(Objective.STRAIGHT_THROUGH);
    }
  }

  /** Free logits for each symbol of the first position that is kept. */
  @JsonTypeName("first")
  record First(double deviation) implements Network {
    @Override
    public Conditioner bipartite(Space space, Mask mask, Space condition, int width) {
      int first = mask.kept().get(0);
      Parameter table =
          Parameter.normal(deviation, space.cardinality(first), mask.moved().size(), width);
      return new Conditioner() {
        @Override
        public void register(ParameterRegistry registry) {
          registry.parameter("table", table);
        }

        @Override
        public Tensor logits(Symbols symbols, EvaluationContext context) {
          return context.get(table).index_select(0, symbols.ids().select(1, first));
        }
      };
    }

    @Override
    public CausalConditioner causal(Space space, Groups groups, Space condition, int width) {
      throw new IllegalArgumentException("this network is for bipartite layers");
    }
  }

  /** Independent positions, all with the same distribution. */
  @JsonTypeName("tied")
  record Tied() implements Base {
    @Override
    public Distribution on(Space space, Space condition) {
      Parameter logits = Parameter.zeros(space.maxCardinality());
      return new Distribution() {
        @Override
        public void register(ParameterRegistry registry) {
          registry.parameter("logits", logits);
        }

        private Tensor logProbs(EvaluationContext context) {
          return Tensors.widened(context.get(logits)).log_softmax(-1).expand(1, space.size(), -1);
        }

        @Override
        public Tensor logProb(Symbols symbols, EvaluationContext context) {
          Tensor oneHot =
              symbols.hasOneHot()
                  ? symbols.oneHot()
                  : Tensors.oneHot(
                      symbols.ids(), space.maxCardinality(), logProbs(context).scalar_type());
          return oneHot.mul(logProbs(context)).sum(1, 2);
        }

        @Override
        public Tensor logProbs(Symbols symbols, EvaluationContext context) {
          return logProbs(context);
        }

        @Override
        public Tensor choose(long rows, Choice choice, EvaluationContext context) {
          return choice.symbols(logProbs(context), 0);
        }

        @Override
        public Groups groups() {
          return Groups.blocks(space.size(), 1);
        }

        @Override
        public int passes() {
          return 0;
        }
      };
    }
  }

  /** Symbols that stand for colours. */
  @JsonTypeName("colours")
  record Colours(List<String> names) implements Codec {}

  private static final Colours COLOURS = new Colours(List.of("red", "green", "blue", "black"));

  private static final List<Class<?>> OWN =
      List.of(Mirror.class, Flip.class, First.class, Tied.class, Colours.class);

  private static final Architecture ARCHITECTURE =
      new Architecture(
          Space.uniform(3, 4),
          Space.NONE,
          new Tied(),
          List.of(
              new Bipartite(Mask.odd(3), new First(0.5), new Flip()),
              new Mirror(),
              new Bipartite(Mask.even(3), new First(0.5), new Flip())));

  private static Parts without(Class<?> missing) {
    List<Class<?>> rest = new ArrayList<>(OWN);
    rest.remove(missing);
    return Parts.BUILT_IN.with(rest.toArray(new Class<?>[0]));
  }

  @TempDir Path temporary;

  @Test
  void ownPartsTrainSaveAndLoad() throws IOException {
    Path folder = temporary.resolve("model");
    int[][] rows = Toys.rows(ARCHITECTURE.space(), 200, 1);
    int[][] all = ARCHITECTURE.space().enumerate();
    try (FlowModel model = FlowModel.create(ARCHITECTURE, COLOURS, Device.CPU, 1)) {
      double before = Arrays.stream(model.logProb(rows)).sum();
      new Trainer(model, TrainingOptions.builder(100).learningRate(0.05).build())
          .train(Batches.shuffled(rows, 20, 2));
      assertThat(Arrays.stream(model.logProb(rows)).sum()).isGreaterThan(before + 20);
      assertThat(Arrays.stream(model.logProb(all)).map(Math::exp).sum()).isCloseTo(1, within(1e-9));
      assertThat(model.decode(model.encode(all))).isDeepEqualTo(all);
      model.save(folder);
      try (FlowModel loaded = FlowModel.load(folder, Device.CPU, without(null))) {
        assertThat(loaded.architecture()).isEqualTo(ARCHITECTURE);
        assertThat(loaded.codec()).contains(COLOURS);
        assertThat(loaded.fingerprint()).isEqualTo(model.fingerprint());
        assertThat(loaded.logProb(all)).isEqualTo(model.logProb(all));
        assertThat(loaded.sample(20, 3)).isDeepEqualTo(model.sample(20, 3));
      }
    }
  }

  private Path saved() throws IOException {
    Path folder = temporary.resolve("model");
    try (FlowModel model = FlowModel.create(ARCHITECTURE, COLOURS, Device.CPU, 1)) {
      model.save(folder);
    }
    return folder;
  }

  @ParameterizedTest
  @ValueSource(classes = {Mirror.class, Flip.class, First.class, Tied.class})
  void aPartThatIsNotPassedIsNamed(Class<?> missing) throws IOException {
    Path folder = saved();
    String name = missing.getAnnotation(JsonTypeName.class).value();
    assertThatThrownBy(() -> FlowModel.load(folder, Device.CPU, without(missing)).close())
        .isInstanceOf(ModelFormatException.class)
        .hasMessageStartingWith(folder.resolve("config.json") + ": architecture.")
        .hasMessageEndingWith(
            ": unknown type '"
                + name
                + "'; a class of one's own must be passed to load, by Parts.with")
        .message()
        .hasLineCount(1);
  }

  @Test
  void aCodecThatIsNotPassedIsKept() throws IOException {
    Path folder = saved();
    Path copy = temporary.resolve("copy");
    try (FlowModel model = FlowModel.load(folder, Device.CPU, without(Colours.class))) {
      model.save(copy);
    }
    try (FlowModel model = FlowModel.load(copy, Device.CPU, without(null))) {
      assertThat(model.codec()).contains(COLOURS);
    }
  }

  @Test
  void neitherATableNorATextIsRefused() throws IOException {
    Path folder = temporary.resolve("model");
    try (FlowModel model = FlowModel.create(Toys.tables(), COLOURS, Device.CPU, 1)) {
      model.save(folder);
    }
    assertThatThrownBy(() -> RingFlow.load(folder))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(
            folder
                + ": is a model of neither a table nor a text: its codec.json is of another type");
  }
}
