/**
 * What a layer, base or network of one's own implements, and what it works with.
 *
 * <p>A description becomes a {@link io.ringflow.spi.Bijection}, {@link
 * io.ringflow.spi.Distribution} or {@link io.ringflow.spi.Conditioner}: a {@link
 * io.ringflow.spi.Module} that owns no numbers. It registers the {@link io.ringflow.spi.Parameter}s
 * and {@link io.ringflow.spi.Buffer}s it needs, and the {@link io.ringflow.spi.Statistic}s that are
 * counted in data, and finds their tensors in the {@link io.ringflow.spi.EvaluationContext} of each
 * call. So one object serves every precision, device and thread. {@code docs/extending.md} has two
 * worked examples.
 *
 * <p>Five rules keep native memory from leaking, and tests hold each of them:
 *
 * <ol>
 *   <li>A method for users takes and returns arrays, works inside scopes of its own, and lets no
 *       tensor out.
 *   <li>A method of this package returns tensors that live in the {@link io.ringflow.spi.Scope} of
 *       its caller, and keeps none.
 *   <li>A loop opens a child scope for each turn; what it carries over lives in buffers that were
 *       made outside and are written in place.
 *   <li>What must outlive a scope belongs to an owner, which a model's weights or a training
 *       closes.
 *   <li>Guards are opened in try-with-resources alone.
 * </ol>
 */
package io.ringflow.spi;
