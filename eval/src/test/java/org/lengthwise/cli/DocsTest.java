package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the repository: README.md and its neighbours, and everything under docs/. */
class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> MODULES =
      List.of("data-prep", "positional", "training", "eval");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

  /** A name in code style that starts with a capital letter and has small ones: a class. */
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(\\.[^`]*)?`");

  /** Names of that form that are not classes of this project. */
  private static final Set<String> OTHER_NAMES =
      Set.of("BigFraction", "CodedOutputStream", "NDManager", "XTest");

  @Test
  void everyRelativeLinkLeadsToAFileAndAHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (String link : relativeLinks(page)) {
        if (!resolves(page, link)) {
          broken.add(ROOT.relativize(page) + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageUnderDocsIsReachableFromTheReadme() throws IOException {
    Set<Path> reached = new TreeSet<>();
    ArrayDeque<Path> open = new ArrayDeque<>(List.of(ROOT.resolve("README.md")));
    while (!open.isEmpty()) {
      Path page = open.remove();
      if (reached.add(page)) {
        relativeLinks(page).stream()
            .map(link -> target(page, link))
            .filter(path -> path.toString().endsWith(".md") && Files.isRegularFile(path))
            .forEach(open::add);
      }
    }
    assertThat(reached).containsAll(pages());
  }

  @Test
  void theIndexNamesEveryPageUnderDocs() throws IOException {
    Path index = ROOT.resolve("docs/README.md");
    assertThat(relativeLinks(index).stream().map(link -> target(index, link)))
        .containsAll(
            pages().stream()
                .filter(page -> page.startsWith(ROOT.resolve("docs")) && !page.equals(index))
                .toList());
  }

  @Test
  void howItWorksNamesEveryPackage() throws IOException {
    String page = read(ROOT.resolve("docs/explanation/how-it-works.md"));
    Set<String> missing = new TreeSet<>();
    for (String module : MODULES) {
      Path top = ROOT.resolve(module).resolve("src/main/java/org/lengthwise");
      try (Stream<Path> files = Files.walk(top)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .map(file -> top.relativize(file.getParent()).toString().replace('/', '.'))
            .filter(name -> !page.contains("`" + name + "`"))
            .forEach(missing::add);
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyClassThatAPageNamesIsInTheSource() throws IOException {
    Set<String> known = new TreeSet<>(OTHER_NAMES);
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .forEach(name -> known.add(name.replace(".java", "")));
      }
    }
    List<String> unknown = new ArrayList<>();
    for (Path page : pages()) {
      CLASS
          .matcher(read(page))
          .results()
          .map(match -> match.group(1))
          .filter(name -> !known.contains(name))
          .forEach(name -> unknown.add(ROOT.relativize(page) + ": " + name));
    }
    assertThat(unknown).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static List<String> relativeLinks(Path page) {
    return LINK.matcher(read(page))
        .results()
        .map(match -> match.group(1))
        .filter(link -> !link.matches("[a-z]+:.*"))
        .toList();
  }

  private static boolean resolves(Path page, String link) {
    Path target = target(page, link);
    int anchor = link.indexOf('#');
    return Files.exists(target)
        && (anchor < 0 || anchors(target).contains(link.substring(anchor + 1)));
  }

  /** The file that a link names. A folder means its README.md, as on GitHub. */
  private static Path target(Path page, String link) {
    String path = link.replaceFirst("#.*", "");
    Path target = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    Path readme = target.resolve("README.md");
    return Files.exists(readme) ? readme : target;
  }

  /** The anchors of a page's headings, by GitHub's rule. */
  private static List<String> anchors(Path page) {
    return HEADING
        .matcher(read(page))
        .results()
        .map((MatchResult match) -> match.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
