package org.lengthwise.rasp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.Nearest;

/** The variables that a statement sees: its own, then the variables of the scopes around it. */
final class Scope {
  private final Graph graph;
  private final Loader loader;
  private final @Nullable Scope outer;
  private final int depth;

  /** Where a program called the library function that runs in this scope; null in its own code. */
  private final @Nullable Place caller;

  private final Map<String, Value> variables = new HashMap<>();

  @FunctionalInterface
  interface Loader {
    /** The scope of a file after it has run. */
    Scope load(Place place, String file);
  }

  /**
   * The scope of a file.
   *
   * @param outer the scope of the library, or null for the library itself
   * @param depth how far the file's names are from the program; the nearest name of a step is shown
   */
  Scope(Graph graph, Loader loader, @Nullable Scope outer, int depth) {
    this(graph, loader, outer, depth, null);
  }

  private Scope(
      Graph graph, Loader loader, @Nullable Scope outer, int depth, @Nullable Place caller) {
    this.graph = graph;
    this.loader = loader;
    this.outer = outer;
    this.depth = depth;
    this.caller = caller;
  }

  /** The scope of one item of a list. */
  Scope inner() {
    return new Scope(graph, loader, this, depth + 1, caller);
  }

  /** The scope of a call of a function that this scope defines. */
  Scope call(Place place) {
    return new Scope(graph, loader, this, depth + 1, outer == null ? place : caller);
  }

  /** The place at which an error is reported: in the user's programs, never in the library. */
  Place at(Place place) {
    return caller == null ? place : caller;
  }

  /** A function of the library, whatever the program calls by its name. */
  Function.Body library(String name) {
    return outer != null
        ? outer.library(name)
        : ((Function) Objects.requireNonNull(variables.get(name))).body();
  }

  Graph graph() {
    return graph;
  }

  @Nullable Value find(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Value value = scope.variables.get(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  Value get(Place place, String name) {
    Value value = find(name);
    if (value == null) {
      throw place.error(
          "the name of a value",
          "`" + name + "`" + Nearest.suggestion(name, names()),
          "define it above, or correct it");
    }
    return value;
  }

  Set<String> names() {
    Set<String> names = outer == null ? new TreeSet<>() : outer.names();
    names.addAll(variables.keySet());
    return names;
  }

  void set(String name, Value value) {
    variables.put(name, value);
  }

  /** Sets a variable, or several to the entries of a list. They name the steps that they hold. */
  void assign(Place place, List<String> names, Value value) {
    List<? extends Value> values = names.size() == 1 ? List.of(value) : elements(place, value);
    if (values.size() != names.size()) {
      throw place.error(
          "one value for each of " + String.join(", ", names),
          values.size() + " values",
          "use as many names as values");
    }
    for (int i = 0; i < values.size(); i++) {
      set(names.get(i), values.get(i));
      if (values.get(i) instanceof Node node) {
        graph.name(node, names.get(i), depth);
      }
    }
  }

  /** Runs another file and copies its names, except those that start with an underscore. */
  void load(Place place, String file) {
    Map<String, Value> loaded = new HashMap<>(loader.load(place, file).variables);
    loaded.keySet().removeIf(name -> name.startsWith("_"));
    variables.putAll(loaded);
  }

  /** The entries of a list, the keys of a dictionary or the characters of a text. */
  static List<? extends Value> elements(Place place, Value value) {
    if (value instanceof Value.Items items) {
      return items.values();
    }
    if (value instanceof Value.Table table) {
      return List.copyOf(table.values().keySet());
    }
    if (value instanceof Atom.Text text) {
      return text.characters();
    }
    throw place.error(
        "a list, a dictionary or a text",
        value.kind(),
        "only constants have entries; an s-op is computed at all positions at once");
  }
}
