package io.ringflow.internal.natives;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions the build wrote down; asking libtorch itself would load it. */
public final class Versions {
  private static final Properties WRITTEN = read();

  private Versions() {}

  /** Of this library. */
  public static String ringflow() {
    return WRITTEN.getProperty("ringflow");
  }

  /** Of libtorch. */
  public static String libtorch() {
    // The binding's version is libtorch's, a dash, and JavaCPP's.
    return WRITTEN.getProperty("pytorch").replaceFirst("-.*", "");
  }

  private static Properties read() {
    Properties versions = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("version.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions;
  }
}
