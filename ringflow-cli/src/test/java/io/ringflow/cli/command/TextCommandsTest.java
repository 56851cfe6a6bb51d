package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.RingFlow;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for texts, on one of two letters: no more than a bit each, which deflate misses. */
@Tag("slow")
final class TextCommandsTest {
  /** Short pieces are quick to train and to sample. */
  private static final int TRAINED = 1000;

  private static final int LENGTH = 3000;

  @TempDir static Path shared;
  private static Path text;
  private static Path model;
  private static CommandResult training;

  @TempDir Path folder;

  @BeforeAll
  static void train() throws IOException {
    text = Files.writeString(shared.resolve("text.txt"), letters(1).substring(0, TRAINED));
    model = shared.resolve("text.model");
    training = train(text, model);
  }

  private static String letters(long seed) {
    var random = new Random(seed);
    var letters = new StringBuilder();
    for (int i = 0; i < LENGTH; i++) {
      letters.append(random.nextBoolean() ? 'a' : 'b');
    }
    return letters.toString();
  }

  private static CommandResult train(Path data, Path out, String... more) {
    Object[] args = {
      "train", data, "--out", out, "--device", "cpu", "--minutes", "0.03", "--passes", "4"
    };
    Object[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return CommandResult.of(all);
  }

  @Test
  void trainingSaysWhatWasLearned() {
    assertThat(training.lines())
        .startsWith(
            text + ": 1,000 characters",
            "",
            "2 symbols, in pieces of 50",
            "",
            "on 50 symbols held out      bits per character  of factorised");
    assertThat(training.out())
        .containsPattern("\nraw: all symbols alike +1\\.000 ")
        .endsWith(
            """
            Try next:
              ringflow sample %s -n 3
              ringflow compress %s %s
              ringflow inspect %s
            """
                .formatted(model, model, text, model));
  }

  @Test
  void compressingGivesBackEveryByte() throws IOException {
    Path file = folder.resolve("file");
    Files.writeString(file, "ba" + letters(2) + "\u00e9\n");
    Path small = folder.resolve("file.ringflow");
    String line = CommandResult.of("compress", model, file, "--device", "cpu").output();
    long size = Files.size(small);
    assertThat(size).isLessThan(460); // a bit each is 375 bytes; deflate takes 1.3 bits and more
    // What names a model is longer than what counting takes to learn two letters.
    String bits = Numbers.fixed(size * 8.0 / 3005);
    assertThat(line)
        .matches(
            "3005 -> %d bytes, \\d+\\.\\d %%, %s bits per byte, \\d+\\.\\d s, [0-9.]+k?B/s, by counting, not by the model: \\Q%s\\E\n"
                .formatted(size, bits, small));

    CommandResult.of("decompress", model, small)
        .fails(file + ": is there already; --overwrite replaces it");
    Path copy = folder.resolve("copy");
    assertThat(CommandResult.of("decompress", model, small, "-o", copy, "--device", "cpu").output())
        .matches(
            "%d -> 3005 bytes, \\d+\\.\\d %%, %s bits per byte, \\d+\\.\\d s, [0-9.]+k?B/s: \\Q%s\\E\n"
                .formatted(size, bits, copy));
    assertThat(copy).hasSameBinaryContentAs(file);
    Files.writeString(file, "changed");
    CommandResult.of("decompress", model, small, "--overwrite", "--device", "cpu").output();
    assertThat(copy).hasSameBinaryContentAs(file);
    CommandResult.of("compress", model, file)
        .fails(small + ": is there already; --overwrite replaces it");

    damagedFilesAreNamed(small);
  }

  private void damagedFilesAreNamed(Path small) throws IOException {
    byte[] bytes = Files.readAllBytes(small);
    bytes[bytes.length / 2] ^= 1;
    Path damaged = Files.write(folder.resolve("damaged.ringflow"), bytes);
    CommandResult.of("decompress", model, damaged).fails(damaged + ": is damaged or cut short");
    assertThat(folder.resolve("damaged")).doesNotExist();

    CommandResult.of("decompress", model, text, "-o", folder.resolve("c"))
        .fails(text + ": was not compressed by Ringflow");
    CommandResult.of("decompress", model, text)
        .fails(text + ": does not end in .ringflow; --out or --stdout says where its outcome goes");
    CommandResult.of("compress", model, small, "-o", small, "--overwrite")
        .fails(small + ": is both FILE and OUT");
  }

  /** Random words, each time of the same sixty. */
  private static String words(int count, long seed) {
    var letters = new SplittableRandom(7);
    String[] known = new String[60];
    for (int i = 0; i < known.length; i++) {
      StringBuilder word = new StringBuilder();
      letters.ints(3 + i % 5, 'a', 'z' + 1).forEach(letter -> word.append((char) letter));
      known[i] = word.append(' ').toString();
    }
    return new SplittableRandom(seed)
        .ints(count, 0, known.length)
        .mapToObj(word -> known[word])
        .collect(Collectors.joining());
  }

  @Test
  void withoutCountsTheNetworkCodes() throws IOException {
    Path data = Files.writeString(folder.resolve("data.txt"), words(2000, 1));
    Path network = folder.resolve("network.model");
    List<Object> command = new ArrayList<>(List.of("train", data, "--out", network));
    command.addAll(List.of("--device", "cpu", "--minutes", "0.02", "--no-counts", "--length", 100));
    assertThat(CommandResult.of(command.toArray()).lines())
        .anyMatch(line -> line.endsWith(" symbols, in pieces of 100"));
    assertThat(network.resolve("counts.bin")).doesNotExist();
    Path file = Files.writeString(folder.resolve("file"), words(250, 2));
    Path small = folder.resolve("file.ringflow");
    CommandResult.of("compress", network, file, "--device", "cpu").output();
    assertThat(Files.readAllBytes(small)[5]).isEqualTo((byte) 2); // by a trained model alone
    // What the words are is known from training: which they are takes six bits each.
    assertThat(Files.size(small)).isBetween(180L, 360L);
    Path copy = folder.resolve("copy");
    CommandResult.of("decompress", network, small, "-o", copy, "--device", "cpu").output();
    assertThat(copy).hasSameBinaryContentAs(file);
    Files.writeString(file, "TO BE OR NOT TO BE ".repeat(10));
    assertThat(CommandResult.of("compress", network, file, "--overwrite").output())
        .matches(".*B/s, by counting, not by the model: .*\n");

    Path table = Files.writeString(folder.resolve("table.csv"), "a,b\n1,2\n");
    CommandResult.of("train", table, "--out", folder.resolve("t"), "--no-counts")
        .isMisused("train", "--no-counts is for texts");
    CommandResult.of("train", data, "--out", folder.resolve("t"), "--no-counts", "--fast")
        .isMisused("train", "--fast has no use for --no-counts");
    CommandResult.of("train", table, "--out", folder.resolve("t"), "--length", 64)
        .isMisused("train", "--length is for texts");
    CommandResult.of("train", data, "--out", folder.resolve("t"), "--length", 1)
        .isMisused("train", "--length must be in 2..16384, but is 1");
  }

  @Test
  void anEmptyFileComesBackToo() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty"));
    assertThat(CommandResult.of("compress", model, empty).output())
        .matches("0 -> \\d+ bytes, \\d+\\.\\d s: .*empty\\.ringflow\n");
    CommandResult.of("decompress", model, empty + ".ringflow", "--overwrite").output();
    assertThat(empty).isEmptyFile();
  }

  @Test
  void whatCantBeCompressedIsOneLine() throws IOException {
    Path nothing = folder.resolve("nothing");
    CommandResult.of("compress", model, nothing).fails(nothing + ": no such file");
    Path below = nothing.resolve("below");
    CommandResult.of("compress", model, text, "-o", below).fails(nothing + ": no such folder");
  }

  @Test
  void scoresAreTheModels() throws IOException {
    Path mixed = Files.writeString(folder.resolve("mixed"), letters(3) + "??!");
    Path strange = Files.writeString(folder.resolve("strange"), "xyz");
    List<String> lines =
        CommandResult.of("score", model, mixed, text, strange, "--device", "cpu").lines();
    assertThat(lines.get(0)).isEqualTo("document,symbols,unknown_bytes,bits,bits_per_symbol");
    try (TextModel loaded = (TextModel) RingFlow.load(model)) {
      double bits = loaded.score(letters(3) + "??!").bits();
      assertThat(lines.get(1)).isEqualTo(mixed + ",3000,3," + bits + "," + bits / 3000);
    }
    assertThat(lines.get(2)).startsWith(text + ",1000,0,");
    assertThat(lines.get(3)).isEqualTo(strange + ",0,3,0.0,");
    assertThat(CommandResult.of("score", model, mixed, text, strange, "--top", 1).lines())
        .hasSize(3);
  }

  @Test
  void samplesAreTheModels() throws IOException {
    String pieces =
        CommandResult.of("sample", model, "-n", 3, "--seed", 4, "--device", "cpu").output();
    assertThat(pieces).matches("[ab]{50}\n---\n[ab]{50}\n---\n[ab]{50}\n");
    try (TextModel loaded = (TextModel) RingFlow.load(model)) {
      assertThat(pieces).isEqualTo(String.join("\n---\n", loaded.sample(3, 4)) + "\n");
    }
    CommandResult begun = CommandResult.of("sample", model, "-n", 2, "--given", "abba");
    assertThat(begun.code()).isZero();
    assertThat(begun.out()).matches("abba[ab]{46}\n---\nabba[ab]{46}\n");
    assertThat(
            CommandResult.of(
                    "sample",
                    model,
                    "-n",
                    3,
                    "--seed",
                    4,
                    "--device",
                    "cpu",
                    "--precision",
                    "float32")
                .output())
        .matches("[ab]{50}\n---\n[ab]{50}\n---\n[ab]{50}\n");
    CommandResult.of("sample", model, "--precision", "bfloat16", "--device", "cpu")
        .fails("precision bfloat16 needs a GPU; a CPU computes in float32 or float64");
    CommandResult.of("sample", model, "--given", "abc")
        .fails("'c' U+0063 is not among the vocabulary's 2 symbols");
    CommandResult.of("sample", model, "--given", "a".repeat(51))
        .fails("the beginning has 51 symbols, but a piece only 50");
    CommandResult.of("sample", model, "--given", "a", "--given", "b")
        .isMisused(
            "sample", "--given is the beginning of a text, and there can be one; quote its blanks");
  }

  @Test
  void inspectingShowsTheVocabulary() {
    assertThat(CommandResult.of("inspect", model).output())
        .startsWith("model       of a text, in pieces of 50 of 2 characters (ab), in " + model)
        .contains(
            "\nto sample   4 passes of the network", "Transformer[", "\nsource      text.txt\n")
        .containsPattern("\ntrained +\\d+ steps in \\d+\\.\\d s on cpu; the time was over\n");
  }

  @Test
  void whatIsNoTextCanBeLearnedAsBytes() throws IOException {
    byte[] bytes = new byte[1000];
    new Random(1).nextBytes(bytes);
    bytes[0] = (byte) 0xFF;
    Path binary = Files.write(folder.resolve("binary"), bytes);
    train(binary, folder.resolve("m"))
        .fails(binary + ": is not UTF-8 text: byte 0 is damaged; try --bytes");
    assertThat(train(binary, folder.resolve("m"), "--bytes").output())
        .startsWith(binary + ": 1,000 bytes\n\n256 symbols, in pieces of 50\n")
        .contains("bits per byte");
    Path empty = Files.createFile(folder.resolve("empty"));
    train(empty, folder.resolve("e"), "--bytes").fails(empty + ": is empty");
  }
}
