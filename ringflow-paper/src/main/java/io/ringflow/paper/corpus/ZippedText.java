package io.ringflow.paper.corpus;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.store.WholeFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * A text that somebody publishes as a zip file with one entry.
 *
 * <p>The zip is small beside what is in it, so it is kept in memory: nothing touches the disk
 * before it has proved to be the right one.
 *
 * @param source where it is
 * @param zipSha256 of the zip file
 * @param largestZip bytes; more are not waited for
 * @param entry the name of the one entry, and of the file it becomes
 * @param size of the text, in bytes
 * @param md5 of the text
 * @param patience how long to wait for the next bytes
 */
record ZippedText(
    URI source,
    String zipSha256,
    int largestZip,
    String entry,
    long size,
    String md5,
    Duration patience) {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final long BETWEEN_REPORTS = TimeUnit.SECONDS.toNanos(2);

  /** What has come so far; filled by a thread of the client. */
  private static final class Received {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long expected = -1;

    synchronized void expect(long length) {
      expected = length;
    }

    synchronized void add(byte[] more, int largest) {
      if (bytes.size() + (long) more.length > largest) {
        throw new IllegalStateException("more than " + largest + " bytes came");
      }
      bytes.writeBytes(more);
    }

    synchronized int size() {
      return bytes.size();
    }

    synchronized byte[] toByteArray() {
      return bytes.toByteArray();
    }

    synchronized String progress() {
      return megabytes(bytes.size()) + (expected < 0 ? "" : " of " + megabytes(expected)) + " MB";
    }

    private static String megabytes(long bytes) {
      return Long.toString(Math.round(bytes / 1e6));
    }
  }

  /** Puts the text into a folder, unless it is there; returns its file. */
  Path download(Path folder, Consumer<String> progress) throws IOException, InterruptedException {
    Path file = folder.resolve(entry);
    if (Files.isRegularFile(file) && Files.size(file) == size) {
      progress.accept(file + " is there already");
      return file;
    }
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new DataFormatException(folder, "is a file, not a folder");
    }
    byte[] zip = fetch(file, progress);
    String sum = HexFormat.of().formatHex(digest("SHA-256").digest(zip));
    if (!sum.equals(zipSha256)) {
      throw failed(file, "SHA-256 is " + sum + ", but should be " + zipSha256, null);
    }
    progress.accept("unpacking " + file);
    Files.createDirectories(folder);
    WholeFile.write(file, out -> unpack(zip, file, out));
    return file;
  }

  private byte[] fetch(Path file, Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("downloading " + source);
    HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(patience)
            .build();
    var received = new Received();
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(
            HttpRequest.newBuilder(source).build(),
            head -> {
              if (head.statusCode() != 200) {
                return BodySubscribers.replacing(null);
              }
              received.expect(head.headers().firstValueAsLong("Content-Length").orElse(-1));
              return BodySubscribers.ofByteArrayConsumer(
                  more -> more.ifPresent(bytes -> received.add(bytes, largestZip)));
            });
    try {
      int status = await(answer, received, file, progress).statusCode();
      if (status != 200) {
        throw failed(file, "the server answers with status " + status, null);
      }
    } catch (ExecutionException e) {
      throw failed(file, reason(e.getCause()), e.getCause());
    } finally {
      answer.cancel(true); // ends the connection too
    }
    return received.toByteArray();
  }

  /** The client's own limits end with the head of the answer; a body may stall too. */
  private HttpResponse<Void> await(
      CompletableFuture<HttpResponse<Void>> answer,
      Received received,
      Path file,
      Consumer<String> progress)
      throws IOException, InterruptedException, ExecutionException {
    int size = 0;
    long lastGrowth = System.nanoTime();
    long lastReport = lastGrowth;
    while (true) {
      try {
        return answer.get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        long now = System.nanoTime();
        if (received.size() > size) {
          size = received.size();
          lastGrowth = now;
        } else if (now - lastGrowth > patience.toNanos()) {
          throw failed(file, "nothing came for " + patience.toMillis() / 1000.0 + " seconds", e);
        }
        if (now - lastReport >= BETWEEN_REPORTS) {
          lastReport = now;
          progress.accept(received.progress());
        }
      }
    }
  }

  private long unpack(byte[] zip, Path file, OutputStream out) throws IOException {
    MessageDigest digest = digest("MD5");
    long count = 0;
    try (var in = new ZipInputStream(new ByteArrayInputStream(zip))) {
      ZipEntry first = in.getNextEntry();
      if (first == null || !first.getName().equals(entry)) {
        throw failed(
            file,
            first == null ? "not a zip file" : "holds '" + first.getName() + "', not " + entry,
            null);
      }
      byte[] piece = new byte[1 << 16];
      for (int n = in.read(piece); n >= 0 && count <= size; n = in.read(piece)) {
        out.write(piece, 0, n);
        digest.update(piece, 0, n);
        count += n;
      }
    } catch (ZipException | EOFException e) {
      throw failed(file, "damaged zip file: " + e.getMessage(), e);
    }
    if (count != size) {
      throw failed(
          file,
          "the text has "
              + (count > size ? "more than " + size : count + ", not " + size)
              + " bytes",
          null);
    }
    String sum = HexFormat.of().formatHex(digest.digest());
    if (!sum.equals(md5)) {
      throw failed(file, "the text's MD5 is " + sum + ", but should be " + md5, null);
    }
    return count;
  }

  private DataFormatException failed(Path file, String reason, Throwable cause) {
    return new DataFormatException(file, "download from " + source + " failed: " + reason, cause);
  }

  /** Some exceptions of the client have no message of their own. */
  private static String reason(Throwable e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has " + algorithm, e);
    }
  }
}
