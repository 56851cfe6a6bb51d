package io.ringflow.text;

import io.ringflow.core.ProgressListener;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.MixedBlocks;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.internal.mixing.TextPredictor;
import io.ringflow.internal.store.Sha256;
import io.ringflow.model.FlowModel;
import io.ringflow.text.TextCodec.Unit;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the training text of a model, so that compressing mixes both.
 *
 * <p>The network never saw the validation text. Its end is counted last, where the network takes
 * part with its opinions, so that the mixer learns what these are worth on a text that is new.
 */
final class CountedTexts {
  /** How much of the validation text the mixer learns from, in bytes. */
  private static final int MAX_MIXED = 1 << 18;

  private static final int PIECE = 1 << 16;

  private static final long NANOS_A_SYMBOL = 8000;

  private CountedTexts() {}

  /** About how long counting a text takes. */
  static Duration time(long symbols) {
    return Duration.ofNanos(symbols * NANOS_A_SYMBOL);
  }

  /**
   * Counts a text, if the model goes from left to right.
   *
   * @param progress in symbols
   */
  static void count(FlowModel flow, TextCodec codec, Text.Split split, ProgressListener progress) {
    var conditionals = new Conditionals(EngineAccess.of(flow));
    if (flow.architecture().movesSymbols() || !MixedBlocks.fits(conditionals)) {
      return;
    }
    byte[][] spellings =
        ByteText.of(
                codec.unit() == Unit.BYTES, codec.vocabulary().codePoints(), codec.vocabulary()::id)
            .spellings();
    MessageDigest digest = Sha256.digest();
    long symbols = split.train().length() + split.validation().length();
    var predictor = new TextPredictor(TextPredictor.slotBits(symbols));
    byte[] last = {};
    long done = 0;
    for (Text text : List.of(split.train(), split.validation())) {
      for (long from = 0; from < text.length(); from += PIECE) {
        Interruption.check();
        progress.done(done, symbols);
        byte[] piece = bytes(text, from, Math.min(text.length(), from + PIECE), spellings);
        digest.update(piece);
        if (text == split.validation()) {
          last = joined(last, piece);
        } else {
          predictor.learn(piece, 0, piece.length);
          done = from + PIECE;
        }
      }
    }
    int mixed = Math.min(MAX_MIXED, last.length);
    for (int from = 0; from < last.length - mixed; from += PIECE) {
      Interruption.check();
      progress.done(split.train().length() + from, symbols);
      predictor.learn(last, from, Math.min(last.length - mixed, from + PIECE));
    }
    byte[] end = Arrays.copyOfRange(last, last.length - mixed, last.length);
    new MixedBlocks(conditionals, spellings)
        .write(end, predictor, new ByteWriter(), ProgressListener.IGNORED.untilInterrupted());
    progress.done(symbols, symbols);
    var counts = new CountedText(predictor, digest.digest());
    EngineAccess.setCounts(flow, () -> counts);
  }

  private static byte[] bytes(Text text, long from, long to, byte[][] spellings) {
    var out = new ByteWriter();
    for (long i = from; i < to; i++) {
      out.bytes(spellings[text.id(i)]);
    }
    return out.toBytes();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
