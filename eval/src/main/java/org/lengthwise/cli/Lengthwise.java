package org.lengthwise.cli;

import ai.djl.util.Utils;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Machine;
import org.lengthwise.dataprep.cli.PrepareCommand;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.error.DiskFullException;
import org.lengthwise.training.cli.ExportCommand;
import org.lengthwise.training.cli.ImportCommand;
import org.lengthwise.training.cli.TrainCommand;
import org.lengthwise.training.loop.DivergenceException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;

/**
 * The root of the command line. It lists all commands and turns every outcome into an exit code.
 *
 * <table>
 *   <caption>Exit codes</caption>
 *   <tr><th>code</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>success</td></tr>
 *   <tr><td>1</td><td>a fault of the software or the machine; the log holds the stack trace</td></tr>
 *   <tr><td>2</td><td>wrong usage, configuration or path ({@link ConfigException}), a full disk
 *       ({@link DiskFullException}), or a run that diverged under its configuration</td></tr>
 *   <tr><td>3</td><td>bad data ({@link DataFormatException})</td></tr>
 *   <tr><td>75</td><td>{@code train} or {@code run} was asked to stop, and can resume</td></tr>
 * </table>
 */
@Command(
    name = "lengthwise",
    description = "Trains language models on short sequences and measures them on long ones.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Lengthwise.BuildVersion.class)
public final class Lengthwise {
  private static final int FAULT = 1;
  private static final int USAGE = CommandLine.ExitCode.USAGE;
  private static final int BAD_DATA = 3;

  private static final Map<Class<?>, String> PATH_ERRORS =
      Map.of(
          NoSuchFileException.class, "no such file or folder",
          NotDirectoryException.class, "expected a folder, found a file",
          FileAlreadyExistsException.class, "expected a new path, but a file exists there",
          AccessDeniedException.class, "access denied");

  /** The commands in the order of the pipeline. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          PrepareCommand.class,
          TrainCommand.class,
          ImportCommand.class,
          ExportCommand.class,
          EvaluateCommand.class,
          ReceptiveFieldCommand.class,
          StatesCommand.class,
          ReportCommand.class,
          PlotCommand.class,
          RunCommand.class,
          ScoreCommand.class,
          GenerateCommand.class,
          InspectCommand.class,
          TaskCommand.class,
          AutomatonCommand.class,
          ConstructCommand.class,
          RaspCommand.class,
          BenchCommand.class);

  static final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return Machine.current(null).version(BuildInfo.current()).toArray(String[]::new);
    }
  }

  private Lengthwise() {}

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // for libraries: our own code names the locale of each number
    // Always UTF-8: the locale may not have all characters of a model's text.
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    int code;
    try {
      code = commandLine(arguments).setOut(out).execute(arguments);
    } catch (OutOfMemoryError e) {
      boolean isHeap = String.valueOf(e.getMessage()).matches("Java heap space|GC overhead.*");
      System.err.printf(
          "lengthwise: out of memory: %s%s%n",
          e.getMessage(),
          isHeap
              ? ", of %s MB; LENGTHWISE_OPTS=-Xmx8g gives Java more"
                  .formatted(Runtime.getRuntime().maxMemory() >> 20)
              : "");
      code = USAGE;
    }
    // A closed pipe, such as that of head, is no fault.
    boolean isFull = out.checkError() && Files.isRegularFile(Path.of("/dev/stdout"));
    if (isFull) {
      System.err.println("lengthwise: the standard output is incomplete; free some space");
    }
    System.exit(isFull && code == 0 ? USAGE : code);
  }

  /**
   * The command line for these arguments. Only the commands that they name have options, because
   * the options of all commands would take most of the time of {@code --help}.
   */
  static CommandLine commandLine(String[] arguments) {
    List<String> words = List.of(arguments);
    // picocli replaces such a word by the content of a file.
    boolean all = words.stream().anyMatch(word -> word.startsWith("@"));
    return commandLine(
        COMMANDS.stream()
            .map(type -> all || words.contains(name(type)) ? type : outline(type))
            .toList());
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** A command with its name and its line in the list, but without its options. */
  private static Object outline(Class<?> command) {
    CommandSpec outline = CommandSpec.create().name(name(command));
    outline.usageMessage().header(command.getAnnotation(Command.class).header());
    return outline;
  }

  /** {@return a command line with all options of all commands} */
  public static CommandLine commandLine() {
    return commandLine(COMMANDS);
  }

  /** Whether a code is one of the table above; a signal's code is not. */
  static boolean isExitCode(int code) {
    return code == FAULT || code == USAGE || code == BAD_DATA;
  }

  static CommandLine commandLine(List<?> commands) {
    CommandLine root = new CommandLine(new Lengthwise());
    commands.forEach(root::addSubcommand);
    for (CommandLine command : root.getSubcommands().values()) {
      command
          .getCommandSpec()
          .usageMessage()
          .synopsisHeading("%nUsage: ")
          .descriptionHeading("%n")
          .parameterListHeading("%n")
          .optionListHeading("%n");
    }
    return root.setExecutionStrategy(new RecordedCommand())
        .setExecutionExceptionHandler(Lengthwise::exitCode);
  }

  private static int exitCode(
      Exception thrown, CommandLine command, CommandLine.ParseResult parsed) {
    Exception exception =
        thrown instanceof UncheckedIOException unchecked ? unchecked.getCause() : thrown;
    Optional<IOException> full =
        DiskFullException.in(
            thrown,
            Path.of(
                command.getParseResult().<Object>matchedOptionValue("--output", ".").toString()),
            Path.of(System.getProperty("java.io.tmpdir")), // kernels
            Utils.getEngineCacheDir()); // native libraries
    if (full.isPresent()) {
      return explain(full.get().getMessage(), command, USAGE);
    }
    if (exception instanceof ConfigException || exception instanceof DivergenceException) {
      return explain(exception.getMessage(), command, USAGE);
    }
    if (exception instanceof FileSystemException file && PATH_ERRORS.containsKey(file.getClass())) {
      String problem = file.getFile() + ": " + PATH_ERRORS.get(file.getClass());
      return explain(problem + "; check the path", command, USAGE);
    }
    if (exception instanceof DataFormatException) {
      return explain(exception.getMessage(), command, BAD_DATA);
    }
    // Log4j takes half a second to load, and most runs end without a fault.
    LogManager.getLogger(Lengthwise.class)
        .error("lengthwise {} failed", command.getCommandName(), thrown);
    return FAULT;
  }

  private static int explain(@Nullable String message, CommandLine command, int code) {
    PrintWriter err = command.getErr();
    err.println("lengthwise " + command.getCommandName() + ": " + message);
    err.flush();
    return code;
  }
}
