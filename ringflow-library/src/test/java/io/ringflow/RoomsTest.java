package io.ringflow;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The library's packages, and what each may touch; {@code docs/architecture.md} has the map. */
final class RoomsTest {
  private static final String ROOT = "io.ringflow";

  /** From the top to the bottom: a package imports only what stands below it. */
  private static final List<String> ROOMS =
      List.of(
          "",
          "compress",
          "table",
          "text",
          "infer",
          "internal.fit",
          "internal.coding",
          "train",
          "distributed",
          "model",
          "internal.engine",
          "internal.graph",
          "internal.torch",
          "internal.store",
          "base",
          "layer",
          "network",
          "internal.logits",
          "internal.kernels",
          "internal.mixing",
          "spi",
          "core",
          "internal.natives",
          "internal.checks");

  /** Where the library's own classes are, and nothing else. */
  private static final JavaClasses LIBRARY =
      new ClassFileImporter()
          .importUrl(RingFlow.class.getProtectionDomain().getCodeSource().getLocation());

  private static String room(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
  }

  @Test
  void everyPackageIsARoom() {
    assertThat(LIBRARY.stream().map(RoomsTest::room).distinct())
        .containsExactlyInAnyOrderElementsOf(ROOMS);
  }

  @Test
  void importsPointDownwards() {
    List<String> upwards = new ArrayList<>();
    for (JavaClass type : LIBRARY) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass();
        if (isOurs(target) && ROOMS.indexOf(room(target)) < ROOMS.indexOf(room(type))) {
          upwards.add(dependency.getDescription());
        }
      }
    }
    assertThat(upwards).isEmpty();
  }

  @Test
  void noCyclesBetweenPackages() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return isOurs(type)
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "packages";
              }
            })
        .should()
        .beFreeOfCycles()
        .check(LIBRARY);
  }

  @Test
  void noInternalTypeInAPublicSignature() {
    List<String> leaks = new ArrayList<>();
    for (JavaClass type : LIBRARY) {
      if (room(type).startsWith("internal") || !isVisible(type)) {
        continue;
      }
      Stream.concat(type.getFields().stream(), type.getCodeUnits().stream())
          .filter(member -> isVisible(member.getModifiers()))
          .forEach(
              member ->
                  types(member)
                      .filter(used -> isOurs(used) && room(used).startsWith("internal"))
                      .forEach(used -> leaks.add(member.getFullName() + " shows " + used)));
    }
    assertThat(leaks).isEmpty();
  }

  private static Stream<JavaClass> types(JavaMember member) {
    return member.getAllInvolvedRawTypes().stream();
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().map(RoomsTest::isVisible).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  @Test
  void tensorsAreForTheExtensionTier() {
    noClasses()
        .that()
        .resideInAnyPackage(
            ROOT, ROOT + ".table..", ROOT + ".text..", ROOT + ".infer..", ROOT + ".compress..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bytedeco..")
        .check(LIBRARY);
  }

  @Test
  void theLibraryNeverEndsTheProcess() {
    noClasses()
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .orShould()
        .callMethod(Runtime.class, "exit", int.class)
        .check(LIBRARY);
  }
}
