/**
 * How far a long piece of work is: a bar on a terminal, elsewhere a line about every ten seconds.
 * Nothing here knows of commands.
 */
package io.ringflow.cli.progress;
