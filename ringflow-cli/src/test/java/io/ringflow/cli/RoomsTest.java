package io.ringflow.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The tool uses what any user could, and its own packages have no cycles. */
final class RoomsTest {
  private static final JavaClasses TOOL =
      new ClassFileImporter()
          .importUrl(Main.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void noCyclesBetweenPackages() {
    slices().matching("io.ringflow.cli.(**)").should().beFreeOfCycles().check(TOOL);
  }

  @Test
  void nothingStandsOnTheCommands() {
    noClasses()
        .that()
        .resideInAnyPackage("..report..", "..progress..", "..external..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.ringflow.cli", "io.ringflow.cli.command..")
        .check(TOOL);
  }

  /**
   * One exception: the round trip of millions of symbols needs an untrained model with weights so
   * strong that every choice matters, and nobody else wants to scale weights.
   */
  @Test
  void commandsUseWhatAUserCould() {
    noClasses()
        .that()
        .doNotHaveSimpleName("RoundtripModel")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.ringflow.internal..")
        .check(TOOL);
  }
}
