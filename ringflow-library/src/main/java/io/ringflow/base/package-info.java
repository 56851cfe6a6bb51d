/**
 * The distributions that a flow starts from: independent positions ({@link
 * io.ringflow.base.FactorizedBase}), one position after the other ({@link
 * io.ringflow.base.AutoregressiveBase}), or groups of them ({@link io.ringflow.base.GroupBase}).
 *
 * <p>A {@link io.ringflow.base.Base} is a plain value; bound to a space it becomes a {@link
 * io.ringflow.spi.Distribution}.
 */
package io.ringflow.base;
