package org.lengthwise.training.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The command line of this process as a shell reads it, for the user to give again. */
public final class CommandAgain {
  /** The system property by which the launcher tells how it was called. */
  private static final String LAUNCHER = "lengthwise.launcher";

  /** What a shell reads as one word. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,+@%-]+");

  private CommandAgain() {}

  /**
   * Spells the command.
   *
   * @param spec the command that runs
   * @param added words to add at its end
   * @return a line for a shell
   */
  public static String of(CommandSpec spec, List<String> added) {
    List<String> words = new ArrayList<>();
    words.add(System.getProperty(LAUNCHER, "scripts/lengthwise"));
    words.addAll(spec.root().commandLine().getParseResult().originalArgs());
    words.addAll(added);
    return words.stream().map(CommandAgain::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
