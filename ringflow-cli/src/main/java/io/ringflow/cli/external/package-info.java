/** Programs of other people, run beside ours to compare. */
package io.ringflow.cli.external;
