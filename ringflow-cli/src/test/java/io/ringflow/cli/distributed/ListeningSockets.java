package io.ringflow.cli.distributed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The addresses on which a process listens, as {@code /proc} lists them. */
final class ListeningSockets {
  private static final String LISTENING = "0A";

  private ListeningSockets() {}

  /** The addresses, such as 127.0.0.1:8080; IPv6 addresses in hexadecimal. */
  static List<String> of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Set<String> open = open(process.resolve("fd"));
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(process.resolve("net").resolve(table))) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[3].equals(LISTENING) && open.contains("socket:[" + fields[9] + "]")) {
          addresses.add(readable(fields[1]));
        }
      }
    }
    return addresses;
  }

  /** Linux writes 0100007F:1F90 for port 8080 of 127.0.0.1. */
  private static String readable(String address) {
    HexFormat hex = HexFormat.of();
    int colon = address.indexOf(':');
    byte[] bytes = hex.parseHex(address, 0, colon);
    return bytes.length == 4
        ? String.format(
            "%d.%d.%d.%d:%d",
            bytes[3] & 0xFF,
            bytes[2] & 0xFF,
            bytes[1] & 0xFF,
            bytes[0] & 0xFF,
            HexFormat.fromHexDigits(address, colon + 1, address.length()))
        : address;
  }

  private static Set<String> open(Path descriptors) throws IOException {
    Set<String> targets = new HashSet<>();
    try (Stream<Path> links = Files.list(descriptors)) {
      for (Path link : links.toList()) {
        try {
          targets.add(Files.readSymbolicLink(link).toString());
        } catch (NoSuchFileException e) {
          // Closed in the meantime.
        }
      }
    }
    return targets;
  }
}
