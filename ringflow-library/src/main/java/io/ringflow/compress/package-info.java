/**
 * Files made small by a text model, and back again exactly: {@link
 * io.ringflow.compress.Compressor}.
 *
 * <pre>
 *   bytes → symbols and escapes → rows → layers' inverse → base symbols
 *         → integer frequencies of the base's probabilities → rANS → blocks → container
 * </pre>
 */
package io.ringflow.compress;
