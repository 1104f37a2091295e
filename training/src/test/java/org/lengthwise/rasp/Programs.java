package org.lengthwise.rasp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Programs for tests. */
final class Programs {
  private Programs() {}

  /** A program of one file, {@code test.rasp}. */
  static Program of(String source) {
    return of(Map.of("test.rasp", source));
  }

  /** A program of several files, of which {@code test.rasp} is the first. */
  static Program of(Map<String, String> files) {
    Program.Source source =
        file -> {
          String text = files.get(file.toString());
          if (text == null) {
            throw new NoSuchFileException(file.toString());
          }
          return text;
        };
    try {
      return Program.read(Path.of("test.rasp"), source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A program of conf/rasp. */
  static Program conf(String file) {
    try {
      return Program.read(Path.of("..", "conf", "rasp", file + ".rasp"), Files::readString);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The values of an s-op, with spaces between them. */
  static String run(SOp sOp, String input) {
    return sOp.atoms(input).stream().map(Atom::toString).collect(Collectors.joining(" "));
  }

  /** The values of an expression on an input, with spaces between them. */
  static String run(String expression, String input) {
    return run(of("result = " + expression + ";").sOp("result"), input);
  }

  /** Values of one character each, without spaces. */
  static String text(SOp sOp, String input) {
    return sOp.atoms(input).stream().map(Atom::toString).collect(Collectors.joining());
  }

  /** The numbers of heads of all layers. */
  static List<Integer> heads(SOp sOp) {
    return sOp.heads();
  }
}
