package org.lengthwise.rasp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.error.Nearest;

/**
 * A RASP program that has been read and run: the values of its names.
 *
 * <p>Errors are {@link ConfigException}s with file, line and column.
 */
public final class Program {
  private static final String LIBRARY = "library.rasp";

  /** Steps are named by the program first, then by the files that it loads, then by the library. */
  private static final int LIBRARY_DEPTH = 1_000_000;

  private static final int FILE_DEPTH = 1_000;

  @FunctionalInterface
  public interface Source {
    String read(Path file) throws IOException;
  }

  private final Path file;
  private final Scope scope;

  private Program(Path file, Scope scope) {
    this.file = file;
    this.scope = scope;
  }

  /**
   * Reads and runs a program.
   *
   * @param file its path; files that it loads are relative to its folder
   */
  public static Program read(Path file, Source source) throws IOException {
    try {
      Scope library = library();
      Scope scope = new Runner(source, library).run(file, source.read(file), List.of());
      return new Program(file, scope);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  public SOp sOp(String name) {
    Value value = scope.find(name);
    if (value instanceof Atom || (value instanceof Node step && !step.isSelector())) {
      Node node = scope.graph().sOp(new Place(file.toString(), 1, 1), value);
      return new SOp(name, node, scope.graph());
    }
    throw new ConfigException(
        file.toString(),
        "the s-op `" + name + "`",
        value == null ? "no such name" + Nearest.suggestion(name, scope.names()) : value.kind(),
        "name an s-op that the program defines");
  }

  private static Scope library() {
    Graph graph = new Graph();
    Place place = new Place(LIBRARY, 1, 1);
    Scope.Loader nothing =
        (at, file) -> {
          throw at.error("no load statement in the library", file, "report this error");
        };
    Scope scope = new Scope(graph, nothing, null, LIBRARY_DEPTH);
    Function.builtIn().forEach(function -> scope.set(function.name(), function));
    scope.set("indices", graph.node(place, Operation.Input.INDICES));
    for (String name :
        List.of(
            "tokens", "tokens_asis", "tokens_str", "tokens_int", "tokens_float", "tokens_bool")) {
      scope.set(name, graph.node(place, Operation.Input.TOKENS));
    }
    try (InputStream in = Objects.requireNonNull(Program.class.getResourceAsStream(LIBRARY))) {
      execute(LIBRARY, new String(in.readAllBytes(), StandardCharsets.UTF_8), scope);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scope;
  }

  private static void execute(String file, String source, Scope scope) {
    Parser parser = new Parser(file, source);
    Place place = null;
    try {
      for (Parser.Statement statement : parser.program()) {
        place = statement.place();
        statement.execute(scope);
      }
    } catch (StackOverflowError e) {
      // Parsing and running are recursive. Any limit on brackets, operators and calls is a guess.
      throw (place == null ? parser.place() : place)
          .error(
              "less nesting",
              "too many brackets, operators or calls in each other",
              "divide the statement");
    }
  }

  /** Runs files that load each other. */
  private record Runner(Source source, Scope library) {
    Scope run(Path file, String text, List<Path> loading) {
      List<Path> open = new ArrayList<>(loading);
      open.add(file.normalize());
      Scope.Loader loader = (place, name) -> load(place, file, name, open);
      Scope scope = new Scope(library.graph(), loader, library, FILE_DEPTH * loading.size());
      execute(file.toString(), text, scope);
      return scope;
    }

    private Scope load(Place place, Path from, String name, List<Path> loading) {
      Path file;
      try {
        file = from.resolveSibling(name.endsWith(".rasp") ? name : name + ".rasp");
      } catch (InvalidPathException e) {
        throw place.error("the path of a program", e.getReason(), "correct the path");
      }
      if (loading.contains(file.normalize())) {
        throw place.error(
            "a file that does not load this one", "`" + name + "`", "remove one of the two loads");
      }
      return run(file, text(place, file), loading);
    }

    private String text(Place place, Path file) {
      try {
        return source.read(file);
      } catch (NoSuchFileException e) {
        throw place.error(
            "a program to load", "no file " + file, "a path is relative to this program's folder");
      } catch (IOException | ConfigException | DataFormatException e) {
        throw place.error("a program to load", String.valueOf(e.getMessage()), "load another file");
      }
    }
  }
}
