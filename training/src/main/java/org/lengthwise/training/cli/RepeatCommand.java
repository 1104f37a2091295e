package org.lengthwise.training.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The command line of this process, for the user to repeat in a shell. */
public final class RepeatCommand {
  /** The system property that holds the path of the launcher script. */
  private static final String LAUNCHER = "lengthwise.launcher";

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,+@%-]+");

  private RepeatCommand() {}

  public static String of(CommandSpec spec, List<String> added) {
    List<String> words = new ArrayList<>();
    words.add(System.getProperty(LAUNCHER, "scripts/lengthwise"));
    words.addAll(spec.root().commandLine().getParseResult().originalArgs());
    words.addAll(added);
    return words.stream().map(RepeatCommand::quoted).collect(Collectors.joining(" "));
  }

  /** {@return a word for a shell, in quotes if it needs them} */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
