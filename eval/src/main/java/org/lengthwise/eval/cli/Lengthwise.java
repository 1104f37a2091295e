package org.lengthwise.eval.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.cli.PrepareCommand;
import org.lengthwise.training.cli.ExportCommand;
import org.lengthwise.training.cli.ImportCommand;
import org.lengthwise.training.cli.TrainCommand;
import org.lengthwise.training.loop.DivergenceException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/**
 * The command line's root: knows every command, and turns every outcome into an exit code.
 *
 * <table>
 *   <caption>Exit codes</caption>
 *   <tr><th>code</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>done</td></tr>
 *   <tr><td>1</td><td>a fault of the software or the machine; the log has the stack trace</td></tr>
 *   <tr><td>2</td><td>wrong usage, configuration or path ({@link ConfigException}), or a run that
 *       diverged under its configuration</td></tr>
 *   <tr><td>3</td><td>bad data ({@link DataFormatException})</td></tr>
 * </table>
 */
@Command(
    name = "lengthwise",
    description = "Train language models on short sequences, measure them on long ones.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = BuildVersion.class)
public final class Lengthwise {
  private static final Logger LOG = LogManager.getLogger(Lengthwise.class);

  private static final int FAULT = 1;
  private static final int USAGE = CommandLine.ExitCode.USAGE;
  private static final int BAD_DATA = 3;

  /** What the user's paths can be guilty of, in words. */
  private static final Map<Class<?>, String> NAMED =
      Map.of(
          NoSuchFileException.class, "expected a file or folder, found none",
          NotDirectoryException.class, "expected a folder, found a file",
          FileAlreadyExistsException.class, "expected a free path, found a file",
          AccessDeniedException.class, "expected a path that may be read or written, was denied");

  private Lengthwise() {}

  /**
   * Runs one command and ends the JVM with its exit code.
   *
   * @param arguments the command and its options
   */
  public static void main(String[] arguments) {
    // Whatever the locale says: a model's text is not limited to its characters.
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    System.exit(commandLine().setOut(out).execute(arguments));
  }

  /**
   * The whole command line, as {@link #main} runs it.
   *
   * @return a fresh command line, whose {@code execute} returns the exit code
   */
  public static CommandLine commandLine() {
    return commandLine(commands());
  }

  /** Whether a code has a meaning of its own, and is not that of a signal. */
  static boolean isExitCode(int code) {
    return code == FAULT || code == USAGE || code == BAD_DATA;
  }

  static CommandLine commandLine(List<Object> commands) {
    CommandLine root = new CommandLine(new Lengthwise());
    commands.forEach(root::addSubcommand);
    return root.setExecutionExceptionHandler(Lengthwise::exitCode);
  }

  /** The commands in the order of the pipeline. */
  private static List<Object> commands() {
    return List.of(
        new PrepareCommand(),
        new TrainCommand(),
        new ImportCommand(),
        new ExportCommand(),
        new EvaluateCommand(),
        new ReceptiveFieldCommand(),
        new ReportCommand(),
        new PlotCommand(),
        new RunCommand(),
        new ScoreCommand(),
        new GenerateCommand(),
        new InspectCommand(),
        new BenchCommand());
  }

  private static int exitCode(
      Exception exception, CommandLine command, CommandLine.ParseResult parsed) {
    if (exception instanceof ConfigException || exception instanceof DivergenceException) {
      return explain(exception.getMessage(), command, USAGE);
    }
    if (exception instanceof FileSystemException file && NAMED.containsKey(file.getClass())) {
      return explain(
          file.getFile() + ": " + NAMED.get(file.getClass()) + "; check the path", command, USAGE);
    }
    if (exception instanceof DataFormatException) {
      return explain(exception.getMessage(), command, BAD_DATA);
    }
    LOG.error("lengthwise {} failed", command.getCommandName(), exception);
    return FAULT;
  }

  private static int explain(@Nullable String message, CommandLine command, int code) {
    PrintWriter err = command.getErr();
    err.println("lengthwise " + command.getCommandName() + ": " + message);
    err.flush();
    return code;
  }
}
