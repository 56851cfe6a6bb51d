/**
 * The values that all other packages speak of: spaces of symbols and their positions ({@link
 * io.ringflow.core.Space}, {@link io.ringflow.core.Mask}, {@link io.ringflow.core.Order}, {@link
 * io.ringflow.core.Groups}), where and how networks compute ({@link io.ringflow.core.Device},
 * {@link io.ringflow.core.Precision}), what a training follows ({@link
 * io.ringflow.core.Objective}), and the exceptions.
 */
package io.ringflow.core;
