package org.lengthwise;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.PositionalScheme;

/** The allowed dependencies between packages, as docs/explanation/how-it-works.md states them. */
class DependencyRulesTest {
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains(testClasses()))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("org.lengthwise");

  /** Where the build put this class. */
  private static String testClasses() {
    return DependencyRulesTest.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  /** Each area with its packages, below {@code org.lengthwise}. */
  private static final Map<String, List<String>> AREAS =
      Map.of(
          "foundation",
              List.of("error", "config", "input", "artifact", "progress", "random", "rasp.."),
          "preparation", List.of("dataprep.."),
          "positions", List.of("positional..", "kernel"),
          "model", List.of("model", "task", "automaton", "recall"),
          "training", List.of("training.."),
          "measurement", List.of("measure..", "ngram", "result", "statistics"),
          "presentation", List.of("report..", "plot"),
          "application", List.of("experiment", "generate", "bench", "cli"));

  /**
   * The areas and packages that an area, or a package with its own rule, may use in addition to
   * itself. Names are areas or packages.
   */
  static Stream<Arguments> rules() {
    return Stream.of(
        rule("foundation"),
        rule("preparation", "foundation"),
        rule("positions", "error", "config"),
        rule(
            "model",
            "foundation",
            "preparation",
            "positions",
            "training.config",
            "training.safetensors"),
        rule("training", "foundation", "preparation", "positions", "model"),
        rule(
            "measurement",
            "foundation",
            "preparation",
            "positions",
            "model",
            "training.checkpoint",
            "training.config",
            "training.device"),
        rule("statistics", "config"),
        rule(
            "presentation",
            "foundation",
            "positions",
            "measurement",
            "training.checkpoint",
            "training.loop",
            "training.optimizer"),
        rule("plot", "artifact"),
        rule("report.form", "error", "plot", "result", "statistics"),
        rule(
            "report.training",
            "report.form",
            "foundation",
            "plot",
            "positional",
            "result",
            "statistics",
            "training.checkpoint",
            "training.loop",
            "training.optimizer"),
        rule("report.scoreboard", "report.form", "error", "plot", "statistics"),
        rule("rasp..", "error"),
        rule(
            "application",
            "foundation",
            "preparation",
            "positions",
            "model",
            "training",
            "measurement",
            "presentation"));
  }

  /**
   * The classes outside {@code positional} that know the class of one scheme, because they make
   * such a scheme. All others ask {@link PositionalScheme}.
   */
  private static final Map<String, String> MAKERS =
      Map.of(
          "ExactModel", "computes the weights of a RegularGPT",
          "NGramDecoder", "computes the weights of a model with T5's biases",
          "FamilyReader", "reads the schemes of public families",
          "RisePlaceTable", "knows a run by its chunk, and needs the levels of RegularGPT");

  private static Arguments rule(String who, String... visible) {
    return Arguments.of(who, List.of(visible));
  }

  private static String[] packages(Stream<String> names) {
    return names
        .flatMap(name -> AREAS.getOrDefault(name, List.of(name)).stream())
        .map(name -> "org.lengthwise." + name)
        .toArray(String[]::new);
  }

  @Test
  void everyPackageBelongsToAnArea() {
    ArchRule rule = classes().should().resideInAnyPackage(packages(AREAS.keySet().stream()));

    rule.check(CLASSES);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void packagesSeeOnlyWhatTheirRuleNames(String who, List<String> visible) {
    String[] own = packages(Stream.of(who));
    String[] all = packages(Stream.concat(Stream.of(who), visible.stream()));

    ArchRule rule =
        noClasses()
            .that(resideInAnyPackage(own))
            .should()
            .dependOnClassesThat(
                resideInAPackage("org.lengthwise..").and(not(resideInAnyPackage(all))));

    rule.check(CLASSES);
  }

  @Test
  void thePartsOfAReportDoNotSeeEachOther() {
    String[] forAll = packages(Stream.of("report.form", "report.training"));

    ArchRule rule =
        slices()
            .matching("org.lengthwise.report.(*)")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAnyPackage(forAll));

    rule.check(CLASSES);
  }

  @Test
  void onlyTheCommandLineEndsTheProcess() {
    ArchRule rule =
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("org.lengthwise.cli.Lengthwise")
            .should()
            .callMethod(System.class, "exit", int.class);

    rule.check(CLASSES);
  }

  @Test
  void noTwoPackagesDependOnEachOther() {
    ArchRule rule = slices().matching("org.lengthwise.(**)").should().beFreeOfCycles();

    rule.check(CLASSES);
  }

  @Test
  void onlyClassesThatMakeASchemeNameItsClass() {
    Pattern scheme =
        Pattern.compile("org\\.lengthwise\\.positional\\.(%s)\\b".formatted(schemes()));
    assertThat(outsidePositional())
        .filteredOn(file -> scheme.matcher(file.text()).find())
        .extracting(Source::type)
        .containsExactlyInAnyOrderElementsOf(MAKERS.keySet());
  }

  @Test
  void noClassOutsidePositionalTestsTheClassOfAScheme() {
    Pattern test =
        Pattern.compile(
            "\\binstanceof (%1$s)\\b|\\((%1$s)\\) *\\w|\\bcase (%1$s)\\b|\\b(%1$s)\\.class\\b"
                .formatted(schemes()));
    assertThat(outsidePositional())
        .filteredOn(file -> test.matcher(file.text()).find())
        .extracting(Source::type)
        .isEmpty();
  }

  /**
   * A file of the source. A compiled class does not show each cast.
   *
   * @param type the name of its class
   */
  private record Source(String type, String text) {
    static Source of(Path file) {
      try {
        return new Source(
            file.getFileName().toString().replace(".java", ""), Files.readString(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static List<Source> outsidePositional() {
    return Stream.of("data-prep", "training", "eval")
        .map(module -> Path.of("..", module, "src", "main", "java"))
        .flatMap(DependencyRulesTest::files)
        .map(Source::of)
        .toList();
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of all schemes and families of schemes, as alternatives. */
  private static String schemes() {
    return types(PositionalScheme.class)
        .filter(type -> type != PositionalScheme.class)
        .map(Class::getSimpleName)
        .collect(Collectors.joining("|"));
  }

  private static Stream<Class<?>> types(Class<?> family) {
    return family.isSealed()
        ? Stream.concat(
            Stream.of(family),
            Stream.of(family.getPermittedSubclasses()).flatMap(DependencyRulesTest::types))
        : Stream.of(family);
  }
}
