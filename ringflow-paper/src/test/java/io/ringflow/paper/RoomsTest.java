package io.ringflow.paper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.ringflow.paper.experiment.Experiments;
import org.junit.jupiter.api.Test;

/** The experiments use what any user could, and their own packages have no cycles. */
final class RoomsTest {
  private static final JavaClasses PAPER =
      new ClassFileImporter()
          .importUrl(Experiments.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void noCyclesBetweenPackages() {
    slices().matching("io.ringflow.paper.(**)").should().beFreeOfCycles().check(PAPER);
  }

  @Test
  void experimentsStandOnTheHarnessAndNotTheOtherWayRound() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..experiment..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.ringflow.paper.experiment..")
        .check(PAPER);
    noClasses()
        .that()
        .resideInAnyPackage("..oracle..", "..corpus..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.ringflow.paper.harness..")
        .check(PAPER);
  }

  /**
   * Two exceptions: the guessing game reads the logits of trained layers, which is research on the
   * inside of models; and trials that run side by side share the cores, for which the library has
   * no public way.
   */
  @Test
  void experimentsUseWhatAUserCould() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("GuessingGame")
        .and()
        .haveSimpleNameNotStartingWith("TrialRunner")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.ringflow.internal..")
        .check(PAPER);
  }
}
