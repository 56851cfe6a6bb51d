package io.ringflow.paper.corpus;

import io.ringflow.core.DataFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * A text that somebody publishes as a zip file with one entry.
 *
 * <p>The zip is small beside what is in it, so it is kept in memory: nothing touches the disk
 * before its checksum has been compared.
 *
 * @param source where it is
 * @param zipSha256 of the zip file
 * @param largestZip bytes; a longer answer is refused
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
  private static final int PIECE = 1 << 16;
  private static final long BETWEEN_REPORTS = TimeUnit.SECONDS.toNanos(2);

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
    progress.accept("downloading " + source);
    byte[] zip = fetch(file, progress);
    String sum = HexFormat.of().formatHex(digest("SHA-256").digest(zip));
    if (!sum.equals(zipSha256)) {
      throw failed(file, "SHA-256 is " + sum + ", but should be " + zipSha256, null);
    }
    progress.accept("unpacking " + file);
    Files.createDirectories(folder);
    DataFile.write(file, out -> unpack(zip, file, out));
    return file;
  }

  private byte[] fetch(Path file, Consumer<String> progress)
      throws IOException, InterruptedException {
    HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(patience)
            .build();
    var received = new ByteArrayOutputStream(); // filled by a thread of the client
    var expected = new AtomicLong(-1);
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(
            HttpRequest.newBuilder(source).build(),
            head -> {
              if (head.statusCode() != 200) {
                return BodySubscribers.replacing(null);
              }
              expected.set(head.headers().firstValueAsLong("Content-Length").orElse(-1));
              return BodySubscribers.ofByteArrayConsumer(
                  more -> more.ifPresent(bytes -> add(received, bytes)));
            });
    try {
      int status = await(answer, received, expected, progress).statusCode();
      if (status != 200) {
        throw failed(file, "the server answers with status " + status, null);
      }
      return received.toByteArray();
    } catch (TimeoutException e) {
      throw failed(file, "nothing came for " + patience.toMillis() / 1000.0 + " seconds", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause(); // may have no message of its own
      String reason = cause.getMessage();
      throw failed(file, reason == null ? cause.getClass().getSimpleName() : reason, cause);
    } finally {
      answer.cancel(true); // ends the connection too
    }
  }

  private void add(ByteArrayOutputStream received, byte[] bytes) {
    if (received.size() + (long) bytes.length > largestZip) {
      throw new IllegalStateException("more than " + largestZip + " bytes came");
    }
    received.writeBytes(bytes);
  }

  /** The client's own limits end with the head of the answer; a body may stall too. */
  private HttpResponse<Void> await(
      CompletableFuture<HttpResponse<Void>> answer,
      ByteArrayOutputStream received,
      AtomicLong expected,
      Consumer<String> progress)
      throws InterruptedException, ExecutionException, TimeoutException {
    int size = 0;
    long lastGrowth = System.nanoTime();
    long lastReport = lastGrowth;
    while (true) {
      try {
        return answer.get(200, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        long now = System.nanoTime();
        if (received.size() > size) {
          size = received.size();
          lastGrowth = now;
        } else if (now - lastGrowth > patience.toNanos()) {
          throw e;
        }
        if (now - lastReport >= BETWEEN_REPORTS) {
          lastReport = now;
          progress.accept(progress(size, expected.get()));
        }
      }
    }
  }

  private static String progress(long received, long expected) {
    return Math.round(received / 1e6)
        + (expected < 0 ? "" : " of " + Math.round(expected / 1e6))
        + " MB";
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
      byte[] piece = new byte[PIECE];
      for (int n = in.read(piece); n >= 0 && count <= size; n = in.read(piece)) {
        out.write(piece, 0, n);
        digest.update(piece, 0, n);
        count += n;
      }
    } catch (ZipException | EOFException e) {
      throw failed(file, "damaged zip file: " + e.getMessage(), e);
    }
    if (count != size) {
      String found = count > size ? "more than " + size : count + ", not " + size;
      throw failed(file, "the text has " + found + " bytes", null);
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

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has " + algorithm, e);
    }
  }
}
