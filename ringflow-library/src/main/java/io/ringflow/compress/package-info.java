/**
 * Files made small, by a model or without one, and back again exactly: {@link
 * io.ringflow.compress.Compressor}.
 *
 * <pre>
 *   by counting       bytes → contexts → probability of each bit → arithmetic coding
 *   by a table model  bytes → lines → cells → decisions, with a model's opinion and others
 *                           → probability of each → arithmetic coding
 *   by a text model   bytes → symbols and escapes → rows → layers' inverse → base symbols
 *                           → integer frequencies of the base's probabilities → rANS → blocks
 * </pre>
 *
 * <p>Either goes into a container with checksums.
 */
package io.ringflow.compress;
