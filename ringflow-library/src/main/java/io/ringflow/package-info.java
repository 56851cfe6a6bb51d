/**
 * Discrete flows: exact-likelihood generative models of discrete data.
 *
 * <pre>
 *   train   rows -> ids and shadow -> layers' inverse, last to first -> base -> loss -> backward -> step
 *   score   rows -> ids            -> layers' inverse, last to first -> base -> nats
 *   sample  uniform numbers        -> base -> layers' forward, first to last -> rows
 * </pre>
 *
 * <p><b>Descriptions</b> are plain values without weights: an {@link io.ringflow.Architecture} is a
 * {@link io.ringflow.Space}, a {@link io.ringflow.Base} and {@link io.ringflow.Layer}s. A layer
 * names positions (a {@link io.ringflow.Mask}, an {@link io.ringflow.Order} or {@link
 * io.ringflow.Groups}), a {@link io.ringflow.Network} and a {@link io.ringflow.SymbolMap}. They
 * compare by content and are what {@code config.json} holds.
 *
 * <p><b>Bound parts</b> compute: {@code on(space)} makes a {@link io.ringflow.Bijection} of a
 * layer, a {@link io.ringflow.Distribution} of a base, a {@link io.ringflow.Conditioner} of a
 * network. They are immutable too, because they own no numbers. They only name the {@link
 * io.ringflow.Parameter}s and {@link io.ringflow.Constant}s they need, and find them in the {@link
 * io.ringflow.Pass} of each call. One object, {@link io.ringflow.Weights}, owns all native memory
 * of a model; so one bound part serves both precisions, every device and any number of threads.
 *
 * <p><b>Users</b> meet {@link io.ringflow.FlowModel}, which takes and returns arrays, and {@link
 * io.ringflow.train.Trainer}. Tensors appear only to those who write layers, networks or bases of
 * their own.
 */
package io.ringflow;
