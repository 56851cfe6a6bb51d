/**
 * The tool {@code ringflow}: reads the command line, shows progress, and turns an experiment's
 * outcome into a run folder with results, figures and a report.
 *
 * <p>{@link io.ringflow.cli.Main} is the way in; nothing else is public.
 */
package io.ringflow.cli;
