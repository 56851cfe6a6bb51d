/**
 * The edge to libtorch: scopes, devices, precisions, and the few tensor functions the binding makes
 * clumsy.
 *
 * <p>Five rules keep native memory from leaking, and tests hold each of them:
 *
 * <ol>
 *   <li>A method of the user tier takes and returns arrays, opens exactly one {@link
 *       io.ringflow.torch.Scope}, and lets no tensor out.
 *   <li>A method of the extension tier returns tensors that live in its caller's scope, and keeps
 *       none.
 *   <li>A loop opens a child scope for each pass; what it carries over lives in buffers that were
 *       made outside and are written in place.
 *   <li>What must outlive a scope belongs to a {@link io.ringflow.torch.TensorOwner}, which a
 *       model's weights or a training closes.
 *   <li>Guards are opened in try-with-resources alone.
 * </ol>
 */
package io.ringflow.torch;
