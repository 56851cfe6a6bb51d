package io.ringflow.bench;

import io.ringflow.RingFlow;
import io.ringflow.base.AutoregressiveBase;
import io.ringflow.compress.Compressor;
import io.ringflow.compress.CountModel;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import io.ringflow.train.FitOptions;
import io.ringflow.train.TrainingListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** A compressor of every kind, with models of its own; what they learned does not matter much. */
final class ZooTiers implements AutoCloseable {
  private static final int TEXT_PIECES = 100;
  private static final int PIECE = 4000;
  private static final int POSITIONS = 32;
  private static final int SAMPLES = 200;
  private static final double STRONG = 3;
  private static final int BLOCK = 2048;

  /** One way to compress. */
  record Tier(String name, Compressor compressor) {}

  private static final int ROWS = 5000;
  private static final Duration TIME = Duration.ofSeconds(20);

  private final List<AutoCloseable> models = new ArrayList<>();
  private final List<Tier> tiers = new ArrayList<>();
  private final RealPieces real;
  private final PlantedTable planted;
  private String sampled = "";

  private ZooTiers(RealPieces real, PlantedTable planted) {
    this.real = real;
    this.planted = planted;
  }

  /** Makes all tiers, from files of this repository and a planted table. */
  static ZooTiers ofRepository(TrainingListener progress) throws IOException {
    return trained(RealPieces.under(Path.of("")), new PlantedTable(1), ROWS, TIME, progress);
  }

  /**
   * Makes all tiers.
   *
   * @param rows of the table to train on
   * @param time to train a model of it for
   */
  static ZooTiers trained(
      RealPieces real, PlantedTable planted, int rows, Duration time, TrainingListener progress)
      throws IOException {
    byte[] text = text(real);
    var all = new ZooTiers(real, planted);
    CountModel counts = CountModel.train(text, 1, ProgressListener.IGNORED);
    all.add("no model", Compressor.withoutModel(1));
    all.add("in blocks", Compressor.withoutModel(1).inBlocks(BLOCK));
    all.add("counted", new Compressor(counts));
    all.add("counted, in blocks", new Compressor(counts).inBlocks(BLOCK));
    TextModel network = network();
    all.models.add(network);
    all.add("network", new Compressor(network));
    all.add("network, in blocks", new Compressor(network).inBlocks(BLOCK));
    all.sampled = String.join("", network.sample(SAMPLES, 1));
    DataTable table =
        DataTable.of(planted.columns(), PlantedTable.cells(planted.sample(rows, 1).rows()));
    TableModel model =
        RingFlow.train(table, FitOptions.DEFAULTS.withTime(time).withListener(progress));
    all.models.add(model);
    all.add("table", new Compressor(model));
    all.add("table, in blocks", new Compressor(model).inBlocks(BLOCK));
    return all;
  }

  private void add(String name, Compressor compressor) {
    tiers.add(new Tier(name, compressor));
  }

  /** A small network that nobody has trained, but whose opinions are strong. */
  private static TextModel network() throws IOException {
    int letters = Vocabulary.TEXT8.size();
    var base = new AutoregressiveBase(Order.natural(POSITIONS), new Lstm(8, 16, 1), STRONG);
    var codec =
        new TextCodec(
            TextCodec.Unit.CHARACTERS, Vocabulary.TEXT8, Collections.nCopies(letters, 1L));
    FlowModel flow =
        FlowModel.create(
            Architecture.of(Space.uniform(POSITIONS, letters), base), codec, Device.CPU, 11);
    return new TextModel(flow, codec);
  }

  /** Files for these tiers, some of them sampled from the network. */
  ZooFiles files(long seed) {
    return new ZooFiles(real, planted, sampled, seed);
  }

  List<Tier> tiers() {
    return List.copyOf(tiers);
  }

  /** Pieces of real files that are texts. */
  private static byte[] text(RealPieces real) throws IOException {
    var random = new SplittableRandom(0);
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < TEXT_PIECES || all.size() < PIECE; i++) {
      byte[] piece = real.piece(PIECE, random);
      if (isText(piece)) {
        all.writeBytes(piece);
      }
    }
    return all.toByteArray();
  }

  /** Not of a program, nor cut within a character. */
  private static boolean isText(byte[] piece) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(piece));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  @Override
  public void close() {
    for (AutoCloseable model : models) {
      try {
        model.close();
      } catch (Exception e) {
        throw new IllegalStateException(e); // models do not throw it
      }
    }
  }
}
