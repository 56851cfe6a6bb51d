/**
 * The commands of the tool, a class each ({@code TrainCommand} is {@code ringflow train}), the
 * options that several of them share ({@code …Option}, {@code …Options}), and the work that only
 * one of them does.
 *
 * <p>{@link io.ringflow.cli.command.Commands} lists them all. Commands only parse, call the
 * library, and print: whatever else a program could want is in the library.
 */
package io.ringflow.cli.command;
