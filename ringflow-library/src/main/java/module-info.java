/**
 * Discrete flows: exact-likelihood generative models of discrete data.
 *
 * <p>Everything in {@code io.ringflow.internal} is the library's own affair. On the module path,
 * let the Java machine see the natives' modules too: {@code --add-modules ALL-MODULE-PATH}.
 */
module io.ringflow {
  requires transitive org.bytedeco.pytorch;
  requires transitive org.bytedeco.javacpp;
  requires org.bytedeco.openblas;
  requires static org.bytedeco.cuda; // on machines with a GPU
  requires transitive com.fasterxml.jackson.annotation;
  requires com.fasterxml.jackson.databind;
  requires de.siegmar.fastcsv;

  exports io.ringflow;
  exports io.ringflow.base;
  exports io.ringflow.compress;
  exports io.ringflow.core;
  exports io.ringflow.distributed;
  exports io.ringflow.infer;
  exports io.ringflow.layer;
  exports io.ringflow.model;
  exports io.ringflow.network;
  exports io.ringflow.spi;
  exports io.ringflow.table;
  exports io.ringflow.text;
  exports io.ringflow.train;

  // Records that are read from and written to JSON.
  opens io.ringflow.base to
      com.fasterxml.jackson.databind;
  opens io.ringflow.compress to
      com.fasterxml.jackson.databind;
  opens io.ringflow.core to
      com.fasterxml.jackson.databind;
  opens io.ringflow.layer to
      com.fasterxml.jackson.databind;
  opens io.ringflow.model to
      com.fasterxml.jackson.databind;
  opens io.ringflow.network to
      com.fasterxml.jackson.databind;
  opens io.ringflow.table to
      com.fasterxml.jackson.databind;
  opens io.ringflow.text to
      com.fasterxml.jackson.databind;
  opens io.ringflow.train to
      com.fasterxml.jackson.databind;
}
