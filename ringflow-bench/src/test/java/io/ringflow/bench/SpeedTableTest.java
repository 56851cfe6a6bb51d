package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.ringflow.core.Device;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
final class SpeedTableTest {
  @TempDir Path folder;
  private String python;

  /**
   * What a call came to.
   *
   * @param said to the error output
   */
  private record Ended(int status, Printed printed, String said) {}

  private static Ended run(String... args) throws IOException {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int status =
        SpeedTable.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            args);
    return new Ended(
        status,
        new Printed(out.toString(StandardCharsets.UTF_8)),
        err.toString(StandardCharsets.UTF_8));
  }

  private static Ended small(String part, String... args) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--device cpu --width 32 --layers 2 --length 16 --steps 1 --batch 2 --calls 2"
                    .split(" ", -1)));
    all.addAll(List.of("--rows", "1,3", "--bytes", "500", "--only", part));
    all.addAll(Arrays.asList(args));
    return run(all.toArray(String[]::new));
  }

  private Path script(String name, String... lines) throws IOException {
    Path script = folder.resolve(name);
    Files.writeString(script, String.join("\n", lines) + "\n");
    return script;
  }

  /** An interpreter of shell scripts that claims to have PyTorch. */
  @BeforeEach
  void makeInterpreter() throws IOException {
    Path file =
        script(
            "python",
            "#!/bin/sh",
            "if [ \"$1\" = -c ]; then echo 9.8.7; exit; fi",
            "exec sh \"$@\"");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    python = file.toString();
  }

  @Test
  void trainingStandsBesideThePeers() throws IOException {
    Path peer =
        script(
            "train.sh",
            "test $(wc -c < \"$1\") -ge 1000000 || exit 3",
            "echo \"$@\" | cut -d' ' -f2- >> " + folder.resolve("calls"),
            "echo compiling",
            "echo '30s it 50 tok/s 999k train 4.7 val 4.8'",
            "echo '60s it 99 tok/s 2k train 4.7 val 4.8'",
            "echo DONE");
    Ended ended = small("training", "--python", python, "--peer-training", peer.toString());
    assertThat(ended.status).isZero();
    for (String model :
        List.of("autoregressive, 2 layers | 2", "bipartite with scale, 8 x 1 layer | 2")) {
      double ours = ended.printed.number(model, 3);
      assertThat(ended.printed.number(model, 4)).isEqualTo(2.0);
      assertThat(ended.printed.number(model, 5)).isCloseTo(ours / 2.0, offset(0.031));
      // A step has two rows of 16 characters.
      double millis = ended.printed.number(model, 2);
      assertThat(32 / millis).isCloseTo(ours, offset(0.06 + 32 / (millis - 0.051) - 32 / millis));
    }
    assertThat(folder.resolve("calls"))
        .hasContent(
            "27 group 0.6 layers=2 flows=8 d=32 ff=128 heads=8 T=16 S=16 B=2\n"
                + "27 bipartite 0.6 layers=1 flows=8 d=32 ff=128 heads=8 T=16 S=16 B=2");
    assertThat(ended.printed.text())
        .contains("group, batch 2: 60s it 99 tok/s 2k train 4.7 val 4.8")
        .containsOnlyOnce("Peer: `train.sh` with PyTorch 9.8.7.");
  }

  @Test
  void smallBatchesAreSmall() throws IOException {
    Ended ended = small("small-batches");
    assertThat(ended.status).isZero();
    assertThat(ended.printed.row("autoregressive, 2 layers | 8")).hasSize(5);
    assertThat(ended.printed.row("autoregressive, 2 layers | 16")).hasSize(5);
    assertThat(ended.printed.text()).contains("peer skipped: there is no --peer-training FILE");
  }

  @Test
  void samplingStandsBesideThePeersOfTheSamePrecision() throws IOException {
    Path peer =
        script(
            "draw.sh",
            "echo 'AR 2x32 decode 16 chars, torch.bfloat16, batch 1: 7.0 ms (CUDA graph a step)'",
            "echo 'AR 2x32 decode 16 chars, torch.float64, batch 1: 5000.0 ms'");
    Ended ended =
        small(
            "sampling",
            "--python",
            python,
            "--peer-sampling",
            peer.toString(),
            "--precisions",
            "float64");
    assertThat(ended.status).isZero();
    for (String model :
        List.of("pairs, 2 layers | 4", "pairs, 2 layers | 8", "autoregressive, 2 layers | 16")) {
      List<String> row = ended.printed.row(model);
      assertThat(row.get(3)).isEqualTo("5000.0");
      double ours = ended.printed.number(model, 2);
      assertThat(ended.printed.number(model, 4) * ours).isCloseTo(5000, offset(0.06 * ours + 50));
      assertThat(row.subList(6, 8)).as("no peer for 3 rows").containsExactly("", "");
    }
    assertThat(ended.printed.text())
        .contains("| autoregressive LSTM, 2 x 64 | 16 |")
        .contains("| bipartite with scale, 8 x 1 layer | 8 |")
        .contains("decode 16 chars, torch.bfloat16, batch 1: 7.0 ms (CUDA graph a step)");
  }

  @Test
  void whatIsCodedComesBack() throws IOException {
    Ended ended = small("coding");
    assertThat(ended.status).isZero();
    List<String> bytes = ended.printed.row("autoregressive, 1 layer |");
    assertThat(bytes.get(1)).isEqualTo("500");
    assertThat(Integer.parseInt(bytes.get(2))).isBetween(200, 499);
    assertThat(bytes.get(5)).isEqualTo("0");
    for (String model : List.of("bipartite with scale", "autoregressive layer, 1 deep")) {
      List<String> rows = ended.printed.row(model);
      assertThat(rows.get(1)).isEqualTo("3");
      assertThat(rows.get(5)).isEqualTo("0");
      assertThat(ended.printed.number(model, 4)).isPositive();
    }
  }

  @Test
  void aPeerThatFailsIsShownBesideWhatWasMeasured() throws IOException {
    Path peer = script("train.sh", "echo out of memory >&2", "exit 7");
    Ended ended = small("training", "--python", python, "--peer-training", peer.toString());
    assertThat(ended.status).isEqualTo(1);
    assertThat(ended.said).contains("training: failed");
    assertThat(ended.printed.text())
        .contains("peer failed: `train.sh` ended with status 7 without a line like 'tok/s")
        .contains("\nout of memory\n");
    List<String> row = ended.printed.row("autoregressive, 2 layers");
    assertThat(row.subList(5, 7)).containsExactly("", "");
    assertThat(ended.printed.number("autoregressive, 2 layers", 3)).isPositive();
  }

  @Test
  void aPeerThatSaysNothingOfUseFails() throws IOException {
    Path peer = script("train.sh", "echo 1304000 characters a second");
    Ended ended = small("training", "--python", python, "--peer-training", peer.toString());
    assertThat(ended.status).isEqualTo(1);
    assertThat(ended.printed.text())
        .contains("ended with status 0 without a line like")
        .contains("\n1304000 characters a second\n");
  }

  @Test
  void aPeerThatHangsIsStoppedOnceWithAllItStarted() throws Exception {
    Path child = folder.resolve("child");
    Path calls = folder.resolve("calls");
    Path peer =
        script(
            "train.sh",
            "echo called >> " + calls,
            "sleep 1000 &",
            "echo $! > " + child,
            "echo compiling",
            "wait");
    Timed<Ended> timed =
        Timed.of(
            () ->
                small(
                    "training",
                    "--python",
                    python,
                    "--peer-training",
                    peer.toString(),
                    "--peer-limit",
                    "1.5"));
    Ended ended = timed.result();
    assertThat(ended.status).isEqualTo(1);
    assertThat(ended.printed.text())
        .contains("peer failed: `train.sh` was stopped after 1.5 s without a line like")
        .contains("\ncompiling\n")
        .contains("peer skipped: `train.sh` had to be stopped before");
    assertThat(calls).hasContent("called");
    assertThat(timed.seconds()).isLessThan(60);
    long pid = Long.parseLong(Files.readString(child).strip());
    ProcessHandle.of(pid)
        .ifPresent(handle -> assertThat(handle.onExit()).succeedsWithin(Duration.ofSeconds(10)));
  }

  @Test
  void figuresOfAPeerThatIsStoppedLaterCount() throws IOException {
    Path peer = script("train.sh", "echo '30s it 50 tok/s 4k'", "exec sleep 1000");
    Ended ended =
        small(
            "training",
            "--python",
            python,
            "--peer-training",
            peer.toString(),
            "--peer-limit",
            "1.5");
    assertThat(ended.status).isEqualTo(1);
    assertThat(ended.printed.number("autoregressive, 2 layers", 4)).isEqualTo(4.0);
    assertThat(ended.printed.number("bipartite with scale", 4)).isEqualTo(4.0);
    assertThat(ended.printed.text()).contains("was stopped after 1.5 s:");
  }

  @Test
  void withoutAnInterpreterThePeerIsSkipped() throws IOException {
    String peer = script("train.sh", "echo tok/s 2k").toString();
    String none = folder.resolve("no-python").toString();
    Ended ended = small("training", "--python", none, "--peer-training", peer);
    assertThat(ended.status).isZero();
    assertThat(ended.printed.text())
        .containsOnlyOnce("peer skipped: there is no interpreter 'no-python'");
    assertThat(ended.printed.row("autoregressive, 2 layers")).as("our columns").hasSize(5);
    Path bare =
        script("bare", "#!/bin/sh", "echo Traceback", "echo No module named torch >&2", "exit 1");
    assertThat(bare.toFile().setExecutable(true)).isTrue();
    assertThat(
            small("training", "--python", bare.toString(), "--peer-training", peer).printed.text())
        .containsOnlyOnce("peer skipped: 'bare' has no PyTorch (No module named torch)");
  }

  @Test
  void aPathToOurLibtorchIsNotThePeers() {
    assertThat(PeerScript.peersPath("/a/lib:/b/org/bytedeco/pytorch/linux-x86_64")).isNull();
    assertThat(PeerScript.peersPath("/usr/local/cuda/lib64")).isEqualTo("/usr/local/cuda/lib64");
  }

  @Test
  void whatWasKeptGoesIntoThePageLater() throws IOException {
    Path page = folder.resolve("page.md");
    String marks =
        """
        <!-- speed-cpu-peak:begin -->
        <!-- speed-cpu-peak:end -->
        <!-- speed-cpu-coding:begin -->
        old
        <!-- speed-cpu-coding:end -->
        """;
    Files.writeString(page, "# Page\n" + marks);
    Ended ended = small("peak,coding");
    Path kept = folder.resolve("kept.txt");
    Files.writeString(kept, "a line of the log\n" + ended.printed.text());
    Ended inserted = run("--insert", kept.toString(), "--page", page.toString());
    assertThat(inserted.status).isZero();
    assertThat(inserted.printed.text()).contains("2 parts written to " + page);
    String both = Files.readString(page);
    assertThat(both)
        .startsWith("# Page\n<!-- speed-cpu-peak:begin -->\n| a large matrix product in |")
        .contains("| model | bytes | compressed |")
        .doesNotContain("old", "a line of the log");
    assertThat(run("--insert", page.toString(), "--page", page.toString()).status).isZero();
    assertThat(page).as("inserted once more").hasContent(both);
  }

  @Test
  void whatIsMeasuredIsWrittenWhereAsked() throws IOException {
    Path page = folder.resolve("page.md");
    Files.writeString(page, "<!-- speed-cpu-peak:begin -->\n<!-- speed-cpu-peak:end -->\n");
    Ended ended = small("peak", "--write", "--page", page.toString());
    assertThat(ended.status).isZero();
    assertThat(page).content().isEqualToIgnoringWhitespace(ended.printed.text());
  }

  @Test
  void thePageHasPlaceForAllParts() throws IOException {
    Path page = Path.of("../docs/benchmarks.md");
    for (Device device : Device.values()) {
      for (SpeedPart part : SpeedPart.usual(device)) {
        part.section(page, device).check();
      }
    }
  }

  @Test
  void aSavedOutputMustBeWhole() throws IOException {
    Path empty = script("empty.txt", "nothing");
    Path cut = script("cut.txt", "<!-- speed-cuda-training:begin -->", "| model |");
    Path noPlace =
        script("fine.txt", "<!-- speed-cuda-peak:begin -->", "x", "<!-- speed-cuda-peak:end -->");
    assertThat(run("--insert", empty.toString()).said)
        .contains("empty.txt has no line such as '<!-- speed-cuda-training:begin -->'");
    assertThat(run("--insert", cut.toString()).said)
        .contains("cut.txt ends before the end of [<!-- speed-cuda-training:begin -->]");
    Ended ended = run("--insert", noPlace.toString(), "--page", empty.toString());
    assertThat(ended.status).isEqualTo(2);
    assertThat(ended.said).contains("empty.txt has no line '<!-- speed-cuda-peak:begin -->'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--fast | no such option: '--fast'; there are --write and --batch",
        "--steps | --steps needs a value",
        "--steps x | --steps must be a number, but is 'x'",
        "--steps 0 | --steps must be above 0, but is 0",
        "--steps 1.5 | --steps must be a whole number, but is '1.5'",
        "--rows 1,,2 | --rows must be a number, but is ''",
        "--device tpu | device must be auto, cpu or cuda, but is 'tpu'",
        "--only training,tea | --only: no such part: 'tea'; there are peak, training",
        "--precisions float16 | --precisions: no such precision: 'float16'",
        "--precisions bfloat16 | --precisions: bfloat16 needs --device cuda",
        "--width 20 | --width must be a multiple of 8, but is 20",
        "--length 15 | --length must be even, but is 15",
        "--peer-training none.py | --peer-training: there is no file none.py",
        "--write --page none.md | no place for the tables: none.md is missing"
      })
  void mistakesAreNamed(String line, String message) throws IOException {
    Ended ended = run(("--device cpu " + line).split(" ", -1));
    assertThat(ended.status).isEqualTo(2);
    assertThat(ended.said).startsWith("ringflow-bench: ").contains(message);
    assertThat(ended.printed.text()).isEmpty();
  }
}
