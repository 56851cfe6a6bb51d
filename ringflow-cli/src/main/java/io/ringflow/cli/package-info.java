/**
 * The tool {@code ringflow}: {@link io.ringflow.cli.Main} reads the command line and turns what
 * went wrong into an exit code. The commands are in {@code command}; they write tables, pictures
 * and pages with {@code report}, and tell how far they are with {@code progress}.
 */
package io.ringflow.cli;
