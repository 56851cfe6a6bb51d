/**
 * Several processes that train one model, on one machine or on many: libtorch's own c10d, by
 * environment variables.
 */
package io.ringflow.team;
