package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.training.config.OptimizerConfig;

/** Which packages are for callers of the library, and the settings that it has without YAML. */
class LibraryTest {
  static final Path EXAMPLE =
      CommandRunner.HOME.resolve("docs/examples/library/src/main/java/LibraryExample.java");

  private static final String CALLERS = "Callers of the library may use this package.";
  private static final String INTERNAL = "This package is internal: any release may change it.";
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?(org\\.lengthwise[a-z.]*)\\.[A-Z]");

  @Test
  void everyPackageSaysWhetherItIsForCallers() throws IOException {
    for (Path file : packageInfos()) {
      String text = Files.readString(file);
      assertThat(Stream.of(CALLERS, INTERNAL).filter(text::contains)).as("%s", file).hasSize(1);
    }
  }

  @Test
  void theExampleUsesOnlyPackagesForCallersAndHasAtMost80Lines() throws IOException {
    Set<String> allowed = new TreeSet<>();
    for (Path file : packageInfos()) {
      String text = Files.readString(file);
      Matcher name = PACKAGE.matcher(text);
      if (text.contains(CALLERS) && name.find()) {
        allowed.add(name.group(1));
      }
    }
    Set<String> used = new TreeSet<>();
    IMPORT.matcher(Files.readString(EXAMPLE)).results().forEach(found -> used.add(found.group(1)));
    assertThat(used).isNotEmpty().isSubsetOf(allowed);
    assertThat(Files.readAllLines(EXAMPLE)).hasSizeLessThanOrEqualTo(80);
  }

  @Test
  void theSettingsOfTheLibraryAreThoseOfTheFiles() {
    Path conf = CommandRunner.HOME.resolve("conf");
    OptimizerConfig optimizer =
        ConfigLoader.load(conf.resolve("base.yaml"), List.of())
            .bind("optimizer", OptimizerConfig.class);
    assertThat(OptimizerConfig.of(optimizer.learningRate())).isEqualTo(optimizer);
    EvaluationConfig evaluation =
        ConfigLoader.load(conf.resolve("evaluate.yaml"), List.of()).bind(EvaluationConfig.class);
    assertThat(EvaluationConfig.of(evaluation.protocols().get(0))).isEqualTo(evaluation);
  }

  private static Set<Path> packageInfos() throws IOException {
    Set<Path> files = new TreeSet<>();
    for (String module : Set.of("data-prep", "positional", "training", "eval")) {
      Path sources = CommandRunner.HOME.resolve(module + "/src/main/java");
      try (Stream<Path> found = Files.walk(sources)) {
        found.filter(path -> path.endsWith("package-info.java")).forEach(files::add);
      }
    }
    return files;
  }
}
