package org.lengthwise.eval.cli;

import java.io.PrintWriter;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.cli.PrepareCommand;
import org.lengthwise.training.cli.TrainCommand;
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
 *   <tr><td>2</td><td>wrong usage or configuration ({@link ConfigException})</td></tr>
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

  private Lengthwise() {}

  /**
   * Runs one command and ends the JVM with its exit code.
   *
   * @param arguments the command and its options
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /**
   * The whole command line, as {@link #main} runs it.
   *
   * @return a fresh command line, whose {@code execute} returns the exit code
   */
  public static CommandLine commandLine() {
    return commandLine(commands());
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
        new EvaluateCommand(),
        new ReceptiveFieldCommand(),
        new ReportCommand(),
        new RunCommand(),
        new ScoreCommand(),
        new InspectCommand(),
        new BenchCommand());
  }

  private static int exitCode(
      Exception exception, CommandLine command, CommandLine.ParseResult parsed) {
    if (exception instanceof ConfigException) {
      return explain(exception, command, USAGE);
    }
    if (exception instanceof DataFormatException) {
      return explain(exception, command, BAD_DATA);
    }
    LOG.error("lengthwise {} failed", command.getCommandName(), exception);
    return FAULT;
  }

  private static int explain(Exception exception, CommandLine command, int code) {
    PrintWriter err = command.getErr();
    err.println("lengthwise " + command.getCommandName() + ": " + exception.getMessage());
    err.flush();
    return code;
  }
}
