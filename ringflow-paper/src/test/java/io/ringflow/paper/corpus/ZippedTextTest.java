package io.ringflow.paper.corpus;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.ringflow.core.DataFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Downloads from a server on this machine, in every way one can go wrong. */
@Tag("slow")
final class ZippedTextTest {
  private static final byte[] TEXT = " some text ".repeat(20_000).getBytes(US_ASCII);

  @TempDir Path parent;
  private Path folder;
  private Path file;
  private HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<String> news = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    folder = parent.resolve("deep/data");
    file = folder.resolve("text");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private void serve(String path, HttpHandler handler) {
    server.createContext(
        path,
        exchange -> {
          requests.incrementAndGet();
          try (exchange) {
            handler.handle(exchange);
          }
        });
  }

  private void serve(byte[] zip) {
    serve("/zip", exchange -> send(exchange, zip, zip.length));
  }

  private static void send(HttpExchange exchange, byte[] bytes, int promised) throws IOException {
    exchange.sendResponseHeaders(200, promised);
    exchange.getResponseBody().write(bytes);
    exchange.getResponseBody().flush();
  }

  private static byte[] zip(String entry, byte[] text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.setLevel(0); // as large as the text, so that it comes in several pieces
      zip.putNextEntry(new ZipEntry(entry));
      zip.write(text);
    }
    return bytes.toByteArray();
  }

  private static String sum(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private ZippedText published(String path, byte[] zip, byte[] text) {
    return new ZippedText(
        at(path),
        sum("SHA-256", zip),
        1_000_000,
        "text",
        text.length,
        sum("MD5", text),
        Duration.ofSeconds(5));
  }

  private void download(ZippedText published) throws IOException, InterruptedException {
    assertThat(published.download(folder, news::add)).isEqualTo(file);
  }

  private void assertFails(ZippedText published, String reason) throws IOException {
    assertThatThrownBy(() -> download(published))
        .isInstanceOf(DataFormatException.class)
        .hasMessageStartingWith(file + ": download from " + published.source() + " failed: ")
        .hasMessageEndingWith("failed: " + reason);
    assertNoFile();
  }

  private void assertNoFile() throws IOException {
    try (Stream<Path> there = Files.walk(parent)) {
      assertThat(there.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void aTextIsFetchedOnce() throws Exception {
    byte[] zip = zip("text", TEXT);
    serve(zip);
    ZippedText published = published("/zip", zip, TEXT);
    download(published);
    assertThat(Files.readAllBytes(file)).isEqualTo(TEXT);
    assertThat(news).containsExactly("downloading " + published.source(), "unpacking " + file);
    download(published);
    assertThat(news).hasSize(3).last().isEqualTo(file + " is there already");
    assertThat(requests).hasValue(1);
    try (Stream<Path> there = Files.list(folder)) {
      assertThat(there).containsExactly(file);
    }
  }

  @Test
  void aFileOfAnotherSizeIsReplacedBySuccessOnly() throws Exception {
    Files.createDirectories(folder);
    Files.writeString(file, "half of it");
    byte[] zip = zip("text", TEXT);
    serve(zip);
    assertThatThrownBy(() -> download(published("/nowhere", zip, TEXT)))
        .isInstanceOf(DataFormatException.class);
    assertThat(file).hasContent("half of it");
    download(published("/zip", zip, TEXT));
    assertThat(Files.readAllBytes(file)).isEqualTo(TEXT);
  }

  @Test
  void redirectsAreFollowed() throws Exception {
    byte[] zip = zip("text", TEXT);
    serve(zip);
    serve(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/zip");
          exchange.sendResponseHeaders(302, -1);
        });
    download(published("/moved", zip, TEXT));
    assertThat(Files.readAllBytes(file)).isEqualTo(TEXT);
  }

  @Test
  void aFolderThatIsAFileIsToldBeforeAnythingIsFetched() throws Exception {
    Files.createDirectories(folder.getParent());
    Files.writeString(folder, "");
    assertThatThrownBy(() -> download(published("/zip", TEXT, TEXT)))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(folder + ": is a file, not a folder");
    assertThat(requests).hasValue(0);
  }

  @Test
  void anErrorOfTheServer() throws Exception {
    serve("/zip", exchange -> exchange.sendResponseHeaders(503, -1));
    assertFails(published("/zip", TEXT, TEXT), "the server answers with status 503");
    assertFails(published("/other", TEXT, TEXT), "the server answers with status 404");
    assertThat(folder.getParent()).as("not even a folder").doesNotExist();
  }

  @Test
  void anotherFileThanExpected() throws Exception {
    byte[] zip = zip("text", TEXT);
    byte[] other = zip.clone();
    other[1000]++;
    serve(other);
    assertFails(
        published("/zip", zip, TEXT),
        "SHA-256 is " + sum("SHA-256", other) + ", but should be " + sum("SHA-256", zip));
    assertThat(folder.getParent()).as("not even a folder").doesNotExist();
  }

  @Test
  void aConnectionThatEndsEarly() throws Exception {
    byte[] zip = zip("text", TEXT);
    byte[] half = Arrays.copyOf(zip, zip.length / 2);
    serve("/zip", exchange -> send(exchange, half, zip.length));
    assertThatThrownBy(() -> download(published("/zip", zip, TEXT)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageStartingWith(file + ": download from " + at("/zip") + " failed: ")
        .hasMessageContaining(Integer.toString(zip.length))
        .hasNoSuppressedExceptions();
    assertThat(folder.getParent()).doesNotExist();
  }

  @Test
  void aConnectionThatFallsSilentIsEnded() throws Exception {
    byte[] zip = zip("text", TEXT);
    var givenUp = new CountDownLatch(1);
    var ended = new CountDownLatch(1);
    serve(
        "/zip",
        exchange -> {
          send(exchange, Arrays.copyOf(zip, 1000), zip.length);
          await(givenUp);
          try {
            for (int i = 0; i < 20; i++) {
              exchange.getResponseBody().write(new byte[1000]);
              exchange.getResponseBody().flush();
              pause(50);
            }
          } catch (IOException e) {
            ended.countDown();
          }
        });
    assertFails(
        waiting(Duration.ofMillis(500), published("/zip", zip, TEXT)),
        "nothing came for 0.5 seconds");
    givenUp.countDown();
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aSlowConnectionIsWaitedFor() throws Exception {
    byte[] zip = zip("text", TEXT);
    serve(
        "/zip",
        exchange -> {
          exchange.sendResponseHeaders(200, zip.length);
          for (int from = 0; from < zip.length; from += zip.length / 4 + 1) {
            int end = Math.min(zip.length, from + zip.length / 4 + 1);
            exchange.getResponseBody().write(zip, from, end - from);
            exchange.getResponseBody().flush();
            pause(450);
          }
        });
    download(waiting(Duration.ofSeconds(1), published("/zip", zip, TEXT)));
    assertThat(Files.readAllBytes(file)).isEqualTo(TEXT);
  }

  private static ZippedText waiting(Duration patience, ZippedText text) {
    return new ZippedText(
        text.source(),
        text.zipSha256(),
        text.largestZip(),
        text.entry(),
        text.size(),
        text.md5(),
        patience);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  private static void pause(int millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  @Test
  void nobodyListens() {
    ZippedText published = published("/zip", TEXT, TEXT);
    server.stop(0);
    assertThatThrownBy(() -> download(published))
        .isInstanceOf(DataFormatException.class)
        .hasMessageStartingWith(file + ": download from " + published.source() + " failed: ")
        .hasMessageContaining("onnect");
  }

  @Test
  void moreThanAnybodyAskedFor() throws Exception {
    serve("/zip", exchange -> send(exchange, new byte[1_000_001], 1_000_001));
    assertFails(published("/zip", TEXT, TEXT), "more than 1000000 bytes came");
  }

  @Test
  void zipsWithTheRightSumThatAreNotTheText() throws Exception {
    byte[] zip = zip("readme", TEXT);
    byte[] cut = Arrays.copyOf(zip("text", TEXT), 1000);
    byte[] longer = Arrays.copyOf(TEXT, TEXT.length + 100_000);
    byte[] changed = TEXT.clone();
    changed[7]++;
    serve("/entry", exchange -> send(exchange, zip, zip.length));
    assertFails(published("/entry", zip, TEXT), "holds 'readme', not text");
    serve("/none", exchange -> send(exchange, TEXT, TEXT.length));
    assertFails(published("/none", TEXT, TEXT), "not a zip file");
    serve("/cut", exchange -> send(exchange, cut, cut.length));
    assertFails(
        published("/cut", cut, TEXT), "damaged zip file: Unexpected end of ZLIB input stream");
    byte[] zipLonger = zip("text", longer);
    serve("/longer", exchange -> send(exchange, zipLonger, zipLonger.length));
    assertFails(
        published("/longer", zipLonger, TEXT), "the text has more than " + TEXT.length + " bytes");
    byte[] zipShorter = zip("text", new byte[3]);
    serve("/shorter", exchange -> send(exchange, zipShorter, zipShorter.length));
    assertFails(
        published("/shorter", zipShorter, TEXT), "the text has 3, not " + TEXT.length + " bytes");
    byte[] zipChanged = zip("text", changed);
    serve("/changed", exchange -> send(exchange, zipChanged, zipChanged.length));
    assertFails(
        published("/changed", zipChanged, TEXT),
        "the text's MD5 is " + sum("MD5", changed) + ", but should be " + sum("MD5", TEXT));
  }
}
