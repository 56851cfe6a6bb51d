/**
 * What the tool writes for people: numbers, tables and shell words as text, charts as PNG and SVG,
 * and the folder and HTML page of an experiment's run. Nothing here knows of commands.
 */
package io.ringflow.cli.report;
